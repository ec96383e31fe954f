//===- Place/CallCounts.h - Counts calls between functions ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PLACE_CALLCOUNTS_H
#define GRAUPEL_PLACE_CALLCOUNTS_H

#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace graupel {

/// Whether placement has a say in where \p BF goes: it ran and will be emitted.
bool hasPlace(const llvm::bolt::BinaryFunction &BF);

/// Calls \p Report with each function that the call \p Inst of \p Block went to
/// and how often: the target of a direct call, the profiled ones of an indirect
/// call.
void forEachCallee(
    const llvm::bolt::BinaryBasicBlock &Block, const llvm::MCInst &Inst,
    llvm::function_ref<void(const llvm::bolt::BinaryFunction &, uint64_t)>
        Report);

} // namespace graupel

#endif // GRAUPEL_PLACE_CALLCOUNTS_H
