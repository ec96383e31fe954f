//===- HotCold/Proof/ExtraResults.h - More than two words ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROOF_EXTRARESULTS_H
#define GRAUPEL_HOTCOLD_PROOF_EXTRARESULTS_H

#include "HotCold/Machine/MachineModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace graupel::symbolic {

/// How a function leaves registers at its ends, each on some path.
struct LeftAtEnds {
  RegisterSet Made = 0; ///< It has assigned to them, and not used them since.
  /// It has used what is no word of Swift's, or left what is no parameter.
  RegisterSet Used = 0;
  friend bool operator==(const LeftAtEnds &, const LeftAtEnds &) = default;
};

/// What is known of a call: nothing if control does not come back.
using LeftByCall =
    llvm::function_ref<std::optional<LeftAtEnds>(const llvm::MCInst &)>;

/// Callers of other languages take results in registers that \p BF makes
/// somewhere, and uses nowhere, before it ends.
LeftAtEnds leftAtEnds(const llvm::bolt::BinaryFunction &BF,
                      const MachineModel &Model, LeftByCall OfCall);

} // namespace graupel::symbolic

#endif // GRAUPEL_HOTCOLD_PROOF_EXTRARESULTS_H
