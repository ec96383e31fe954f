//===- Cache/Nearest.h - The first level -----------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first level sees every reference, so it is made for speed. It does the
// same as a Level (Level.h): lines, and beside them the ideal cache that tells
// conflict misses from capacity misses. Both have one order in time: a log of
// uses, in which an entry is valid if it is its line's latest. A use of a line
// that is in both is two stores. A line that has left the level and is still in
// the ideal cache is a ghost.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_NEAREST_H
#define GRAUPEL_STRIDE_CACHE_NEAREST_H

#include "BlockIndex.h"
#include "Hints.h"
#include "Level.h"

namespace graupel::stride {

/// A line of the first level, and its watched properties.
struct NearLine {
  uint64_t Tag; ///< 0: empty; else the block and 1.

  uint64_t Used;        ///< Parts.
  uint64_t Passing;     ///< See Core.
  CacheCounts *Bringer; ///< Null: not counted.
  uint32_t Number;
  uint32_t Reused;    ///< For a sampled line: its number in Reuse, or 0.
  uint32_t IsIdeal;   ///< 1: the ideal cache has it.
  uint32_t IsMissing; ///< 1: the ideal cache should have it, if it is used.
};

/// Not thread-safe.
class Nearest {
public:
  explicit Nearest(const CacheLevelRecord &L);

  /// Null if it is not there.
  NearLine *find(uint64_t Block) const {
    if (__builtin_expect(!Few, false))
      return findInLarge(Block);
    const uint64_t First = setOf(Block) * Ways;
    for (uint32_t Match = Few->matches(First, Block); Match; Match &= Match - 1)
      if (NearLine *L = Lines + First + __builtin_ctz(Match);
          L->Tag == Block + 1)
        return L;
    return nullptr;
  }
  void touch(NearLine &L) {
    if (L.IsMissing)
      idealize(L);
    note(L);
    if (isLogFull())
      compact();
  }
  /// The same for a line that is not missing, if the log is not full then.
  GRAUPEL_HOT void note(NearLine &L) {
    Times[L.Number] = Now;
    Log[Now & LogMask] = L.Number;
    ++Now;
  }
  GRAUPEL_HOT bool isLogFull() const { return Now + 1 >= LogEnd; }
  /// The class of the miss of a line that is not there. Called before victim()
  /// and put().
  Miss classify(uint64_t Block);
  /// The place for the line. Another line may be there.
  NearLine &victim(uint64_t Block);
  /// Puts the line there; an object's line evicts the other one.
  void put(NearLine &L, uint64_t Block, uint32_t Object);

  NearLine *begin() const { return Lines; }
  NearLine *end() const { return Lines + Count; }

private:
  struct Ghost {
    uint64_t Block;
    uint32_t NextFree;
  };

public:
  /// Sets, if their number is a power of two; else 0.
  uint32_t sets() const { return Mask + 1 == SetCount ? SetCount : 0; }
  uint64_t setOf(uint64_t Block) const {
    return Mask + 1 == SetCount ? Block & Mask : Block % SetCount;
  }

private:
  NearLine *findInLarge(uint64_t Block) const;
  void idealize(NearLine &L);
  void dropOldest();
  void haunt(NearLine &L);
  void lay(uint32_t Number);
  void compact();

  const uint32_t Count, Ways, SetCount;
  const unsigned SampleShift; ///< For the ideal cache.
  const uint32_t IdealMost;
  const uint64_t Mask; ///< For sets, if their number is a power of two.
  const Replacement Policy;
  Hints *Few = nullptr; ///< For sets with few ways.
  NearLine *Lines;
  BlockIndex *Index = nullptr; ///< For one set with many lines.
  uint32_t Used = 0;           ///< Number of lines in use.
  uint64_t LogMask, LogEnd, Oldest = 1, Now = 1;
  /// Numbers of lines; of ghosts from Count on. And by these numbers: the
  /// place in the log of the last use.
  uint32_t *Log;
  uint64_t *Times;
  struct Entry {
    uint64_t Time;
    uint32_t Number;
  } *Sorted; ///< Room to sort.
  Ghost *Ghosts;
  BlockIndex GhostIndex;
  uint32_t FreeGhost = 0, GhostCount = 0; ///< FreeGhost: 0, or one and 1.
  uint32_t IdealCount = 0, Dropped = 0;
  Random Chance;
  LineMemory Before;
};

} // namespace graupel::stride

#endif
