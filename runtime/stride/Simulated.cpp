//===- stride/Simulated.cpp -----------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulated.h"
#include "HeapMap.h"
#include <bit>

namespace graupel::stride {

Simulated::Simulated(Caches &All, uint32_t Thread, uint64_t StackBegin,
                     uint64_t StackEnd, bool SomeObjects)
    : All(All), C(All, Thread, Facts, MaxSites, *this), W(*this),
      StackBegin(StackBegin), StackEnd(StackEnd), SomeObjects(SomeObjects),
      Latest(nanoseconds()) {}

void Simulated::drain(const uint64_t *Words, const uint64_t *Last) {
  if (Epoch != heap::epoch()) {
    Epoch = heap::epoch();
    C.forgetOwners();
  }
  C.begin(Latest, nanoseconds(), Words, Last);
  W.run(Words, Last);
  C.end();
  Latest = nanoseconds();
}

/// Most records are of one reference, and most of these change nothing.
const uint64_t *Simulated::plain(const uint64_t *Words, const uint64_t *Last,
                                 const NumberRange &Range) {
  if (SomeObjects)
    return Words;
  return C.filter().isUsual() ? plainOf<true>(Words, Last, Range)
                              : plainOf<false>(Words, Last, Range);
}

template <bool IsUsual>
__attribute__((noinline)) const uint64_t *
Simulated::plainOf(const uint64_t *Words, const uint64_t *Last,
                   const NumberRange &Range) {
  Core::Filter F = C.filter();
  F.Rooms += Range.First;
  const uint64_t Count = Range.Bytes / GRAUPEL_STRIDE_ENTRY_BYTES;
  constexpr int EntryBits = std::countr_zero(GRAUPEL_STRIDE_ENTRY_BYTES + 0u);
  for (; Words < Last; Words += 2) {
    // A tag makes the number a large one.
    const uint64_t Site = std::rotr(Words[0] - Range.Begin, EntryBits);
    if (__builtin_expect(Site >= Count, false))
      break;
    if (__builtin_expect(F.passes<IsUsual>(Site, Words[1]), true))
      continue;
    // Not selected, or not known yet.
    if (!F.Rooms[Site])
      break;
    C.advance(Words, Words + 2);
    C.count(Range.First + static_cast<uint32_t>(Site), Words[1]);
  }
  return Words;
}

Place Simulated::objectOf(uint32_t Site, uint64_t Address) const {
  return findObjectOf(Site, Address, StackBegin, StackEnd);
}

Owners::Owner Simulated::find(uint32_t Site, uint64_t Address) {
  Place P = objectOf(Site, Address);
  bool Whole =
      P.Obj->Kind == ObjectKind::Global || P.Obj->Kind == ObjectKind::Heap;
  return {enterObject(All.File, P.Obj), P.Begin, P.Bytes, Whole && P.Bytes};
}

// Objects that are not selected have had no last reference.
void Simulated::again(uint32_t Site, uint64_t Address, int64_t Step,
                      uint64_t Count) {
  if (!SomeObjects)
    return C.again(Site, Address, Step, Count);
  for (uint64_t N = 0; N < Count; ++N, Address += static_cast<uint64_t>(Step))
    refer(Site, Address);
}

} // namespace graupel::stride
