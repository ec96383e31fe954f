//===- Driver/WideDebug.h - 64-bit DWARF ------------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_WIDEDEBUG_H
#define GRAUPEL_DRIVER_WIDEDEBUG_H

#include "llvm/Support/Error.h"

namespace graupel {

/// An error if the debug information of \p File, which is not compressed, has a
/// unit in the 64-bit format: BOLT writes lengths of four bytes into it.
llvm::Error checkDebugFormat(llvm::StringRef File);

} // namespace graupel

#endif // GRAUPEL_DRIVER_WIDEDEBUG_H
