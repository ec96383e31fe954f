//===- Callbacks.h - Functions that the C library calls back ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_FOREIGN_CALLBACKS_H
#define GRAUPEL_DSM_FOREIGN_CALLBACKS_H

#include <cstddef>
#include <cstdint>

namespace graupel::dsm {

/// Ends the job if Function is code without checks, and Pointer is shared. It
/// is called back by the library function Caller, which was called from Place.
void requireChecked(const void *Function, const void *Pointer,
                    const char *Caller, uintptr_t Place);

/// The same for elements that may be pointers, by their size. Memory that the
/// thread holds is allowed.
void requireCheckedFor(const void *Base, size_t Count, size_t Size,
                       const void *Function, const char *Caller,
                       uintptr_t Place);

} // namespace graupel::dsm

#endif
