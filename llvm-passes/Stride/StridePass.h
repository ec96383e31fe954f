//===- StridePass.h - Record memory references ------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// plan -> tables -> code, for all functions of a module. Runs when nothing
// changes memory references any more but the code generator.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_STRIDEPASS_H
#define GRAUPEL_STRIDE_STRIDEPASS_H

#include "llvm/IR/PassManager.h"

namespace graupel::stride {

/// Without summaries, each reference is told by itself; tests compare this with
/// what summaries tell.
class StridePass : public llvm::PassInfoMixin<StridePass> {
public:
  explicit StridePass(bool Summaries = true) : Summaries(Summaries) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  bool Summaries;
};

/// print<stride>: references, and which of them are summarized.
class PlanPrinterPass : public llvm::PassInfoMixin<PlanPrinterPass> {
public:
  explicit PlanPrinterPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

/// print<stride-ticks>: where plain code counts. Changes functions.
class TicksPrinterPass : public llvm::PassInfoMixin<TicksPrinterPass> {
public:
  explicit TicksPrinterPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

} // namespace graupel::stride

#endif
