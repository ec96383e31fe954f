//===- HotCold/Proof/RawCode.h - Functions without a flow graph -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROOF_RAWCODE_H
#define GRAUPEL_HOTCOLD_PROOF_RAWCODE_H

#include "HotCold/Machine/MachineModel.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/DenseMap.h"

namespace graupel::symbolic {

/// True if \p BF has a flow graph to look at.
bool isRead(const llvm::bolt::BinaryFunction &BF);

/// What compilers give to nobody: no parameters, and no state that all share.
constexpr RegisterSet NotGiven = ~(reg::Parameters | reg::Float);

/// The callee-saved register that \p Inst does nothing with but store it on the
/// stack; none if it does something else.
RegisterSet putOnStack(const llvm::bolt::BinaryContext &BC,
                       const llvm::MCInst &Inst, const RegisterEffects &E);

/// What the bytes of functions tell that BOLT made no flow graph of.
class RawCode {
public:
  RawCode(const llvm::bolt::BinaryContext &BC, const MachineModel &Model)
      : BC(BC), Model(Model) {}

  /// At least what compilers know that \p BF, or whom it calls, writes.
  RegisterSet writes(const llvm::bolt::BinaryFunction &BF);

  /// What \p BF, or whom it jumps to, may take or change although no compiler
  /// would let it. With \p ByOrder, what is read at a lower address than it is
  /// written counts, too; compilers arrange blocks so.
  struct Liberties {
    RegisterSet Taken = reg::All, Changed = reg::CalleeSaved;
    bool any() const { return Taken || Changed; }
  };
  Liberties liberties(const llvm::bolt::BinaryFunction &BF, bool ByOrder);

private:
  using Function = const llvm::bolt::BinaryFunction;
  const llvm::bolt::BinaryContext &BC;
  const MachineModel &Model;
  llvm::DenseMap<Function *, RegisterSet> Known;

  struct Contents {
    RegisterSet Writes = 0; ///< By itself.
    llvm::SmallVector<Function *, 2> Callees, GoesOnIn;
    Liberties Its; ///< By itself.
    RegisterSet TakenByOrder = 0;
  };
  llvm::DenseMap<Function *, Contents> Scanned;

  struct Progress;
  void look(Progress &P, const llvm::MCInst &Inst) const;
  void follow(Progress &P, Function &BF, const llvm::MCInst &Inst,
              uint64_t Address, uint64_t Size) const;
  const Contents &scan(Function &BF);
};

} // namespace graupel::symbolic

#endif // GRAUPEL_HOTCOLD_PROOF_RAWCODE_H
