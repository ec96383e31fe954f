//===- Marks.h - Which functions have checks --------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_FOREIGN_MARKS_H
#define GRAUPEL_DSM_FOREIGN_MARKS_H

#include "graupel/dsm_checks.h"

namespace graupel::dsm {

/// Whether the function may be given shared memory: it has the mark of
/// graupel/dsm_checks.h, or is one of this library that is made for it. Looks
/// through jumps to other functions, as in procedure linkage tables.
bool isChecked(const void *Function);

/// Whether it is defined by a library of the system, the runtime, which stands
/// before some of these, or a sanitizer that does.
bool isSystems(const void *Function, const char *Name);

/// Whether the callee of a record that names one may be given shared memory.
bool isRightFor(const graupel_dsm_call &Call, const void *Callee);

/// Whether a function is one of the runtime's: its own, or one that stands
/// before the C library's.
bool isOfThisLibrary(const void *Function);

/// Where such jumps end.
const void *functionBehind(const void *Function);

} // namespace graupel::dsm

#endif
