//===- Assembly.h - Effects of inline assembly ------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_ASSEMBLY_H
#define GRAUPEL_FGDSM_ASSEMBLY_H

namespace llvm {
class CallBase;
} // namespace llvm

namespace graupel::fgdsm {

/// Whether other code may run before the inline assembly is done, as its text
/// tells: it calls, jumps away, returns, enters the kernel or changes the stack
/// pointer. Code with checks may be reached so.
bool mayRunOtherCode(const llvm::CallBase &Assembly);

} // namespace graupel::fgdsm

#endif
