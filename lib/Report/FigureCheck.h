//===- Report/FigureCheck.h - Figures that cannot be ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A report with a figure that cannot be is worse than none: it shows that we
// computed something wrong. Each report checks its figures before it is
// written; the first impossible one is an internal error.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_REPORT_FIGURECHECK_H
#define GRAUPEL_REPORT_FIGURECHECK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace graupel {

/// Collects what is known to hold of a report's figures.
class FigureCheck {
public:
  /// \p Value is a number that is not negative.
  void isAmount(llvm::StringRef Name, double Value);
  /// \p Value is not negative and not above \p Bound. Small excesses by
  /// rounding are none.
  void isAtMost(llvm::StringRef Name, double Value, llvm::StringRef BoundName,
                double Bound);
  /// \p Percent is from 0 to 100.
  void isPercentage(llvm::StringRef Name, double Percent);

  /// The first impossible figure of \p File 's report as an internal error.
  llvm::Error error(llvm::StringRef File) const;

private:
  std::string First;

  void fail(llvm::StringRef Name, double Value, const llvm::Twine &Why);
};

} // namespace graupel

#endif // GRAUPEL_REPORT_FIGURECHECK_H
