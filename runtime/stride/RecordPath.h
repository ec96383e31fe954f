//===- stride/RecordPath.h - Path of the record -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_RECORDPATH_H
#define GRAUPEL_STRIDE_RECORDPATH_H

#include <cstddef>

namespace graupel::stride {

/// GRAUPEL_STRIDE_OUT with %p replaced, or PROGRAM.PID.gstride in the current
/// folder. Never a record that a running process writes, or that the program
/// left which this process was before: then .PID is added, and a number.
/// `Forked` children do not take their parents' names.
void findRecordPath(char *Path, size_t Bytes, const char *Program, bool Forked);

} // namespace graupel::stride

#endif
