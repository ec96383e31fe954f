//===- HotCold/TailDuplication.h - Ends of their own ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_TAILDUPLICATION_H
#define GRAUPEL_HOTCOLD_TAILDUPLICATION_H

#include "bolt/Core/BinaryFunction.h"

namespace graupel {

/// Several frequent paths may lead to one block that returns, or jumps
/// through a table; only one of them can be placed in front of it, the others
/// jump. Each that is taken at least \p MinCount times and saves \p MinDensity
/// jumps for each byte of it gets a copy of its own. Nothing else is worth one
/// here: where a copy went on, that would need a jump again. Calls are copied
/// if \p MayCopy permits. \p MayGrow is asked before each change, with the
/// bytes that it adds. Returns the number of jumps that are not executed any
/// more.
double duplicateTails(llvm::bolt::BinaryFunction &BF, uint64_t MinCount,
                      double MinDensity,
                      llvm::function_ref<bool(const llvm::MCInst &)> MayCopy,
                      llvm::function_ref<bool(uint64_t)> MayGrow);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_TAILDUPLICATION_H
