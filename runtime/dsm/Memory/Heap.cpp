//===- Heap.cpp - Shared memory divided into allocations --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/Heap.h"
#include "Base/Layout.h"
#include <iterator>

namespace graupel::dsm {

/// First fit, if possible Offset bytes behind the beginning of a page.
uintptr_t Heap::takeFrom(std::map<uintptr_t, size_t> &Pieces, size_t Size,
                         size_t Offset) {
  for (auto I = Pieces.begin(); I != Pieces.end(); ++I) {
    auto [Start, Bytes] = *I;
    // None is better than another run of chunks.
    size_t Skip = Offset == NoOffset ? 0 : (Offset - Start) % PageBytes;
    if (Bytes < Size + Skip)
      Skip = 0;
    if (Bytes < Size)
      continue;
    auto Next = Pieces.erase(I);
    if (Bytes > Skip + Size)
      Next =
          Pieces.emplace_hint(Next, Start + Skip + Size, Bytes - Skip - Size);
    if (Skip)
      Pieces.emplace_hint(Next, Start, Skip);
    return Start + Skip;
  }
  return 0;
}

/// Where in a page the next large allocation should begin, so that arrays which
/// a loop uses together do not: equal low bits of addresses make loads wait for
/// stores that have nothing to do with them.
size_t Heap::nextOffset(uint32_t Block, int Home) {
  // Elsewhere pages have homes of their own; programs divide arrays by them.
  if (Home < 0)
    return NoOffset;
  constexpr size_t Apart = 5 * 128;
  size_t Offset = Color++ * Apart % PageBytes;
  return Offset & -size_t(Block);
}

Heap::Piece Heap::allocate(size_t Size, uint32_t Block, int Home) {
  std::lock_guard Guard(Mutex);
  Arena &A = Arenas[{Block, Home}];
  uintptr_t Address = 0;
  if (auto Small = A.FreedSmall.find(Size);
      Small != A.FreedSmall.end() && !Small->second.empty()) {
    Address = Small->second.back();
    Small->second.pop_back();
  }
  if (!Address)
    Address = takeFrom(A.Freed, Size, NoOffset);
  bool Used = Address != 0;
  if (!Address)
    Address = takeFrom(A.Fresh, Size,
                       Size >= SmallBytes ? nextOffset(Block, Home) : NoOffset);
  if (Address)
    Allocated.emplace(Address, Size);
  return {Address, Used};
}

void Heap::add(uintptr_t Start, size_t Bytes, uint32_t Block, int Home) {
  std::lock_guard Guard(Mutex);
  Arenas[{Block, Home}].Fresh.emplace(Start, Bytes);
}

Heap::Extent Heap::lastBefore(uintptr_t Address) {
  std::unique_lock Guard(Mutex, std::try_to_lock);
  return Guard.owns_lock() ? lastBeforeLocked(Address) : Extent{0, 0};
}

Heap::Extent Heap::lastBeforeLocked(uintptr_t Address) const {
  auto Next = Allocated.upper_bound(Address);
  if (Next == Allocated.begin())
    return {0, 0};
  auto [Start, Bytes] = *std::prev(Next);
  return {Start, Bytes};
}

Heap::Extent Heap::around(uintptr_t Address) {
  std::lock_guard Guard(Mutex);
  Extent E = lastBeforeLocked(Address);
  return Address - E.Start < E.Bytes ? E : Extent{0, 0};
}

size_t Heap::free(uintptr_t Address, uint32_t Block, int Home) {
  std::lock_guard Guard(Mutex);
  auto Found = Allocated.find(Address);
  if (Found == Allocated.end())
    return 0;
  size_t Size = Found->second, Bytes = Size;
  Allocated.erase(Found);
  Arena &A = Arenas[{Block, Home}];
  if (Size <= SmallBytes) {
    A.FreedSmall[Size].push_back(Address);
    return Size;
  }
  // Merge with what is free on both sides.
  auto Next = A.Freed.lower_bound(Address);
  if (Next != A.Freed.end() && Next->first == Address + Bytes) {
    Bytes += Next->second;
    Next = A.Freed.erase(Next);
  }
  if (Next != A.Freed.begin()) {
    auto Before = std::prev(Next);
    if (Before->first + Before->second == Address) {
      Before->second += Bytes;
      return Size;
    }
  }
  A.Freed.emplace_hint(Next, Address, Bytes);
  return Size;
}

} // namespace graupel::dsm
