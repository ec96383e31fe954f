//===- Cache/Reuse.cpp ----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reuse.h"
#include <cstring>

namespace graupel::stride {

Reuse::Reuse(unsigned Shift) : Shift(Shift) {
  Times.push(0); // Number 0 is none.
  renumber();
}

uint32_t Reuse::numberOf(uint64_t Block) const {
  Known *Found = Numbers.find(Block);
  return Found ? Found->Number : 0;
}

uint32_t Reuse::add(uint64_t Block) {
  if (Now == Size)
    renumber();
  auto Number = static_cast<uint32_t>(Times.size());
  Numbers.insert(Block, make<Known>(Number));
  Times.push(Now);
  Owners[Now] = Number;
  mark(Now++, 1);
  ++Count;
  return Number;
}

void Reuse::mark(uint32_t Time, uint32_t Change) {
  for (; Time <= Size; Time += Time & -Time)
    Sums[Time] += Change;
}

uint32_t Reuse::move(uint32_t Number) {
  if (Now == Size)
    renumber();
  uint32_t Before = 0;
  for (uint32_t At = Times[Number]; At; At &= At - 1)
    Before += Sums[At];
  mark(Times[Number], ~uint32_t(0));
  Times[Number] = Now;
  Owners[Now] = Number;
  mark(Now++, 1);
  return Count - Before;
}

// Times are used up: lines get new ones in their order, from 1.
void Reuse::renumber() {
  uint32_t *OldOwners = Owners, OldNow = Now;
  if (Size < 4 * (Count + 1024)) {
    Size = Size ? 2 * Size : 8192;
    Owners = static_cast<uint32_t *>(allocate((Size + 1) * sizeof(uint32_t)));
    Sums = static_cast<uint32_t *>(allocate((Size + 1) * sizeof(uint32_t)));
  } else {
    memset(Sums, 0, (Size + 1) * sizeof(uint32_t));
  }
  Now = 1;
  for (uint32_t Time = 1; Time < OldNow; ++Time) {
    uint32_t Number = OldOwners[Time];
    if (Times[Number] != Time)
      continue;
    Times[Number] = Now;
    Owners[Now++] = Number;
  }
  // Each sum goes into the one above it.
  for (uint32_t Time = 1; Time < Now; ++Time)
    Sums[Time] += 1;
  for (uint32_t Time = 1; Time <= Size; ++Time)
    if (uint32_t Above = Time + (Time & -Time); Above <= Size)
      Sums[Above] += Sums[Time];
}

} // namespace graupel::stride
