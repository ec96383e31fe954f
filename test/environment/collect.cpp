//===- environment/collect.cpp - Collecting without a database ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   collect SPOOL TO    copies each finished file to the folder TO, once, under
//                       the name NAME.ID
//
//===----------------------------------------------------------------------===//

#include "Environment/Collect/Spool.h"
#include <cstdio>
#include <filesystem>
#include <unistd.h>

using namespace graupel::collection;
namespace fs = std::filesystem;

int main(int Argc, char **Argv) {
  if (Argc != 3)
    return 1;
  const std::string To = Argv[2];
  CollectResult Result = collect(Argv[1], [&](const FinishedCounters &F) {
    const std::string Copy = To + "/" + F.Name + "." + F.Id;
    if (fs::exists(Copy))
      return MergeResult::Done;
    const std::string Open = "/proc/self/fd/" + std::to_string(F.File);
    if (fs::file_size(Open) % 4096)
      return MergeResult::Damaged;
    const std::string Beside = To + "/.new." + std::to_string(getpid());
    fs::remove(Beside);
    fs::copy_file(Open, Beside);
    fs::rename(Beside, Copy);
    return MergeResult::Done;
  });
  printf("merged %u, busy %u\n", Result.Merged, Result.Busy);
  for (const std::string &Problem : Result.Problems)
    printf("%s\n", Problem.c_str());
}
