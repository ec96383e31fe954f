//===- stride/Repeat.h - Loops that do again what they did -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a loop's members count depends on nothing but distances: among the
// members, and to the stream's history. Inner loops mostly find the same ones
// again (the next row), and then what they counted is counted once more.
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
  /// It did. `Base` is of the group's first member.
  GRAUPEL_HOT void again(uint64_t Base) {
    ++Times;
    S->setRecent(Base + Tail);
  }
  /// Counts the whole execution of a group, and remembers it. False if it is
  /// not of the kind that can be remembered; nothing has been counted then.
  bool remember(const Counting &C, LoopGroup &G, uint64_t Iterations);
  /// Writes what was repeated to the shares.
  void flush(const Counting &C);

private:
  struct Entry {
    Share *Of;
    uint64_t Tuple, Weight;
  };
  void note(const Counting &C, GroupMember &M, uint64_t Address,
            uint64_t Weight);
  void makeRoom(uint32_t NewEntries);

  Stream *S = nullptr;
  uint32_t EntryCount = 0, EntryRoom = 0;
  uint64_t Times = 0;
  /// From the history to the group's first base; which lags there are.
  Eight Distances{}, Counted{};
  /// The history afterwards, from the group's first base.
  Eight Tail{};
  Entry *Entries = nullptr;
};

} // namespace graupel::stride

#endif
