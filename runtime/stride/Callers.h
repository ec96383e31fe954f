//===- stride/Callers.h - Who really asked for memory -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CALLERS_H
#define GRAUPEL_STRIDE_CALLERS_H

#include "Base/System.h"
#include <cstdint>

namespace graupel::stride {

/// What a function is to those who call it for memory.
enum class AllocatorCode : uint8_t {
  None,
  Inside, ///< Of an allocator, but not what others call.
  Entry   ///< Whose caller is the allocation site.
};

/// By a function's symbol: Fortran's runtime, or one of what options name.
AllocatorCode allocatorCode(const char *Symbol);

/// Functions that allocate for their callers. Before there are threads.
void setWrappers(const Array<const char *> &Symbols);

/// Whether an address is in an allocator. Thread-safe.
bool isInAllocator(uint64_t Address);

/// Where the code goes on that called the allocator that calls this; 0 if
/// nothing tells. Unwinds the stack: slow.
uint64_t callerOfAllocator();

} // namespace graupel::stride

#endif
