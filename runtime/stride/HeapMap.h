//===- stride/HeapMap.h - Which block an address is in ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of pages. A page that is inside of one block knows the block; another
// one has an object for each 16 bytes. What was freed stays until something
// else is there. Readers take no lock.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_HEAPMAP_H
#define GRAUPEL_STRIDE_HEAPMAP_H

#include "Objects.h"

namespace graupel::stride::heap {

/// Whether someone else's block was there.
bool wasOthers(uint64_t Address, uint64_t Bytes, const Object *Of);
void insert(uint64_t Address, uint64_t Bytes, Object *Of);
/// A block that is alone on its pages and leaves them.
void remove(uint64_t Address);
/// `Of` is null if there is nothing; `Bytes` is not 0 for large blocks only.
Place find(uint64_t Address);
bool inOneObject(uint64_t Address, uint64_t Bytes, const Object *Of);
/// Changes when an interval that find() has told is not right any more.
uint64_t epoch();
/// For pages of no block.
void insertPage(uint64_t Address, Object *Of);

//===--- The table --------------------------------------------------------===//

inline constexpr unsigned PageBits = 12, LeafBits = 18, RootBits = 17;
inline constexpr uint64_t Page = 1 << PageBits;
inline constexpr unsigned Granule = 16, Granules = Page / Granule;

struct Pieces {
  std::atomic<Object *> Of[Granules];
};

/// What a page's entry is; its lowest bits.
enum : uintptr_t { IsPieces = 1, IsBlock = 2, IsPage = 3, Tag = 3 };

struct Leaf {
  std::atomic<uintptr_t> Pages[1 << LeafBits];
};

extern std::atomic<Leaf *> Root[1 << RootBits];

/// The object of a small block, or null: what find() would find, mostly.
GRAUPEL_HOT const Object *pieceAt(uint64_t Address) {
  uint64_t Top = Address >> (PageBits + LeafBits);
  const Leaf *L =
      Top >> RootBits ? nullptr : Root[Top].load(std::memory_order_acquire);
  if (!L)
    return nullptr;
  uintptr_t E = L->Pages[Address >> PageBits & ((1 << LeafBits) - 1)].load(
      std::memory_order_acquire);
  if ((E & Tag) != IsPieces)
    return nullptr;
  return reinterpret_cast<const Pieces *>(E - IsPieces)
      ->Of[Address % Page / Granule]
      .load(std::memory_order_relaxed);
}

} // namespace graupel::stride::heap

#endif
