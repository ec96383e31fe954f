//===- stride/Terms.cpp ---------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates the terms of a nest, and tells how long they stay affine.
//
// 1. value computes a term from its operands, once for the current iterations,
//    and cuts it to its bits.
// 2. While conditions are recorded, number, divide, compare and fix write down
//    the range that a value must not leave.
// 3. reach compares the conditions of two steps that follow each other. If they
//    are alike, it tells for how many more such steps all values stay in their
//    ranges. A value that advances by a multiple of its divisor has the wide
//    range, another one the near range.
// 4. repeat writes down the conditions as they will be after so many more
//    steps.
//
//===----------------------------------------------------------------------===//

#include "Terms.h"
#include <algorithm>

namespace graupel::stride {

static constexpr int64_t Least = INT64_MIN, Greatest = INT64_MAX;

NestTerms::NestTerms()
    : Values(static_cast<uint64_t *>(
          reserve(GRAUPEL_STRIDE_NEST_TERMS * sizeof(uint64_t)))),
      When(static_cast<uint64_t *>(
          reserve(GRAUPEL_STRIDE_NEST_TERMS * sizeof(uint64_t)))),
      Conditions(static_cast<Condition *>(reserve(Most * sizeof(Condition)))) {}

void NestTerms::begin(const NestShape &NewShape, const uint64_t *Record) {
  Shape = &NewShape;
  Words = Record;
  ++Now;
  IsRecording = false;
}

uint64_t NestTerms::value(uint32_t Term) {
  if (When[Term] == Now)
    return Values[Term];
  const graupel_stride_term &T = Shape->Terms[Term];
  const uint64_t Value = compute(T) & (~uint64_t(0) >> (64 - T.bits));
  When[Term] = Now;
  return Values[Term] = Value;
}

uint64_t NestTerms::compute(const graupel_stride_term &T) {
  switch (T.kind) {
  case GRAUPEL_STRIDE_TERM_CONSTANT:
    return static_cast<uint64_t>(T.value);
  case GRAUPEL_STRIDE_TERM_WORD:
    return Words[Shape->TermWords + T.a];
  case GRAUPEL_STRIDE_TERM_ITERATION:
    return Iterations[T.a];
  case GRAUPEL_STRIDE_TERM_ADD:
    return value(T.a) + value(T.b);
  case GRAUPEL_STRIDE_TERM_MULTIPLY: {
    const uint64_t Product = value(T.a) * value(T.b);
    if (changes(T.a) && changes(T.b)) {
      fix(T.a);
      fix(T.b);
    }
    return Product;
  }
  case GRAUPEL_STRIDE_TERM_DIVIDE:
    return divide(T);
  case GRAUPEL_STRIDE_TERM_TRUNCATE:
    return value(T.a);
  case GRAUPEL_STRIDE_TERM_ZERO_EXTEND:
    return static_cast<uint64_t>(number(T.a, T.b, false));
  case GRAUPEL_STRIDE_TERM_SIGN_EXTEND:
    return static_cast<uint64_t>(number(T.a, T.b, true));
  case GRAUPEL_STRIDE_TERM_EQUAL:
  case GRAUPEL_STRIDE_TERM_LESS:
  case GRAUPEL_STRIDE_TERM_LESS_SIGNED:
    return compare(T);
  case GRAUPEL_STRIDE_TERM_NOT:
    return !truth(T.a);
  case GRAUPEL_STRIDE_TERM_AND:
    return truth(T.a) && truth(T.b);
  case GRAUPEL_STRIDE_TERM_OR:
    return truth(T.a) || truth(T.b);
  case GRAUPEL_STRIDE_TERM_SELECT:
    return truth(T.a) ? value(T.b) : value(T.c);
  }
  return 0;
}

/// The conditions of a comparison fix its result, but not a single bit of
/// another value.
bool NestTerms::truth(uint32_t Term) {
  const uint8_t Kind = Shape->Terms[Term].kind;
  if (Kind < GRAUPEL_STRIDE_TERM_EQUAL || Kind == GRAUPEL_STRIDE_TERM_SELECT)
    fix(Term);
  return value(Term);
}

int64_t NestTerms::number(uint32_t Term, unsigned Bits, bool Signed) {
  const unsigned Above = 64 - Bits;
  const uint64_t V = value(Term);
  const auto Number = Signed ? static_cast<int64_t>(V << Above) >> Above
                             : static_cast<int64_t>(V);
  if (!IsRecording || !changes(Term))
    return Number;
  Condition New{Number, 0, 0, 0, 0, 1, Term};
  if (Signed) {
    New.Low = Least >> Above;
    New.High = Greatest >> Above;
  } else if (Bits < 64) {
    New.High = static_cast<int64_t>(~uint64_t(0) >> Above);
  } else {
    // One half of all numbers.
    New.Low = Number < 0 ? Least : 0;
    New.High = Number < 0 ? -1 : Greatest;
  }
  require(New);
  return Number;
}

uint64_t NestTerms::divide(const graupel_stride_term &T) {
  const uint64_t Divisor = std::max<uint64_t>(value(T.b), 1),
                 Dividend = value(T.a);
  if (!IsRecording || !changes(T.a))
    return Dividend / Divisor;
  const auto Number = number(T.a, T.bits, false);
  const auto From = static_cast<int64_t>(Dividend / Divisor * Divisor);
  if (Number < 0)
    require({Number, Least, -1, Number, Number, Divisor, T.a});
  else
    require({Number, 0, Greatest, From,
             From + static_cast<int64_t>(std::min<uint64_t>(
                        Divisor - 1, uint64_t(Greatest - From))),
             Divisor, T.a});
  return Dividend / Divisor;
}

bool NestTerms::compare(const graupel_stride_term &T) {
  const bool Signed = T.kind == GRAUPEL_STRIDE_TERM_LESS_SIGNED;
  const int64_t A = number(T.a, T.c, Signed), B = number(T.b, T.c, Signed);
  const bool Equal = A == B;
  // As unsigned 64-bit numbers, negative ones are large.
  const bool IsLess = Signed || (A < 0) == (B < 0) ? A < B : B < 0;
  const bool Result = T.kind == GRAUPEL_STRIDE_TERM_EQUAL ? Equal : IsLess;
  if (!IsRecording || (!changes(T.a) && !changes(T.b)))
    return Result;
  int64_t Difference;
  if (__builtin_sub_overflow(A, B, &Difference)) {
    fix(T.a);
    fix(T.b);
    return Result;
  }
  Condition New{Difference, 0, 0, 0, 0, 1, T.a};
  if (T.kind == GRAUPEL_STRIDE_TERM_EQUAL) {
    New.Low = Equal ? 0 : Difference < 0 ? Least : 1;
    New.High = Equal ? 0 : Difference < 0 ? -1 : Greatest;
  } else {
    New.Low = Difference < 0 ? Least : 0;
    New.High = Difference < 0 ? -1 : Greatest;
  }
  require(New);
  return Result;
}

/// Requires that the term does not change at all.
void NestTerms::fix(uint32_t Term) {
  const auto V = static_cast<int64_t>(value(Term));
  if (IsRecording && changes(Term))
    require({V, V, V, V, V, 1, Term});
}

void NestTerms::require(const Condition &New) {
  if (Count == Most)
    IsFull = true;
  else
    Conditions[Count++] = New;
}

void NestTerms::require(uint32_t Origin, uint64_t Value, uint64_t Low,
                        uint64_t High) {
  if (IsRecording)
    require({static_cast<int64_t>(Value), static_cast<int64_t>(Low),
             static_cast<int64_t>(High), 0, 0, 1,
             GRAUPEL_STRIDE_NEST_TERMS + Origin});
}

uint64_t NestTerms::reach(uint32_t Begin, uint32_t Second) const {
  if (IsFull || Count - Second != Second - Begin)
    return 0;
  uint64_t Reach = Unlimited;
  for (uint32_t N = Begin; N < Second; ++N) {
    const Condition &A = Conditions[N], &B = Conditions[N - Begin + Second];
    if (A.Origin != B.Origin || A.Low != B.Low || A.High != B.High)
      return 0;
    int64_t Step;
    if (__builtin_sub_overflow(B.Value, A.Value, &Step) || Step == Least)
      return 0;
    if (!Step)
      continue;
    const bool IsFar = Step % static_cast<int64_t>(B.Divisor) == 0;
    const int64_t Low = IsFar ? B.Low : B.NearLow;
    const int64_t High = IsFar ? B.High : B.NearHigh;
    // A bound that is too far away for a 64-bit difference is not reached.
    const uint64_t Room =
        Step > 0 ? static_cast<uint64_t>(High) - static_cast<uint64_t>(B.Value)
                 : static_cast<uint64_t>(B.Value) - static_cast<uint64_t>(Low);
    Reach =
        std::min(Reach, Room / static_cast<uint64_t>(Step < 0 ? -Step : Step));
  }
  return Reach;
}

void NestTerms::repeat(uint32_t Begin, uint32_t Second, uint64_t Later) {
  const uint32_t End = Count;
  for (uint32_t N = Second; N < End; ++N) {
    Condition Far = Conditions[N];
    const int64_t Step = Far.Value - Conditions[N - Second + Begin].Value;
    const auto By = static_cast<int64_t>(static_cast<uint64_t>(Step) * Later);
    Far.Value += By;
    if (Far.Divisor > 1 && Step % static_cast<int64_t>(Far.Divisor) == 0) {
      // Rounded down to a multiple.
      Far.NearLow += By;
      Far.NearHigh += By;
    } else if (Far.Divisor > 1 && Step) {
      // All of them are between the same multiples, so must they be elsewhere.
      for (Condition *C :
           {&Conditions[N - Second + Begin], &Conditions[N], &Far}) {
        C->Low = C->NearLow;
        C->High = C->NearHigh;
        C->Divisor = 1;
      }
    }
    require(Far);
  }
}

} // namespace graupel::stride
