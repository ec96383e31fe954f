//===- Report/FigureCheck.cpp - Figures that cannot be --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FigureCheck.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace graupel;

// Figures are whole numbers below 2^53 or sums of a few thousand fractions.
static constexpr double Rounding = 1e-6;

static std::string text(double Value) {
  return formatv(std::floor(Value) == Value ? "{0:f0}" : "{0:f3}", Value);
}

void FigureCheck::fail(StringRef Name, double Value, const Twine &Why) {
  if (First.empty())
    First = (Name + " is " + text(Value) + ", " + Why).str();
}

void FigureCheck::isAmount(StringRef Name, double Value) {
  if (!std::isfinite(Value) || Value < -Rounding)
    fail(Name, Value, "which is no amount");
}

void FigureCheck::isAtMost(StringRef Name, double Value, StringRef BoundName,
                           double Bound) {
  isAmount(Name, Value);
  if (Value > Bound * (1 + Rounding) + Rounding)
    fail(Name, Value, "more than " + BoundName + ", " + text(Bound));
}

void FigureCheck::isPercentage(StringRef Name, double Percent) {
  isAtMost(Name, Percent, "everything", 100);
}

Error FigureCheck::error(StringRef File) const {
  if (First.empty())
    return Error::success();
  return createStringError(
      File + ": internal error: impossible figures: " + First +
      "; please report this, and leave out the report to go on");
}
