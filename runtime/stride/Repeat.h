//===- stride/Repeat.h - Repeated executions of loops -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The counts of a loop's members depend only on distances: among the members,
// and to the stream's history. Inner loops mostly find the same distances again
// (the next row), and then their counts are added once more. The number of
// iterations matters only for the weight of the last ones.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_REPEAT_H
#define GRAUPEL_STRIDE_REPEAT_H

#include "Summary.h"

namespace graupel::stride {

/// One stream's part of a loop's latest execution.
class Repeat {
public:
  /// Whether an execution from the stream's history on would count the same.
  GRAUPEL_HOT bool matches(const Stream &Now, uint64_t Base) const {
    if (&Now != S)
      return false;
    Eight Different = ((Base - Now.recent()) ^ Distances) & Counted;
    uint64_t Any = 0;
    for (unsigned N = 0; N < 8; ++N)
      Any |= Different[N];
    return Any == 0;
  }
  /// Whether so many iterations can be told from those that are remembered.
  GRAUPEL_HOT bool fits(uint64_t Now) const {
    return Now == Iterations || (Now > WarmUp + 1 && Iterations > WarmUp + 1);
  }
  /// An execution did. `Base` is of the group's first member.
  GRAUPEL_HOT void again(uint64_t Base, uint64_t Now) {
    ++Times;
    SteadyTimes += Now - WarmUp;
    S->setRecent(Base + (Now - Iterations) * Step + Tail);
  }
  /// Takes back the latest again(), if the stream has not been referred to
  /// since; returns its base.
  uint64_t undo(uint64_t Now);
  /// Counts the whole execution of a group, and remembers it. False if it is
  /// not of the kind that can be remembered; nothing has been counted then.
  bool remember(const Counting &C, LoopGroup &G, uint64_t Iterations);
  /// Writes the counts of repeated executions to the shares.
  void flush(const Counting &C);

private:
  struct Entry {
    Share *Hist;
    uint64_t Tuple;
  };
  void note(const Counting &C, GroupMember &M, uint64_t Address,
            uint64_t Weight);
  void makeRoom(uint32_t NewEntries);

  Stream *S = nullptr;
  uint32_t EntryCount = 0, EntryRoom = 0;
  /// Number of entries that belong to the first iterations.
  uint32_t WarmUpEntries = 0;
  /// Number of iterations after which each counts the same.
  uint64_t WarmUp = 0;
  uint64_t Iterations = 0, Step = 0;
  /// Executions, and their iterations without the first ones.
  uint64_t Times = 0, SteadyTimes = 0;
  /// From the history to the group's first base; a mask of the lags in use.
  Eight Distances{}, Counted{};
  /// The history afterwards, from the group's first base.
  Eight Tail{};
  Entry *Entries = nullptr;
};

} // namespace graupel::stride

#endif
