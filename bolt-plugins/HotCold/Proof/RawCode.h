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

/// Registers that compilers never pass: neither parameters nor shared state.
constexpr RegisterSet NotGiven = ~(reg::Parameters | reg::Float);

/// The callee-saved register that \p Inst does nothing with but store it on the
/// stack; none if it does something else.
RegisterSet putOnStack(const llvm::bolt::BinaryContext &BC,
                       const llvm::MCInst &Inst, const RegisterEffects &E);

/// Facts from the bytes of functions that BOLT made no flow graph of.
class RawCode {
public:
  RawCode(const llvm::bolt::BinaryContext &BC, const MachineModel &Model)
      : BC(BC), Model(Model) {}

  /// Registers that compilers certainly know \p BF or its callees to write.
  RegisterSet writes(const llvm::bolt::BinaryFunction &BF);

  /// Registers that \p BF or its jump targets may take or change although no
  /// compiler would do so. With \p ByOrder, registers that are read at a lower
  /// address than they are written count, too; compilers arrange blocks so.
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
    RegisterSet Writes = 0; ///< Without callees.
    llvm::SmallVector<Function *, 2> Callees, GoesOnIn;
    Liberties Its; ///< Without callees.
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
