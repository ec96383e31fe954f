//===- HotCold/Growth.h - Limits of code growth -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_GROWTH_H
#define GRAUPEL_HOTCOLD_GROWTH_H

#include "bolt/Core/BinaryContext.h"

namespace graupel {

/// Bytes that hot-cold optimization may add to an image. There is one for all
/// attempts at a file, in memory that children share: if new code did not fit
/// over the old because of what an attempt added, the next one has less.
class GrowthBudget {
public:
  /// The first call must come before the first fork.
  static GrowthBudget &get();

  /// Called once in each attempt, with what is allowed if none failed before.
  void start(uint64_t Allowed);
  /// True, and \p Bytes are taken, if there are that many. Less than 0 is given
  /// back.
  bool spend(int64_t Bytes);
  /// Called in an attempt that fails because the code of \p BC is too large for
  /// the old text.
  void noteFailure(const llvm::bolt::BinaryContext &BC);
  /// Called after a failed attempt. True if less growth is possible; the next
  /// attempt then has a lower limit.
  bool tryWithLess();
  /// Drops the limit of failed attempts.
  void forget();

private:
  struct Shared {
    uint64_t Limit; ///< Limit for the next attempt.
    int64_t Spent;
    uint64_t Missing;
  };
  Shared *Memory;

  GrowthBudget();
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_GROWTH_H
