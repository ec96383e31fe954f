//===- stride/HeapMap.h - Which block an address is in ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of pages. A page that is inside of one block knows the block; of
// another one, the numbers of the objects of each 16 bytes stand in memory of
// their own, at an address that follows from theirs. What was freed stays until
// something else is there. Readers take no lock.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_HEAPMAP_H
#define GRAUPEL_STRIDE_HEAPMAP_H

#include "Objects.h"
#include <iterator>

namespace graupel::stride::heap {

inline constexpr unsigned PageBits = 12;
inline constexpr uint64_t Page = 1 << PageBits;

/// Whether someone else's block was there.
bool wasOthers(uint64_t Address, uint64_t Bytes, const Object *Of);
void insert(uint64_t Address, uint64_t Bytes, Object *Of);
/// A block that is alone on its pages and leaves them.
void remove(uint64_t Address);
/// Pages that are used for something else now.
void forget(uint64_t Address, uint64_t Bytes);
/// `Of` is null if there is nothing. `Bytes` is not 0 for large blocks only; of
/// a small one `Begin` is the number of its object.
Place find(uint64_t Address);
bool inOneObject(uint64_t Address, uint64_t Bytes, const Object *Of);
/// Changes when an interval that find() has told is not right any more.
uint64_t epoch();
/// For pages of no block.
void insertPage(uint64_t Address, Object *Of);

//===--- Small blocks -----------------------------------------------------===//

inline constexpr unsigned GranuleBits = 4, WindowBits = 32;
/// So many objects of the heap have numbers, from 1.
inline constexpr uint32_t MaxNumbers = 1 << 22;

/// Of 4 GiB of addresses; takes memory where it is touched.
struct Window {
  std::atomic<uint32_t> Number[1 << (WindowBits - GranuleBits)];
};

/// By number; what is there does not change.
extern std::atomic<Object *> *Objects;
GRAUPEL_HOT Object *objectOf(uint32_t Number) {
  return Objects[Number].load(std::memory_order_acquire);
}

extern std::atomic<Window *> Windows[1 << (47 - WindowBits)];

/// The number of the object that a small block at the address belongs to, or 0.
GRAUPEL_HOT uint32_t numberAt(uint64_t Address) {
  uint64_t Top = Address >> WindowBits;
  if (Top >= std::size(Windows))
    return 0;
  const Window *W = Windows[Top].load(std::memory_order_acquire);
  return W ? W->Number[static_cast<uint32_t>(Address) >> GranuleBits].load(
                 std::memory_order_relaxed)
           : 0;
}

} // namespace graupel::stride::heap

namespace graupel::stride {

/// Held over a fork.
void lockHeapMap(bool Take);

} // namespace graupel::stride

#endif
