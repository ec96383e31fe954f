//===- Heap.h - Shared memory divided into allocations ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The allocator of one node's gdsm_alloc and gdsm_free between two runs of
// chunks. Pieces are whole blocks, so no two allocations share one. Knows
// nothing of other nodes; does not touch the memory it divides. Any thread may
// call.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_MEMORY_HEAP_H
#define GRAUPEL_DSM_MEMORY_HEAP_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace graupel::dsm {

class Heap {
public:
  struct Piece {
    uintptr_t Address; ///< 0: none; give it a run of chunks and ask again.
    bool Used;         ///< Was freed before, so it may hold anything.
  };

  /// `Size` is at least 1 and a multiple of `Block`.
  Piece allocate(size_t Size, uint32_t Block, int Home);

  /// Fresh memory for allocations of this kind.
  void add(uintptr_t Start, size_t Bytes, uint32_t Block, int Home);

  /// The size of the allocation that starts here and was freed by this, or 0 if
  /// there is none.
  size_t free(uintptr_t Address, uint32_t Block, int Home);

  struct Extent {
    uintptr_t Start; ///< 0: there is none.
    size_t Bytes;
  };
  /// The allocation that contains an address.
  Extent around(uintptr_t Address);
  /// The allocation that starts last at or before an address. None if another
  /// thread is busy here, so that handlers of signals may ask.
  Extent lastBefore(uintptr_t Address);

private:
  /// Pieces up to this size are kept by size when they are freed, and not
  /// merged.
  static constexpr size_t SmallBytes = 4096;

  struct Arena {
    std::map<uintptr_t, size_t> Fresh, Freed;
    std::unordered_map<size_t, std::vector<uintptr_t>> FreedSmall;
  };
  /// Anywhere in a page.
  static constexpr size_t NoOffset = ~size_t(0);
  static uintptr_t takeFrom(std::map<uintptr_t, size_t> &, size_t Size,
                            size_t Offset);
  Extent lastBeforeLocked(uintptr_t Address) const;
  size_t nextOffset(uint32_t Block, int Home);

  std::mutex Mutex;
  std::map<std::pair<uint32_t, int>, Arena> Arenas;
  std::map<uintptr_t, size_t> Allocated;
  size_t Color = 0;
};

} // namespace graupel::dsm

#endif
