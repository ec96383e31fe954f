//===- Numa/Sites.h - Allocations say where they are ---------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_SITES_H
#define GRAUPEL_NUMA_SITES_H

#include "llvm/IR/PassManager.h"

namespace graupel::numa {

/// After each call that allocates memory, with a line of the source: calls
/// graupel_numa_site (graupel/numa.h) with the block, its bytes, "main.c:31"
/// and the function. Lines of inlined calls are those where the allocation is
/// written.
class SitesPass : public llvm::PassInfoMixin<SitesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace graupel::numa

#endif
