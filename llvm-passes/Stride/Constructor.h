//===- Constructor.h - Calls when a file is loaded -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_PASS_CONSTRUCTOR_H
#define GRAUPEL_STRIDE_PASS_CONSTRUCTOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Constant;
class Module;
} // namespace llvm

namespace graupel::stride {

/// Lets the program call `Callee(Arguments…)` before its own constructors: once
/// if `IsShared`, however many object files have a constructor of this `Name`.
void addConstructor(llvm::Module &M, llvm::StringRef Name, bool IsShared,
                    llvm::StringRef Callee,
                    llvm::ArrayRef<llvm::Constant *> Arguments);

} // namespace graupel::stride

#endif
