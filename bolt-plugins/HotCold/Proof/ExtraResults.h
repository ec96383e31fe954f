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

namespace graupel::symbolic {

/// Registers in which \p BF leaves, at each of its ends, what it has made and
/// has not used: callers of other languages take results there. \p OfCallee
/// tells the same of what it calls.
RegisterSet
extraResults(const llvm::bolt::BinaryFunction &BF, const MachineModel &Model,
             llvm::function_ref<RegisterSet(const llvm::MCInst &)> OfCallee);

} // namespace graupel::symbolic

#endif // GRAUPEL_HOTCOLD_PROOF_EXTRARESULTS_H
