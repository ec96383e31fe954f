//===- SharedGlobals.h - Variables that all nodes share ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The section of a variable is the mark (docs/design/dsm-globals.md). clang
// puts it on definitions and declarations that are GDSM_GLOBAL, the pass on
// those of files that share all.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_SHAREDGLOBALS_H
#define GRAUPEL_FGDSM_SHAREDGLOBALS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Constant;
class GlobalVariable;
} // namespace llvm

namespace graupel::fgdsm {

inline constexpr char GlobalsSection[] = "gdsm_globals";
/// The section of declarations: shared or not, as the definition is.
inline constexpr char AnyGlobalsSection[] = "gdsm_any_globals";
/// Sections of variables with pages of their own, when they are laid out.
inline constexpr char PagesSection[] = ".data.gdsm_globals";
inline constexpr char ZerosSection[] = ".bss.gdsm_globals";

/// Whether the variable itself may be shared.
bool maybeSharedGlobal(const llvm::GlobalVariable &);
/// Whether an initializer has the address of such a variable.
bool pointsToSharedGlobal(const llvm::Constant &Initializer);

/// Where a variable is defined, as annotations or debug information tell.
struct GlobalPlace {
  std::string File;
  unsigned Line = 0;
};
GlobalPlace placeOf(const llvm::GlobalVariable &);

/// First of all: marks what a file shares, and refuses what cannot be.
class SharedGlobalsPass : public llvm::PassInfoMixin<SharedGlobalsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace graupel::fgdsm

#endif
