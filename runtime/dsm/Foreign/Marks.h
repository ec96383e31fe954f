//===- Marks.h - Which functions have checks --------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_FOREIGN_MARKS_H
#define GRAUPEL_DSM_FOREIGN_MARKS_H

namespace graupel::dsm {

/// Whether the function may be given shared memory: it has the mark of
/// graupel/dsm_checks.h, or is one of this library that is made for it. Looks
/// through jumps to other functions, as in procedure linkage tables.
bool isChecked(const void *Function);

/// Where such jumps end.
const void *functionBehind(const void *Function);

} // namespace graupel::dsm

#endif
