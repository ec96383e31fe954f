//===- HotCold/Proof/NeededRegisters.h - Registers read later ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROOF_NEEDEDREGISTERS_H
#define GRAUPEL_HOTCOLD_PROOF_NEEDEDREGISTERS_H

#include "HotCold/Machine/Machine.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace graupel::symbolic {

class CalleeFacts;

/// Registers whose content may matter at each place of a function, by proved
/// facts about callees. Saves read the registers that they save.
class NeededRegisters {
public:
  /// \p ByCaller are needed when it returns, results aside.
  NeededRegisters(const llvm::bolt::BinaryFunction &BF,
                  const CalleeFacts &Callees,
                  RegisterSet ByCaller = reg::CalleeSaved);

  RegisterSet into(const llvm::bolt::BinaryBasicBlock &Block) const {
    return Into[Block.getIndex()];
  }
  RegisterSet outOf(const llvm::bolt::BinaryBasicBlock &Block) const;
  RegisterSet before(const llvm::bolt::BinaryBasicBlock &Block,
                     const llvm::MCInst &Inst, RegisterSet After) const;
  /// Calls \p Do with each call and the registers needed behind it.
  void forEachCall(
      llvm::function_ref<void(const llvm::MCInst &, RegisterSet)> Do) const;

private:
  /// The registers that instructions need whatever follows, and which needs of
  /// the following code, and of landing pads, get past them.
  struct Needs {
    RegisterSet Own = 0, Passed = reg::All, Thrown = 0;
    RegisterSet of(RegisterSet After, RegisterSet Pads) const {
      return Own | (After & Passed) | (Pads & Thrown);
    }
  };
  const llvm::bolt::BinaryFunction &BF;
  const llvm::bolt::MCPlusBuilder &MIB;
  const CalleeFacts &Callees;
  const RegisterSet ByCaller, AtReturn;
  std::vector<RegisterSet> Into;

  Needs needsOf(const llvm::MCInst &Inst) const;
  Needs needsOf(const llvm::bolt::BinaryBasicBlock &Block) const;
  RegisterSet ofPads(const llvm::bolt::BinaryBasicBlock &Block) const;
};

} // namespace graupel::symbolic

#endif // GRAUPEL_HOTCOLD_PROOF_NEEDEDREGISTERS_H
