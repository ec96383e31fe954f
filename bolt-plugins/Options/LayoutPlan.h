//===- Options/LayoutPlan.h - Layout options of the user --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_OPTIONS_LAYOUTPLAN_H
#define GRAUPEL_OPTIONS_LAYOUTPLAN_H

namespace graupel {

enum class LayoutKind {
  Graupel, ///< Our default.
  Spike,   ///< As published (Cohn, Goodwin, Lowney 1997).
  None,    ///< llvm-bolt's, driven by llvm-bolt's options alone.
};

/// The layout passes that run, decided once from the command line. A step is
/// ours only if the user did not ask for llvm-bolt's own version of it with
/// -reorder-blocks, -split-functions or -reorder-functions.
struct LayoutPlan {
  LayoutKind Kind = LayoutKind::None;
  bool Chain = false;
  bool Split = false;
  bool Place = false;
  /// Print what each step decided.
  bool PrintChains = false;
  bool PrintSplit = false;
  bool PrintPlacement = false;
  /// Share (0 to 1) of the executed instructions that may become cold.
  double ColdShare = 0.01;

  bool any() const { return Chain || Split || Place; }
};

/// The plan for this run. Valid after the command line has been parsed.
const LayoutPlan &layoutPlan();

/// From here on all code of a function stays together, in its place.
void keepFunctionsInPlace();

} // namespace graupel

#endif // GRAUPEL_OPTIONS_LAYOUTPLAN_H
