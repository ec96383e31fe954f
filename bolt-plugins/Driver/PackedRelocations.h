//===- Driver/PackedRelocations.h - Programs with .relr.dyn -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_PACKEDRELOCATIONS_H
#define GRAUPEL_DRIVER_PACKEDRELOCATIONS_H

#include "bolt/Core/BinaryContext.h"

namespace graupel {

/// Gives each address of code that only .relr.dyn describes a relocation. To be
/// called when no function has been disassembled; does nothing the next time.
void completePackedRelocations(llvm::bolt::BinaryContext &BC);

} // namespace graupel

#endif // GRAUPEL_DRIVER_PACKEDRELOCATIONS_H
