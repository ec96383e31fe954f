//===- stride/HeapMap.h - Blocks of the heap by address ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of pages. A page that is inside of one block knows the block. For
// other pages, the numbers of the objects of each 16 bytes are in memory of
// their own, at an address that follows from theirs. Freed blocks stay until
// their addresses are reused. Readers take no lock.
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
bool wasOthers(uint64_t Address, uint64_t Bytes, const Object *Obj);
void insert(uint64_t Address, uint64_t Bytes, Object *Obj);
/// A block that is alone on its pages and leaves them.
void remove(uint64_t Address);
/// Pages that are used for something else now.
void forget(uint64_t Address, uint64_t Bytes);
/// `Obj` is null if there is nothing. `Bytes` is not 0 for large blocks only;
/// for a small one `Begin` is the number of its object.
Place find(uint64_t Address);
bool inOneObject(uint64_t Address, uint64_t Bytes, const Object *Obj);
/// Changes when an interval that find() has told is not right any more.
uint64_t epoch();
/// For pages of no block.
void insertPage(uint64_t Address, Object *Obj);

//===--- Small blocks -----------------------------------------------------===//

inline constexpr unsigned GranuleBits = 4, WindowBits = 32;
/// Limit of the numbers of heap objects, which start at 1.
inline constexpr uint32_t MaxNumbers = 1 << 22;

/// Object numbers for 4 GiB of addresses; takes memory where it is touched.
struct Window {
  std::atomic<uint32_t> Number[1 << (WindowBits - GranuleBits)];
};

/// By number; entries do not change once they are set.
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
