//===- Duplicable.h - Code that may be duplicated ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_DUPLICABLE_H
#define GRAUPEL_STRIDE_DUPLICABLE_H

#include "Plan.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace graupel::stride {

/// Why a function has no plain copy, or "".
llvm::StringRef whyNotDuplicable(const PlanInput &In);

/// Blocks that all cycles have one of: headers, and where several entries lead
/// into a cycle.
llvm::SmallSetVector<llvm::BasicBlock *, 8> loopPoints(const PlanInput &In);

/// Tables of labels that computed jumps read.
using JumpTables = llvm::SmallSetVector<llvm::GlobalVariable *, 2>;
JumpTables jumpTables(const llvm::Function &F);
/// The same of the blocks' copies, which are in `Copies` too then.
void copyJumpTables(const JumpTables &Tables, llvm::Function &F,
                    llvm::ValueToValueMapTy &Copies);

} // namespace graupel::stride

#endif
