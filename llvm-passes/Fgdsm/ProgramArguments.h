//===- ProgramArguments.h - Contents of main's arguments --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arrays that main gets hold the program's arguments and environment, which
// are private, until the program puts other pointers there.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_PROGRAMARGUMENTS_H
#define GRAUPEL_FGDSM_PROGRAMARGUMENTS_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Argument;
class Value;
} // namespace llvm

namespace graupel::fgdsm {

/// Whether nothing but private pointers is ever stored in the array: no store,
/// copy or call may put others there, and nobody keeps the array's address.
bool holdsOnlyPrivate(
    const llvm::Argument &Array,
    llvm::function_ref<bool(const llvm::Value *Pointer)> IsPrivate);

} // namespace graupel::fgdsm

#endif
