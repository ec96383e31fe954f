//===- GlobalTable.h - Lays out shared globals and lists them ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_GLOBALTABLE_H
#define GRAUPEL_FGDSM_GLOBALTABLE_H

#include "llvm/IR/PassManager.h"

namespace graupel::fgdsm {

/// Last of all; knows what the module uses in the end.
class GlobalTablePass : public llvm::PassInfoMixin<GlobalTablePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace graupel::fgdsm

#endif
