//===- Driver/DebugAddresses.h - Addresses in debug information -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DebugAddresses.cpp describes what it does and how.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_DEBUGADDRESSES_H
#define GRAUPEL_DRIVER_DEBUGADDRESSES_H

#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/BinaryFunction.h"

namespace graupel {

/// Step 1: call before \p BF has blocks. New annotations are of \p Allocator.
void noteInputOffsets(llvm::bolt::BinaryFunction &BF,
                      llvm::bolt::MCPlusBuilder::AllocatorIdTy Allocator);

/// Step 2: call right before the program is emitted.
void labelInstructions(llvm::bolt::BinaryContext &BC);

} // namespace graupel

#endif // GRAUPEL_DRIVER_DEBUGADDRESSES_H
