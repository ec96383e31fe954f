//===- CodeTable.h - Tells which code has checks ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mark (CallGuards.h) answers for a function that is called with a pointer.
// Here is the rest (docs/design/dsm-unknown-code.md):
//
//  1. The section gdsm_functions has an entry for each function with checks.
//     The unwind table tells which function an instruction is in.
//  2. The section gdsm_assembly has the bounds of inline assembly in them.
//  3. A function that threads may begin with has a second symbol, which says
//     that it has checks. Code that gives a function of another file to
//     gdsm_parallel refers to that symbol, so the program does not link if the
//     file was compiled without.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_CODETABLE_H
#define GRAUPEL_FGDSM_CODETABLE_H

#include "llvm/IR/PassManager.h"

namespace graupel::fgdsm {

/// All of these, for what the module defines; last of all, for a function that
/// is listed seems to be called by anybody.
class CodeTablePass : public llvm::PassInfoMixin<CodeTablePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Step 3: User starts threads with Started, which is defined elsewhere.
void requireThreadFunction(llvm::Function &User, llvm::Function &Started);

} // namespace graupel::fgdsm

#endif
