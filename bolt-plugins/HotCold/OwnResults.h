//===- HotCold/OwnResults.h - What languages return beside --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ABI returns two words. Swift returns four, in RAX, RDX, RCX and R8, and
// clang's regcall more. A caller in this image shows that; callers in others do
// not. But nobody assigns to a register in order to forget it: what a function
// leaves in a register that it has not read again is a result.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_OWNRESULTS_H
#define GRAUPEL_HOTCOLD_OWNRESULTS_H

#include "HotCold/Machine/RegisterSet.h"
#include "llvm/ADT/DenseMap.h"

namespace graupel {

/// The results of functions beside the ABI's, by their code.
class OwnResults {
public:
  OwnResults(const llvm::bolt::BinaryContext &BC, const RegisterModel &Model)
      : BC(BC), Model(Model) {}

  /// Looks at \p BF; what it calls should have been looked at. True if it has
  /// more results than before.
  bool look(const llvm::bolt::BinaryFunction &BF);
  RegisterSet of(const llvm::bolt::BinaryFunction &BF) const {
    return Known.lookup(&BF);
  }

private:
  const llvm::bolt::BinaryContext &BC;
  const RegisterModel &Model;
  llvm::DenseMap<const llvm::bolt::BinaryFunction *, RegisterSet> Known;

  RegisterSet behind(const llvm::MCInst &Inst, RegisterSet Unread) const;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_OWNRESULTS_H
