//===- Protect/CodeRows.h - Functions that are elements ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROTECT_CODEROWS_H
#define GRAUPEL_PROTECT_CODEROWS_H

#include "Protected.h"

namespace graupel {

/// Reports each function to whose address \p BF adds something.
void findSumsWithFunctions(
    llvm::bolt::BinaryFunction &BF,
    llvm::function_ref<void(llvm::bolt::BinaryFunction &)> Report);

/// Whether the code that begins with \p Code may soon add two registers.
bool isSumSoon(llvm::ArrayRef<uint8_t> Code);

/// Adds the functions of the row that begins with \p First, if there is one.
void protectRow(llvm::bolt::BinaryContext &BC,
                const llvm::bolt::BinaryFunction &First,
                ProtectedFunctions &Protected);

} // namespace graupel

#endif // GRAUPEL_PROTECT_CODEROWS_H
