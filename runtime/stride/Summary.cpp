//===- stride/Summary.cpp -------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Summary.h"

namespace graupel::stride {

void LoopGroup::countNext(const Counting &C) {
  GroupMember &M = Members[Next];
  uint64_t Address = M.at(Iteration);
  M.Hist->count(C, *S, Address);
  S->push(Address);
  if (++Next == Count) {
    Next = 0;
    ++Iteration;
  }
}

// Counts whole iterations. If all members advance by the same step, distances
// to the loop's own earlier references do not depend on the iteration. So all
// iterations are equal from the first one whose history is only of the loop.
void LoopGroup::countIterations(const Counting &C, uint64_t To) {
  uint64_t WarmUp = (C.MaxLag + Count - 1) / Count;
  if (!SameStep || To - Iteration <= WarmUp + 1) {
    while (Iteration < To)
      countNext(C);
    return;
  }
  for (uint64_t End = Iteration + WarmUp; Iteration < End;)
    countNext(C);
  uint64_t Weight = To - Iteration;
  for (uint32_t N = 0; N < Count; ++N) {
    uint64_t Address = Members[N].at(Iteration);
    Members[N].Hist->count(C, *S, Address, Weight);
    S->push(Address);
  }
  uint64_t Last = To - WarmUp;
  for (Iteration = Last > Iteration + 1 ? Last : Iteration + 1; Iteration < To;
       ++Iteration)
    for (uint32_t N = 0; N < Count; ++N)
      S->push(Members[N].at(Iteration));
}

void LoopGroup::advance(const Counting &C, uint64_t To, uint32_t Order) {
  while (Next != 0 &&
         (Iteration < To || (Iteration == To && Members[Next].Order < Order)))
    countNext(C);
  if (Next == 0 && Iteration < To)
    countIterations(C, To);
  while (Iteration == To && Members[Next].Order < Order)
    countNext(C);
}

} // namespace graupel::stride
