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

#include "Pass.h"

namespace graupel::fgdsm {

class ChecksPass : public RequiredPass<ChecksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

/// print<fgdsm-plan>: polls and checks that ChecksPass would insert.
class PlanPrinterPass : public PrinterPass<PlanPrinterPass> {
public:
  using PrinterPass::PrinterPass;
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace graupel::fgdsm

#endif
