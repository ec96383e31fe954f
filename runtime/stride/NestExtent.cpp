//===- stride/NestExtent.cpp ----------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestExtent.h"
#include <algorithm>

namespace graupel::stride {

NestExtent::NestExtent()
    : Extents(static_cast<Extent *>(
          reserve(GRAUPEL_STRIDE_NEST_ITEMS * sizeof(Extent)))),
      First(
          static_cast<Sum *>(reserve(GRAUPEL_STRIDE_NEST_ITEMS * sizeof(Sum)))),
      Second(static_cast<Sum *>(
          reserve(GRAUPEL_STRIDE_NEST_ITEMS * sizeof(Sum)))) {}

const NestExtent::Extent *NestExtent::run(const NestShape &NewShape,
                                          const uint64_t *Record,
                                          const int64_t *NewSteps,
                                          NestTerms &NewTerms) {
  Shape = &NewShape;
  Words = Record;
  Steps = NewSteps;
  Terms = &NewTerms;
  for (uint32_t N = 0; N < Shape->ItemCount; ++N)
    Extents[N] = {0, 0, ~uint64_t(0), 0, 0, 0};
  enter(0, 1);
  return Extents;
}

void NestExtent::refer(uint32_t Item, uint64_t Times) {
  const NestItem &I = Shape->Items[Item];
  Extent &E = Extents[Item];
  uint64_t Low = Words[I.Word] + I.Offset + Terms->addendOf(I), High = Low;
  for (unsigned Level = 0; Level < I.Level; ++Level) {
    const auto Step = static_cast<uint64_t>(Steps[I.Step + Level]);
    const bool IsDown = Steps[I.Step + Level] < 0;
    Low += Step * (IsDown ? To : From)[Level];
    High += Step * (IsDown ? From : To)[Level];
  }
  E.Low = E.Executions ? std::min(E.Low, Low) : Low;
  E.High = E.Executions ? std::max(E.High, High) : High;
  E.Executions += Times;
}

void NestExtent::body(uint32_t Loop, uint64_t Times) {
  for (uint32_t N = Loop + 1; N < Shape->Items[Loop].End;
       N = Shape->Items[N].End)
    if (Shape->Items[N].refers())
      refer(N, Times);
    else
      enter(N, Times);
}

void NestExtent::enter(uint32_t Item, uint64_t Times) {
  const NestItem &L = Shape->Items[Item];
  const uint64_t Iterations = Terms->iterationsOf(L);
  if (L.Term)
    Terms->require(Item, Iterations, Iterations ? 1 : 0,
                   Iterations ? NestTerms::Unlimited : 0);
  if (!Iterations)
    return;
  Extent &E = Extents[Item];
  E.Executions += Times;
  E.Iterations += Times * Iterations;
  E.Least = std::min(E.Least, Iterations);
  E.Most = std::max(E.Most, Iterations);
  if (L.Varies)
    return varyingLoop(Item, Iterations, Times);
  From[L.Level] = 0;
  To[L.Level] = Iterations - 1;
  body(Item, Times * Iterations);
}

void NestExtent::iterate(uint32_t Loop, uint64_t Begin, uint64_t End,
                         uint64_t Times) {
  const unsigned Level = Shape->Items[Loop].Level;
  for (uint64_t I = Begin; I < End; ++I) {
    From[Level] = To[Level] = I;
    Terms->setIteration(Level, I);
    body(Loop, Times);
  }
}

/// Sums up the periods between the last two and the next one to be executed:
/// all counts advance as in the last two. Returns the number of periods.
uint64_t NestExtent::between(uint32_t Loop, uint32_t Begin, uint32_t Middle,
                             uint64_t Left) {
  const uint64_t Reach = std::min(Terms->reach(Begin, Middle), Left);
  if (Reach < 2)
    return 0;
  const uint64_t Count = Reach - 1;
  const uint64_t Sums = sumTo(Count);
  for (uint32_t N = Loop + 1; N < Shape->Items[Loop].End; ++N) {
    const Sum &A = First[N], &B = Second[N];
    Extents[N].Executions +=
        B.Executions * Count + (B.Executions - A.Executions) * Sums;
    Extents[N].Iterations +=
        B.Iterations * Count + (B.Iterations - A.Iterations) * Sums;
  }
  return Count;
}

void NestExtent::varyingLoop(uint32_t Loop, uint64_t Iterations,
                             uint64_t Times) {
  const NestItem &L = Shape->Items[Loop];
  const uint64_t Period = Shape->Period;
  if (!L.IsSimple || Iterations < 4 * Period)
    return iterate(Loop, 0, Iterations, Times);
  Terms->record(true);
  uint32_t Begin = 0, Middle = 0;
  unsigned Known = 0;
  for (uint64_t I = 0; I < Iterations;) {
    if (Known == 2)
      if (uint64_t Count =
              between(Loop, Begin, Middle, (Iterations - I) / Period)) {
        I += Count * Period;
        Known = 0;
      }
    if (Known == 0 || Terms->isFull()) {
      Terms->truncate();
      Middle = Known = 0;
    }
    std::swap(First, Second);
    for (uint32_t N = Loop + 1; N < L.End; ++N)
      Second[N] = {Extents[N].Executions, Extents[N].Iterations};
    Begin = Middle;
    Middle = Terms->count();
    const uint64_t End = std::min(I + Period, Iterations);
    iterate(Loop, I, End, Times);
    I = End;
    for (uint32_t N = Loop + 1; N < L.End; ++N)
      Second[N] = {Extents[N].Executions - Second[N].Executions,
                   Extents[N].Iterations - Second[N].Iterations};
    Known = std::min(Known + 1, 2u);
  }
  Terms->record(false);
}

} // namespace graupel::stride
