//===- HotCold/Proof/StayingCallers.h - Results read by others --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers that functions that are not rewritten need from their callees,
// beside the results of the ABI.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROOF_STAYINGCALLERS_H
#define GRAUPEL_HOTCOLD_PROOF_STAYINGCALLERS_H

#include "HotCold/Machine/MachineModel.h"
#include "Protect/StayingCode.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace graupel::symbolic {

class StayingCallers {
public:
  using Function = const llvm::bolt::BinaryFunction;
  using Step = StayingFunction::Step;

  StayingCallers(const MachineModel &Model, RegisterSet Possible);

  /// Callbacks for facts about other functions.
  struct Answers {
    /// The flags that a callee takes.
    llvm::function_ref<RegisterSet(Function &)> TakenFlags;
    /// Registers that callers of a function that stays read behind it.
    llvm::function_ref<RegisterSet(Function &)> Results;
  };

  /// Calls \p Do with each function that \p S calls or jumps to, and the
  /// possible results that may be read behind it.
  void forEachCall(
      const StayingFunction &S, Answers Ask,
      llvm::function_ref<void(llvm::bolt::BinaryFunction &, RegisterSet)> Do)
      const;

  /// The registers in \p Taken(callee) that \p S hands on from its own caller
  /// to a callee, without having overwritten them.
  RegisterSet handedOn(const StayingFunction &S,
                       llvm::function_ref<RegisterSet(Function &)> Taken) const;

private:
  const RegisterSet Possible;
  /// Equal instructions are one.
  llvm::DenseMap<const llvm::MCInst *, RegisterEffects> Effects;

  struct Search;
  bool go(Search &Now, unsigned Block, unsigned First, RegisterSet &Held) const;
  RegisterSet readBehind(const StayingFunction &S, unsigned Block,
                         unsigned First, Answers Ask) const;
};

} // namespace graupel::symbolic

#endif // GRAUPEL_HOTCOLD_PROOF_STAYINGCALLERS_H
