//===- Numa/ReadCopies.h - Loads read the nearest copy -------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_READCOPIES_H
#define GRAUPEL_NUMA_READCOPIES_H

#include "llvm/IR/PassManager.h"

namespace graupel::numa {

/// Adds the thread's distance (graupel/numa_copies.h) to addresses of loads
/// whose base may have copies: not of volatile or atomic ones, nor to those of
/// variables that are small or constant.
class ReadCopiesPass : public llvm::PassInfoMixin<ReadCopiesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace graupel::numa

#endif
