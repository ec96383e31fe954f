//===- Launch/Counters.cpp - From the spool to the database ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Counters.h"
#include "Environment/Actions/Profiles.h"
#include "llvm/Support/MemoryBuffer.h"
#include <unistd.h>

using namespace llvm;
using namespace graupel::collection;
using namespace graupel::environment;

CollectResult graupel::environment::collectCounters(Environment &E,
                                                    int64_t Run) {
  std::vector<std::string> Problems;
  auto Merge = [&](const FinishedCounters &F) {
    auto Bytes = MemoryBuffer::getOpenFile(F.File, F.Path, /*FileSize=*/-1,
                                           /*RequiresNullTerminator=*/false);
    if (!Bytes) {
      Problems.push_back(F.Path +
                         ": cannot be read: " + Bytes.getError().message());
      return MergeResult::NotNow;
    }
    Expected<Merged> Result =
        mergeProfile(E, F.Name, F.Id, (*Bytes)->getBuffer(), Run);
    if (Result)
      return MergeResult::Done;
    Problems.push_back(F.Path + ": " + toString(Result.takeError()));
    return MergeResult::NotNow;
  };
  // A daemon's counts are of use before it ends. They change meanwhile, so they
  // are copied before anything is made of them.
  auto Look = [&](const FinishedCounters &F) {
    std::string Bytes;
    char Part[1 << 16];
    ssize_t Got;
    while ((Got = pread(F.File, Part, sizeof(Part), off_t(Bytes.size()))) > 0)
      Bytes.append(Part, size_t(Got));
    // A file that is not valid now may be later; errors are reported at the
    // end.
    consumeError(mergeProfile(E, F.Name, F.Id, Bytes, Run, Counting::GoesOn)
                     .takeError());
  };
  CollectResult Result = collect(spoolFolder(E), Merge, Look);
  Result.Problems.insert(Result.Problems.end(), Problems.begin(),
                         Problems.end());
  return Result;
}
