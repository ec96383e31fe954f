//===- stride/Callers.h - Callers of allocators -----------------*- C++ -*-===//
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

/// The role of a function in allocations.
enum class AllocatorCode : uint8_t {
  None,
  Inside, ///< Part of an allocator, but not called from outside.
  Entry   ///< Its caller is the allocation site.
};

/// The role of a function by its symbol: Fortran's runtime, or a function that
/// options name.
AllocatorCode allocatorCode(const char *Symbol);

/// Functions that allocate for their callers. Before there are threads.
void setWrappers(const Array<const char *> &Symbols);

/// Whether an address is in an allocator. Thread-safe.
bool isInAllocator(uint64_t Address);

/// The return address of the allocator that calls this function; 0 if it is
/// unknown. Unwinds the stack: slow.
uint64_t callerOfAllocator();

} // namespace graupel::stride

#endif
