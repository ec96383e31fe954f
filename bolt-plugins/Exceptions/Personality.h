//===- Exceptions/Personality.h - Readers of exception tables ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_EXCEPTIONS_PERSONALITY_H
#define GRAUPEL_EXCEPTIONS_PERSONALITY_H

#include "bolt/Core/BinaryFunction.h"

namespace graupel {

/// The name of the routine that reads the exception table of \p BF; empty if
/// that cannot be found out.
llvm::StringRef personalityName(const llvm::bolt::BinaryFunction &BF);

/// True if the routine is known to read every encoding that GCC's does, above
/// all a base of landing pads that is not the function's beginning. Others
/// (D's) end the program when they meet one, or do not look at it (that of
/// compiler-rt for C).
bool readsEveryEncoding(const llvm::bolt::BinaryFunction &BF);

/// True if the routine tells by the address of the table whether two exceptions
/// pass through the same function: D's then makes a chain of them.
bool comparesTables(const llvm::bolt::BinaryFunction &BF);

} // namespace graupel

#endif // GRAUPEL_EXCEPTIONS_PERSONALITY_H
