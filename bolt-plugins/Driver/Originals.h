//===- Driver/Originals.h - Code and data that stay -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_ORIGINALS_H
#define GRAUPEL_DRIVER_ORIGINALS_H

#include "llvm/Support/Error.h"

namespace llvm::bolt {
class RewriteInstance;
}

namespace graupel {

/// Where copies are made: writes what the input has loaded over what BOLT made
/// of it in the output of \p Rewriter, which is still open. Patched entries
/// stay, and what starts the runtime of -instrument.
llvm::Error restoreOriginals(llvm::bolt::RewriteInstance &Rewriter);

} // namespace graupel

#endif // GRAUPEL_DRIVER_ORIGINALS_H
