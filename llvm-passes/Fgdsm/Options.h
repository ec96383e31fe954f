//===- Options.h - Options of the fgdsm passes ------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To clang they are given behind -mllvm.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_OPTIONS_H
#define GRAUPEL_FGDSM_OPTIONS_H

#include "llvm/Support/CommandLine.h"

namespace graupel::fgdsm {

/// Modes of checking accesses. All but Default exist to be measured. Table,
/// Sentinel and Slow15 check each access by itself, as published systems did.
enum class CheckMode {
  Default,  ///< The cheapest; checks are shared, moved and left out.
  Table,    ///< The tag of each access (Schoinas 1998, 2.3.1).
  Sentinel, ///< Loads by their value, stores by their tag.
  Slow15,   ///< Through a table of routines indexed by the tag.
  Stores,   ///< As Default, but loads are not checked.
  None      ///< Polls only: what checks could cost at best.
};

extern llvm::cl::opt<CheckMode> CheckModeOption;
/// Whether checks are planned as if by Default, whatever becomes of them.
inline bool plansAsByDefault() {
  return CheckModeOption == CheckMode::Default ||
         CheckModeOption == CheckMode::Stores;
}
/// Whether loops run in strips.
inline bool minesStrips() {
  return plansAsByDefault() || CheckModeOption == CheckMode::None;
}
/// Prove the result; -fgdsm-verify.
extern llvm::cl::opt<bool> VerifyOption;
/// A file of hints; see Hints.h.
extern llvm::cl::opt<std::string> HintsOption;
extern llvm::cl::opt<bool> UnalignedOption;
/// Whether the file's variables are shared; see SharedGlobals.h.
extern llvm::cl::opt<bool> ShareGlobalsOption;

} // namespace graupel::fgdsm

#endif
