//===- Driver/FixedBranches.h - Jumps by a fixed table entry ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_FIXEDBRANCHES_H
#define GRAUPEL_DRIVER_FIXEDBRANCHES_H

#include "bolt/Core/BinaryFunction.h"

namespace graupel {

/// \p BF is about to be disassembled.
void watchTables(llvm::bolt::BinaryFunction &BF);

/// Deletes the jump tables that BOLT gave up while it disassembled \p BF, but
/// those that an instruction refers to.
void deleteUnusedTables(llvm::bolt::BinaryFunction &BF);

} // namespace graupel

#endif // GRAUPEL_DRIVER_FIXEDBRANCHES_H
