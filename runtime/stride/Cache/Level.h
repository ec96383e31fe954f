//===- Cache/Level.h - A level, and why lines are not in it ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A miss is compulsory if the line comes for the first time; a conflict, if a
// fully associative cache of the same capacity with LRU would have it; else it
// is for want of capacity. That cache stands beside the level, and is asked
// whatever the level is asked; of a large level a sample of the lines.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_LEVEL_H
#define GRAUPEL_STRIDE_CACHE_LEVEL_H

#include "LineMemory.h"
#include "Sets.h"

namespace graupel::stride {

enum class MissClass { Compulsory, Capacity, Conflict, Unknown };

struct Miss {
  MissClass Class;
  uint32_t Evictor; ///< For a conflict: the object, or NoNumber.
};

/// Counts a miss in its class.
inline void countMiss(LevelCounts &To, MissClass Class) {
  ++To.Misses;
  To.Compulsory += Class == MissClass::Compulsory;
  To.Capacity += Class == MissClass::Capacity;
  To.Conflict += Class == MissClass::Conflict;
}

/// Not thread-safe.
class Level {
public:
  explicit Level(const CacheLevelRecord &L);

  /// A reference of an object to one or more lines, as cachegrind counts it: it
  /// misses if one of them does. Whether it does, and why the first one.
  bool refer(uint64_t Address, uint32_t Bytes, uint32_t Object, Miss &Why);

private:
  bool isSampled(uint64_t Block) const {
    return (Block * 0xd6e8feb86659fd93 >> 40 & SampleMask) == 0;
  }
  Miss classify(uint64_t Block);
  bool use(uint64_t Block);

  Sets Lines;
  const unsigned Shift;
  const uint64_t SampleMask;
  Recency *Ideal = nullptr; ///< Null: the level itself is ideal.
  LineMemory Before;
};

} // namespace graupel::stride

#endif
