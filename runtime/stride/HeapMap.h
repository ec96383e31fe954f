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
#include <atomic>

namespace graupel::stride::heap {

inline constexpr unsigned PageBits = 12, LeafBits = 18, RootBits = 17;
inline constexpr uint64_t Page = 1 << PageBits;
inline constexpr unsigned Granule = 16, Granules = Page / Granule;

/// A page of several blocks: Object::Index of each granule, 0 for none.
struct Pieces {
  std::atomic<uint32_t> Of[Granules];
};

/// What a page's entry is; its lowest bits.
enum : uintptr_t { IsPieces = 1, IsBlock = 2, IsPage = 3, Tag = 3 };

struct Leaf {
  std::atomic<uintptr_t> Pages[1 << LeafBits];
};

extern std::atomic<Leaf *> Root[1 << RootBits];

/// Object::Index of what is there, on a page of several blocks; 0 elsewhere.
/// The fast part of find(): most objects of most programs are small.
GRAUPEL_HOT uint32_t pieceAt(uint64_t Address) {
  uint64_t Top = Address >> (PageBits + LeafBits);
  if (__builtin_expect(Top >> RootBits, false))
    return 0;
  Leaf *L = Root[Top].load(std::memory_order_acquire);
  if (__builtin_expect(!L, false))
    return 0;
  uintptr_t E = L->Pages[Address >> PageBits & ((1 << LeafBits) - 1)].load(
      std::memory_order_acquire);
  if (__builtin_expect((E & Tag) != IsPieces, false))
    return 0;
  auto *P = reinterpret_cast<Pieces *>(E - IsPieces);
  return P->Of[Address % Page / Granule].load(std::memory_order_relaxed);
}

/// Whether someone else's block was there.
bool wasOthers(uint64_t Address, uint64_t Bytes, const Object *Of);
void insert(uint64_t Address, uint64_t Bytes, Object *Of);
/// A block that is alone on its pages and leaves them.
void remove(uint64_t Address);
/// Pages that are used for something else now.
void forget(uint64_t Address, uint64_t Bytes);
/// `Of` is null if there is nothing; `Bytes` is not 0 for large blocks only.
Place find(uint64_t Address);
bool inOneObject(uint64_t Address, uint64_t Bytes, const Object *Of);
/// Changes when an interval that find() has told is not right any more.
uint64_t epoch();
/// For pages of no block.
void insertPage(uint64_t Address, Object *Of);

} // namespace graupel::stride::heap

#endif
