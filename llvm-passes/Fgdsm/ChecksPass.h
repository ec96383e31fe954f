//===- ChecksPass.h - Checks of shared memory -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// classify -> plan -> insert, for all functions of a module. Runs when nothing
// changes memory accesses any more but the code generator.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_CHECKSPASS_H
#define GRAUPEL_FGDSM_CHECKSPASS_H

#include "llvm/IR/PassManager.h"

namespace graupel::fgdsm {

class ChecksPass : public llvm::PassInfoMixin<ChecksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

/// print<fgdsm-plan>: polls and checks that ChecksPass would insert.
class PlanPrinterPass : public llvm::PassInfoMixin<PlanPrinterPass> {
public:
  explicit PlanPrinterPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

} // namespace graupel::fgdsm

#endif
