//===- Driver/DynamicRelocations.h - Tables of the loader -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_DYNAMICRELOCATIONS_H
#define GRAUPEL_DRIVER_DYNAMICRELOCATIONS_H

#include "llvm/Support/Error.h"

namespace llvm::bolt {
class BinaryContext;
class RewriteInstance;
} // namespace llvm::bolt

namespace graupel {

/// Has BOLT leave the tables of dynamic relocations to us. Call it before \p
/// Rewriter runs.
void keepDynamicRelocations(llvm::bolt::RewriteInstance &Rewriter);

/// Has BOLT ignore the functions whose code the loader changes (text
/// relocations). An error if it was told to process all.
llvm::Error leaveRelocatedCodeAlone(llvm::bolt::BinaryContext &BC);

/// BOLT has read the tables and is about to emit code: it must not write them.
void takeDynamicRelocations();

/// Brings the entries up to date, each in its place. Call it when the rewriter
/// has run, as long as its output is open.
llvm::Error writeDynamicRelocations();

} // namespace graupel

#endif // GRAUPEL_DRIVER_DYNAMICRELOCATIONS_H
