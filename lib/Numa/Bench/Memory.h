//===- Numa/Bench/Memory.h - Memory that is measured ---------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_MEMORY_H
#define GRAUPEL_NUMA_BENCH_MEMORY_H

#include "Kernels.h"
#include <optional>
#include <string>
#include <vector>

namespace graupel::numa::bench {

/// Lines at random places, and a chain through all of them in random order.
class Chain {
public:
  /// `Count` lines of `Bytes` bytes from `Base` on, each in a block of its own.
  /// Blocks that are `SetBytes` apart have their lines at different places, so
  /// that sets of a cache, which repeat so, are filled evenly. The same in each
  /// run.
  void make(char *Base, size_t Bytes, size_t Count, size_t SetBytes);

  Lines lines() const { return {Base, Offsets.data(), Count}; }
  /// A part of them, as in lines(): the Nth of `Parts`. A walk of as many steps
  /// from its first line visits them.
  Lines part(size_t N, size_t Parts) const;
  size_t count() const { return Count; }

private:
  char *Base = nullptr;
  std::vector<uint32_t> Offsets; ///< In the order of the chain.
  size_t Count = 0;
};

/// Sizes of the parts of a node's memory.
struct Sizes {
  size_t Lines;     ///< Lines of the compact chain.
  size_t WideLines; ///< Lines of the wide one, in all its parts.
  size_t WideParts;
  size_t SetBytes;   ///< Sets of the private cache repeat after so many.
  size_t WideBytes;  ///< The range that the wide chain is spread over.
  size_t RangeBytes; ///< The range that several read and write as a whole.
  size_t AloneBytes; ///< A part of it, enough for one processor; two fit in.
};

/// Memory of one node: a chain that stays in a private cache, a wide one,
/// whose lines are far from each other, and a range.
class Memory {
public:
  Memory() = default;
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// Allocates on the node with the system's number `Node`; once. Returns an
  /// error, or nothing.
  std::optional<std::string> make(unsigned Node, const Sizes &);

  Chain Compact, Wide;
  char *Range = nullptr;
  size_t RangeBytes = 0;
  /// Pages of 4 KiB, and how many of them are on another node than wanted.
  size_t Pages = 0, Elsewhere = 0;
  /// Number of bytes in large pages.
  size_t LargeBytes = 0;

private:
  void verify(unsigned Node);

  char *Base = nullptr;
  size_t Bytes = 0;
};

} // namespace graupel::numa::bench

#endif
