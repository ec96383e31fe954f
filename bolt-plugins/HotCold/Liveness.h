//===- HotCold/Liveness.h - Which registers are needed later ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_LIVENESS_H
#define GRAUPEL_HOTCOLD_LIVENESS_H

#include "RegisterSummaries.h"

namespace graupel {

/// Registers that may be read before they are written, in one function.
class Liveness {
public:
  /// \p KeptForCaller are registers that callers need when the function has
  /// returned, results aside.
  Liveness(llvm::bolt::BinaryFunction &BF, const RegisterModel &Model,
           const RegisterSummaries &Summaries,
           RegisterSet KeptForCaller = reg::CalleeSaved);
  /// Of what the function and its callees read themselves: nobody needs
  /// anything when it has returned.
  static Liveness ofReads(llvm::bolt::BinaryFunction &BF,
                          const RegisterModel &Model,
                          const RegisterSummaries &Summaries);

  RegisterSet into(const llvm::bolt::BinaryBasicBlock &Block) const {
    return LiveIn[Block.getIndex()];
  }
  RegisterSet outOf(const llvm::bolt::BinaryBasicBlock &Block) const;
  /// Before \p Inst of \p Block, if \p After is live behind it.
  RegisterSet before(const llvm::bolt::BinaryBasicBlock &Block,
                     const llvm::MCInst &Inst, RegisterSet After) const;
  /// What \p Inst of \p Block and whom it calls may do more with than leave it
  /// where it is, if it is nothing that compilers pass as a parameter.
  RegisterSet readBy(const llvm::bolt::BinaryBasicBlock &Block,
                     const llvm::MCInst &Inst) const;

private:
  Liveness(llvm::bolt::BinaryFunction &BF, const RegisterModel &Model,
           const RegisterSummaries &Summaries, RegisterSet KeptForCaller,
           RegisterSet AtReturn,
           RegisterSet RegisterSummaries::Summary::*OfCallees);

  llvm::bolt::BinaryFunction &BF;
  const RegisterModel &Model;
  const RegisterSummaries &Summaries;
  const RegisterSet KeptForCaller, AtReturn;
  /// What counts as read by calls.
  RegisterSet RegisterSummaries::Summary::*const OfCallees;
  std::vector<RegisterSet> LiveIn;
  /// Callee-saved registers that are pushed with values of the function's own,
  /// which others read.
  RegisterSet PushedForOthers = 0;

  /// Others that are pushed.
  RegisterSet Saved = 0;

  RegisterSet findPushedForOthers() const;
  RegisterSet findSaved() const;
};

/// True if \p Inst only puts a register on the stack that the caller may need.
bool isSave(const llvm::bolt::BinaryContext &BC, const llvm::MCInst &Inst);
/// True if \p Inst takes such a register back.
bool isRestore(const llvm::bolt::BinaryContext &BC, const llvm::MCInst &Inst);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_LIVENESS_H
