//===- Cache/Recency.h - One set of many lines -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The most recently used lines: a fully associative cache with LRU, or one that
// replaces any. Lines are found by hashing. Each use is written into a log; the
// oldest entry of the log that is still its line's latest is the least recently
// used line. So a use is two stores, however many lines there are.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_RECENCY_H
#define GRAUPEL_STRIDE_CACHE_RECENCY_H

#include "BlockIndex.h"
#include "Random.h"
#include "graupel/stride_caches.h"

namespace graupel::stride {

/// Not thread-safe. Memory is taken as lines come.
class Recency {
public:
  static constexpr uint32_t None = BlockIndex::None;
  static constexpr uint64_t NoBlock = ~uint64_t(0);

  Recency(uint32_t Lines, Replacement Policy);

  /// The node of a line, or None.
  uint32_t find(uint64_t Block) const { return Index.find(Block); }
  uint64_t blockAt(uint32_t Node) const { return Blocks[Node]; }
  /// The line is the latest.
  void touch(uint32_t Node) {
    if (Policy != Replacement::LRU || Log[Next - 1] == Node)
      return;
    note(Node);
  }
  /// The node for the next new line. Its old line stays until put().
  uint32_t victim();
  /// Puts a line that is not there at the node from victim().
  void put(uint32_t Node, uint64_t Block);

private:
  void note(uint32_t Node) {
    Places[Node] = Next;
    Log[Next] = Node;
    if (++Next == LogSize)
      compact();
  }
  void compact();

  uint32_t Lines, Used = 0, LogSize;
  /// In the log: the oldest entry, and the place of the next one.
  uint32_t Oldest = 1, Next = 1;
  Replacement Policy;
  Random Chance;
  uint64_t *Blocks;
  uint32_t *Places; ///< By node: the place in the log of the latest use.
  uint32_t *Log;
  BlockIndex Index;
};

} // namespace graupel::stride

#endif
