//===- stride/Fortran.h - Who called Fortran's runtime ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_FORTRAN_H
#define GRAUPEL_STRIDE_FORTRAN_H

#include <cstdint>

namespace graupel::stride {

enum class FortranCode : uint8_t {
  None,
  Inside, ///< Of its runtime.
  Entry   ///< Of its runtime, and what compiled code calls.
};

/// Which part of Fortran's runtime a function is, by its symbol.
FortranCode fortranCode(const char *Symbol);

/// Whether an address is in Fortran's runtime. Thread-safe.
bool isInFortranRuntime(uint64_t Address);

/// Where the code goes on that called the part of Fortran's runtime that calls
/// this; 0 if nothing tells. Unwinds the stack: slow.
uint64_t callerOfFortranRuntime();

} // namespace graupel::stride

#endif
