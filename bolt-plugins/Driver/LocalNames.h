//===- Driver/LocalNames.h - Local symbols named as global ones -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_LOCALNAMES_H
#define GRAUPEL_DRIVER_LOCALNAMES_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace graupel {

/// Lets relocations of \p File, an ELF file that has been checked, that refer
/// to a local symbol with the name of a global one refer to its section. An
/// error if that has no symbol.
llvm::Error forgetLocalNames(llvm::WritableMemoryBuffer &File);

} // namespace graupel

#endif // GRAUPEL_DRIVER_LOCALNAMES_H
