//===- Cache/BlockIndex.h - Lines by their numbers -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_BLOCKINDEX_H
#define GRAUPEL_STRIDE_CACHE_BLOCKINDEX_H

#include "Base/System.h"
#include <bit>

namespace graupel::stride {

/// A hash table of a bounded number of blocks. Not thread-safe.
class BlockIndex {
public:
  static constexpr uint32_t None = ~uint32_t(0);

  explicit BlockIndex(uint32_t Most)
      : Mask(std::bit_ceil(2 * uint64_t(Most)) - 1),
        Keys(static_cast<uint64_t *>(allocate((Mask + 1) * sizeof(uint64_t)))),
        Values(
            static_cast<uint32_t *>(allocate((Mask + 1) * sizeof(uint32_t)))) {}

  uint32_t find(uint64_t Block) const {
    for (uint64_t At = home(Block); Keys[At]; At = (At + 1) & Mask)
      if (Keys[At] == Block + 1)
        return Values[At];
    return None;
  }
  /// A block that is not there.
  void insert(uint64_t Block, uint32_t Value) {
    uint64_t At = home(Block);
    while (Keys[At])
      At = (At + 1) & Mask;
    Keys[At] = Block + 1;
    Values[At] = Value;
  }
  /// Removes a block that is there. Blocks that were displaced behind it move
  /// up.
  void remove(uint64_t Block) {
    uint64_t At = home(Block);
    while (Keys[At] != Block + 1)
      At = (At + 1) & Mask;
    for (uint64_t From = (At + 1) & Mask; Keys[From];
         From = (From + 1) & Mask) {
      uint64_t Home = home(Keys[From] - 1);
      if (((From - Home) & Mask) < ((From - At) & Mask))
        continue;
      Keys[At] = Keys[From];
      Values[At] = Values[From];
      At = From;
    }
    Keys[At] = 0;
  }

private:
  uint64_t home(uint64_t Block) const {
    return Block * 0x9e3779b97f4a7c15 >> 32 & Mask;
  }

  const uint64_t Mask;
  uint64_t *Keys; ///< 0: empty; else the block and 1.
  uint32_t *Values;
};

} // namespace graupel::stride

#endif
