//===- NestCode.h - The code of a nest's record -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_NESTCODE_H
#define GRAUPEL_STRIDE_NESTCODE_H

#include "Nest.h"

namespace graupel::stride {

/// Computes the words of a nest's record, but the first, before an instruction.
llvm::SmallVector<llvm::Value *, 8>
expandNest(const PlanInput &In, const NestPlan &Nest, llvm::Instruction *At);

} // namespace graupel::stride

#endif
