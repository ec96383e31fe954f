//===- HotCold/Proof/Strangers.h - Targets of indirect calls ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROOF_STRANGERS_H
#define GRAUPEL_HOTCOLD_PROOF_STRANGERS_H

#include "HotCold/Machine/MachineModel.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace graupel::symbolic {

/// The functions that a call through a pointer may reach, and the registers
/// beside parameters that they take.
class Strangers {
public:
  using Function = const llvm::bolt::BinaryFunction;

  /// Searches all sections of \p BC for addresses of functions.
  explicit Strangers(llvm::bolt::BinaryContext &BC);

  bool contains(Function &BF) const { return Starts.contains(BF.getAddress()); }

  /// Registers beside parameters that those with a flow graph take from their
  /// callers.
  RegisterSet taken(const MachineModel &Model) const;

private:
  llvm::bolt::BinaryContext &BC;
  llvm::DenseSet<uint64_t> Starts;

  void search(const llvm::bolt::BinarySection &Section,
              const llvm::DenseSet<uint64_t> &Functions);
};

} // namespace graupel::symbolic

#endif // GRAUPEL_HOTCOLD_PROOF_STRANGERS_H
