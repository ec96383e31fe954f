//===- EarlyFunctions.h - Code that runs before the runtime -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loader calls resolvers of indirect functions, what stands in
// .preinit_array, and the program's allocators, before the constructor of the
// runtime, that is, before there are tags or a poll flag. There is no shared
// memory yet either, and what allocators hand out is private (OwnNames.h). So
// these functions, and those that only they call, get neither checks nor polls.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_EARLYFUNCTIONS_H
#define GRAUPEL_FGDSM_EARLYFUNCTIONS_H

#include "Pass.h"

namespace graupel::fgdsm {

/// Before all that adds checks or polls.
class EarlyFunctionsPass : public RequiredPass<EarlyFunctionsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace graupel::fgdsm

#endif
