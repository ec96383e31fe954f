//===- HotCold/Liveness.h - Which registers are needed later ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_LIVENESS_H
#define GRAUPEL_HOTCOLD_LIVENESS_H

#include "RegisterOutline.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace graupel {

/// The effect of code on the registers that are live behind it.
struct LiveTransfer {
  RegisterSet Reads = 0;        ///< Live before it, whatever is behind it.
  RegisterSet Keeps = reg::All; ///< Live before it if they are behind it.

  RegisterSet before(RegisterSet After) const {
    return Reads | (After & Keeps);
  }
};

/// Registers that may be read before they are written, in one function.
class Liveness {
public:
  /// \p KeptForCaller are registers that callers need when the function has
  /// returned, results aside.
  Liveness(llvm::bolt::BinaryFunction &BF, const RegisterModel &Model,
           const RegisterSummaries &Summaries,
           RegisterSet KeptForCaller = reg::CalleeSaved);
  /// The same for callers that need nothing but results. \p Outline is of
  /// \p BF, and outlives this.
  static Liveness ofUses(llvm::bolt::BinaryFunction &BF,
                         const RegisterOutline &Outline,
                         const RegisterModel &Model,
                         const RegisterSummaries &Summaries);
  /// Only for registers that the function and its callees read themselves:
  /// nothing is needed when it has returned.
  static Liveness ofReads(llvm::bolt::BinaryFunction &BF,
                          const RegisterOutline &Outline,
                          const RegisterModel &Model,
                          const RegisterSummaries &Summaries);

  RegisterSet into(const llvm::bolt::BinaryBasicBlock &Block) const {
    return LiveIn[Block.getIndex()];
  }
  RegisterSet outOf(const llvm::bolt::BinaryBasicBlock &Block) const;
  /// Registers live before \p Inst of \p Block, if \p After is live behind it.
  RegisterSet before(const llvm::bolt::BinaryBasicBlock &Block,
                     const llvm::MCInst &Inst, RegisterSet After) const;
  /// The same for all of \p Code, whatever is live behind it.
  LiveTransfer through(const llvm::bolt::BinaryBasicBlock &Block,
                       llvm::ArrayRef<llvm::MCInst> Code) const;
  /// Registers that \p Inst of \p Block and its callee may do more with than
  /// leave them alone. Only exact for registers without parameters.
  RegisterSet readBy(const llvm::bolt::BinaryBasicBlock &Block,
                     const llvm::MCInst &Inst) const;

  /// Calls \p Visit with each call of \p Outline, which is this function's, and
  /// the registers live behind it.
  void visitCalls(const RegisterOutline &Outline,
                  llvm::function_ref<void(const RegisterOutline::Step &Call,
                                          RegisterSet After)>
                      Visit) const;

private:
  using SetOfCallee = RegisterSet RegisterSummaries::Summary::*;

  Liveness(const llvm::bolt::BinaryFunction &BF, const RegisterModel &Model,
           const RegisterSummaries &Summaries, const RegisterOutline &Outline,
           RegisterSet KeptForCaller, RegisterSet AtReturn,
           SetOfCallee OfCallees);

  /// Calls \p Visit with each step of a block, from its end, and the registers
  /// live behind it. Returns the registers live into the block.
  template <typename Visitor>
  RegisterSet walk(const RegisterOutline &Outline, unsigned Block,
                   Visitor Visit) const;
  RegisterOutline::Step stepOf(const llvm::bolt::BinaryBasicBlock &Block,
                               const llvm::MCInst &Inst) const;
  RegisterSet intoPads(const llvm::bolt::BinaryBasicBlock &Block) const;
  RegisterSet before(const RegisterOutline::Step &S, RegisterSet After,
                     RegisterSet IntoPads) const;
  RegisterSet beforeCall(const RegisterOutline::Step &Call, RegisterSet After,
                         RegisterSet IntoPads) const;

  const llvm::bolt::BinaryFunction &BF;
  const RegisterModel &Model;
  const RegisterSummaries &Summaries;
  const RegisterSet KeptForCaller, AtReturn;
  /// The field with the registers that count as read by calls.
  const SetOfCallee OfCallees;
  const RegisterSet PushedForOthers;
  std::vector<RegisterSet> LiveIn;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_LIVENESS_H
