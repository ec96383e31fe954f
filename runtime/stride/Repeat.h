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
    const uint64_t *History = Now.history();
    uint64_t Different = 0;
    for (unsigned N = 0; N < Lags; ++N)
      Different |= (Base - History[N]) ^ Distances[N];
    return Different == 0;
  }
  /// It did. `Base` is of the group's first member.
  GRAUPEL_HOT void again(uint64_t Base) {
    ++Times;
    for (uint32_t N = 0; N < TailCount; ++N)
      S->push(Base + Tail[N]);
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
  void makeRoom(uint32_t Entries, uint32_t Addresses);

  Stream *S = nullptr;
  unsigned Lags = 0;
  uint32_t EntryCount = 0, TailCount = 0, EntryRoom = 0, TailRoom = 0;
  uint64_t Times = 0;
  uint64_t Distances[TupleLags] = {};
  Entry *Entries = nullptr;
  /// What enters the history last, from the group's first base.
  uint64_t *Tail = nullptr;
};

} // namespace graupel::stride

#endif
