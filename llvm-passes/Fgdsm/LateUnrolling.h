//===- LateUnrolling.h - Sums are unrolled behind the checks ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LateUnrolling.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_LATEUNROLLING_H
#define GRAUPEL_FGDSM_LATEUNROLLING_H

#include "Pass.h"

namespace graupel::fgdsm {

/// On loops that LateUnrolling is to unroll.
inline constexpr char RolledLoopMetadataName[] = "graupel.fgdsm.rolled";

/// Before loops are vectorized: keeps sums rolled.
class KeepRolledPass : public RequiredPass<KeepRolledPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

/// print<fgdsm-rolled>
class RolledPrinterPass : public PrinterPass<RolledPrinterPass> {
public:
  using PrinterPass::PrinterPass;
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

/// Behind the checks.
class LateUnrollingPass : public RequiredPass<LateUnrollingPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace graupel::fgdsm

#endif
