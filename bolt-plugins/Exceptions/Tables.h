//===- Exceptions/Tables.h - The tables of the program ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_EXCEPTIONS_TABLES_H
#define GRAUPEL_EXCEPTIONS_TABLES_H

#include "ExceptionTable.h"
#include "bolt/Core/BinaryFunction.h"

namespace graupel {

/// The table that readCallSites() read for \p BF, but for the call sites, which
/// are at the calls now. Null if the function has no table.
const ExceptionTable *exceptionTableOf(const llvm::bolt::BinaryFunction &BF);

} // namespace graupel

#endif // GRAUPEL_EXCEPTIONS_TABLES_H
