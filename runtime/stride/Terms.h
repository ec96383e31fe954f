//===- stride/Terms.h - Values that change in a nest ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a nest's terms (graupel_stride_term): numbers of iterations of
// inner loops and where they begin, by the iterations of outer ones.
//
// A term is affine in iterations as long as some other values stay in their
// ranges: a dividend below the next multiple, compared values on their sides,
// an extended value within its bits. These are its conditions. If they are
// recorded in two iterations of a loop, it is known how far they hold.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_TERMS_H
#define GRAUPEL_STRIDE_TERMS_H

#include "Tables.h"

namespace graupel::stride {

/// A value that must not leave a range.
struct Condition {
  int64_t Value;
  int64_t Low, High;         ///< If it advances by a multiple of the divisor;
  int64_t NearLow, NearHigh; ///< otherwise.
  uint64_t Divisor;
  uint32_t Origin;
};

/// 1 + 2 + ... Last.
inline uint64_t sumTo(uint64_t Last) {
  return Last % 2 ? (Last + 1) / 2 * Last : Last / 2 * (Last + 1);
}

/// For one thread.
class NestTerms {
public:
  NestTerms();

  void begin(const NestShape &NewShape, const uint64_t *Record);
  /// Sets the iteration of a loop that terms depend on.
  void setIteration(unsigned Level, uint64_t To) {
    Iterations[Level] = To;
    ++Now;
  }
  uint64_t value(uint32_t Term);
  /// The number of iterations of a loop or guard.
  uint64_t iterationsOf(const NestItem &Item) {
    return Item.Term ? value(Item.Term - 1) : Words[Item.Word];
  }
  /// The addend of a reference's address.
  uint64_t addendOf(const NestItem &Item) {
    return Item.Term ? value(Item.Term - 1) : 0;
  }
  uint32_t levelsOf(uint32_t Term) const { return Shape->TermLevels[Term]; }
  uint32_t period() const { return Shape->Period; }

  /// Conditions are written down, from number 0 on.
  void record(bool On) {
    IsRecording = On;
    truncate();
    ++Now;
  }
  uint32_t count() const { return Count; }
  /// Some were not written down.
  bool isFull() const { return IsFull; }
  void truncate() {
    Count = 0;
    IsFull = false;
  }
  /// A condition of the caller's.
  void require(uint32_t Origin, uint64_t Value, uint64_t Low, uint64_t High);
  /// Given the conditions of two steps, from `Begin` and from `Second` on, the
  /// number of further such steps for which they hold; 0 if they are not alike.
  uint64_t reach(uint32_t Begin, uint32_t Second) const;
  /// Records the conditions from `Second` on as they will be `Later` steps
  /// later.
  void repeat(uint32_t Begin, uint32_t Second, uint64_t Later);

  static constexpr uint64_t Unlimited = uint64_t(1) << 62;

private:
  uint64_t compute(const graupel_stride_term &T);
  uint64_t divide(const graupel_stride_term &T);
  bool truth(uint32_t Term);
  bool compare(const graupel_stride_term &T);
  /// The value as a number that is affine if the term is. Requires that it
  /// stays within its bits.
  int64_t number(uint32_t Term, unsigned Bits, bool Signed);
  bool changes(uint32_t Term) const { return Shape->TermLevels[Term] != 0; }
  void require(const Condition &New);
  void fix(uint32_t Term);

  static constexpr uint32_t Most = 8192;
  const NestShape *Shape = nullptr;
  const uint64_t *Words = nullptr;
  uint64_t Iterations[GRAUPEL_STRIDE_NEST_LEVELS] = {};
  uint64_t Now = 0;
  uint64_t *Values, *When; ///< By term: its value, and `Now` at that time.
  Condition *Conditions;
  uint32_t Count = 0;
  bool IsRecording = false, IsFull = false;
};

} // namespace graupel::stride

#endif
