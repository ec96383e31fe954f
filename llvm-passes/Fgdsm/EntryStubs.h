//===- EntryStubs.h - Calls of the runtime on slow paths --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime's entries are called through the global offset table. Code
// generation takes the loads of their addresses out of loops, although slow
// paths are cold, and so keeps registers for them that the program needs: some
// functions would save and restore three more. Slow paths call a stub of the
// linked file instead, which jumps to the entry. The address that they pass is
// computed where nothing moves it from.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_ENTRYSTUBS_H
#define GRAUPEL_FGDSM_ENTRYSTUBS_H

#include "Pass.h"

namespace llvm {
class InlineAsm;
} // namespace llvm

namespace graupel::fgdsm {

/// Assembly of slow paths: an address, and no access.
bool isAddressAssembly(const llvm::InlineAsm &Assembly);

class EntryStubsPass : public RequiredPass<EntryStubsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace graupel::fgdsm

#endif
