//===- Driver/Limits.cpp - Limits of memory and time ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>
#include <sys/resource.h>
#include <thread>

using namespace llvm;
using namespace graupel;

static cl::opt<uint64_t> MemoryLimit(
    "memory-limit",
    cl::desc("give up when rewriting takes more memory, 0 for no limit "
             "(default: 4096 + 16 for each processor + 256 times the size of "
             "the program and its profile)"),
    cl::value_desc("MB"), cl::cat(opts::BoltCategory));

static cl::opt<uint64_t> TimeLimit(
    "time-limit",
    cl::desc("give up when rewriting takes more processor time, 0 for no limit "
             "(default: 20 + 30 for each MB of the program and its profile)"),
    cl::value_desc("seconds"), cl::cat(opts::BoltCategory));

static constexpr uint64_t MB = 1 << 20;

static void limit(int Resource, uint64_t Value) {
  rlimit Now;
  if (!Value || getrlimit(Resource, &Now))
    return;
  Now.rlim_cur = std::min<rlim_t>(Value, Now.rlim_max);
  setrlimit(Resource, &Now);
}

void graupel::limitResources(ArrayRef<std::string> Inputs) {
  uint64_t Total = 0;
  for (const std::string &Input : Inputs) {
    uint64_t Size;
    if (!Input.empty() && !sys::fs::file_size(Input, Size))
      Total += Size;
  }
  limit(RLIMIT_CPU, TimeLimit.getNumOccurrences() ? uint64_t(TimeLimit)
                                                  : 20 + 30 * Total / MB);
  // A sanitizer's own memory counts, and is without bounds. RLIMIT_DATA counts
  // what was allocated and leaves out mapped files.
  if (!LLVM_ADDRESS_SANITIZER_BUILD)
    limit(RLIMIT_DATA,
          MemoryLimit.getNumOccurrences()
              ? MemoryLimit * MB
              : (4096 + 16 * uint64_t(std::thread::hardware_concurrency())) *
                        MB +
                    256 * Total);
}
