//===- HotCold/PointerTargets.h - Targets of function pointers --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call through a pointer may go to each function whose address is taken.
// Those of preserve_none, regcall and swiftcall, and assembly, take values in
// registers that are no parameters by the ABI.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_POINTERTARGETS_H
#define GRAUPEL_HOTCOLD_POINTERTARGETS_H

#include "HotCold/Machine/RegisterSet.h"
#include "Support/Returns.h"
#include "UnreadCode.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace graupel {

/// The functions of the image whose address is taken.
class PointerTargets {
public:
  PointerTargets(llvm::bolt::BinaryContext &BC, const RegisterModel &Model,
                 UnreadCode &Unread);

  /// Registers that they read as their callers left them, and that those
  /// without a flow graph change, against the ABI.
  const OwnConvention &convention() const { return Convention; }
  /// The functions with a flow graph.
  llvm::ArrayRef<const llvm::bolt::BinaryFunction *> functions() const {
    return Functions;
  }

private:
  using Function = const llvm::bolt::BinaryFunction;
  /// The results of \ref look() for one function.
  struct Values {
    RegisterSet Read = 0;
    /// Registers that are left for each function that is called.
    llvm::SmallMapVector<Function *, RegisterSet, 4> HandedOn;
  };

  /// Registers left for landing pads, by label.
  using LeftForPads =
      llvm::SmallVector<std::pair<const llvm::MCSymbol *, RegisterSet>, 2>;

  llvm::bolt::BinaryContext &BC;
  const RegisterModel &Model;
  std::vector<Function *> Functions;
  llvm::MapVector<Function *, Values> Looked;
  OwnConvention Convention;
  ReturnFinder Returns;

  bool endsForGood(const llvm::bolt::BinaryBasicBlock &Block);
  void look(Function &BF);
  RegisterSet step(const llvm::bolt::BinaryBasicBlock &Block, RegisterSet Left,
                   Values &Found, LeftForPads &AtPads) const;
  void join();
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_POINTERTARGETS_H
