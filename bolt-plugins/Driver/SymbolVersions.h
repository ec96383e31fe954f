//===- Driver/SymbolVersions.h - Symbols of one name ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_SYMBOLVERSIONS_H
#define GRAUPEL_DRIVER_SYMBOLVERSIONS_H

#include "llvm/Support/MemoryBuffer.h"

namespace graupel {

/// \p File, which has been checked, with names of its global symbols that are
/// unique. Without symbols of one name it is \p File itself.
std::unique_ptr<llvm::MemoryBuffer>
nameVersions(std::unique_ptr<llvm::MemoryBuffer> File);

} // namespace graupel

#endif // GRAUPEL_DRIVER_SYMBOLVERSIONS_H
