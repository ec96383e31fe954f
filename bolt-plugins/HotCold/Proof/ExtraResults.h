//===- HotCold/Proof/ExtraResults.h - More than two words -------*- C++ -*-===//
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

/// The state of registers at the ends of a function, each on some path.
struct LeftAtEnds {
  RegisterSet Made = 0; ///< It has assigned to them, and not used them since.
  /// It has used them and they are no words of Swift's, or it has not written
  /// them and they are no parameters.
  RegisterSet Used = 0;
  friend bool operator==(const LeftAtEnds &, const LeftAtEnds &) = default;
};

/// The state behind a call: nothing if control does not come back.
using LeftByCall =
    llvm::function_ref<std::optional<LeftAtEnds>(const llvm::MCInst &)>;

/// Callers of other languages take results in registers that \p BF makes
/// somewhere, and uses nowhere, before it ends.
LeftAtEnds leftAtEnds(const llvm::bolt::BinaryFunction &BF,
                      const MachineModel &Model, LeftByCall OfCall);

} // namespace graupel::symbolic

#endif // GRAUPEL_HOTCOLD_PROOF_EXTRARESULTS_H
