//===- Driver/PLTStub.h - Reads stubs of the PLT ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_PLTSTUB_H
#define GRAUPEL_DRIVER_PLTSTUB_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace graupel {

/// The file's bytes from an address to the end of its section; empty if there
/// are none.
using ImageReader = llvm::function_ref<llvm::StringRef(uint64_t)>;

/// Whether `call *Slot` is the same as `call Stub`. It is not where the stub or
/// the code that binds the slot at the first call passes on a register that the
/// stub set.
bool isTransparentStub(uint64_t Stub, uint64_t Slot, ImageReader Read);

} // namespace graupel

#endif // GRAUPEL_DRIVER_PLTSTUB_H
