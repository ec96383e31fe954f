//===- HotCold/OwnResults.h - Results beyond the ABI's ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ABI returns two words. Swift returns four, in RAX, RDX, RCX and R8, and
// clang's regcall more. A caller in this image shows that; callers in others do
// not. But no code assigns to a register without a use: a value that a function
// leaves in a register and has not read again is a result. In Swift's registers
// it is one even if it was read: one result is often computed from another. A
// parameter or a callee's value there may be the same result, handed on.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_OWNRESULTS_H
#define GRAUPEL_HOTCOLD_OWNRESULTS_H

#include "HotCold/Machine/RegisterSet.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace graupel {

/// The results of functions beyond the ABI's, by their code.
class OwnResults {
public:
  /// \p Returns tells whether a call ever does.
  OwnResults(const llvm::bolt::BinaryContext &BC, const RegisterModel &Model,
             llvm::function_ref<bool(const llvm::MCInst &)> Returns)
      : BC(BC), Model(Model), Returns(Returns) {}

  /// Looks at \p BF; what it calls should have been looked at. True if more is
  /// known than before.
  bool look(const llvm::bolt::BinaryFunction &BF);
  RegisterSet of(const llvm::bolt::BinaryFunction &BF) const;

private:
  /// Registers with a property on some path to a place.
  struct Ways {
    RegisterSet Made = 0;  ///< Assigned to, and not spent since.
    RegisterSet Spent = 0; ///< Read since, or the caller's and no parameter.

    /// True if there are more than before.
    bool join(const Ways &Other);
  };
  const llvm::bolt::BinaryContext &BC;
  const RegisterModel &Model;
  llvm::function_ref<bool(const llvm::MCInst &)> Returns;
  llvm::DenseMap<const llvm::bolt::BinaryFunction *, Ways> Known;

  bool walk(const llvm::bolt::BinaryBasicBlock &Block, Ways &Now, Ways &AtEnds);
  Ways behindCall(const llvm::MCInst &Call) const;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_OWNRESULTS_H
