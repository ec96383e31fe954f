//===- Statistics/PortraitCheck.h - Can the figures be? ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STATISTICS_PORTRAITCHECK_H
#define GRAUPEL_STATISTICS_PORTRAITCHECK_H

#include "Portrait.h"
#include "llvm/Support/Error.h"

namespace graupel {

/// An internal error if a figure of \p P cannot be: parts above their whole,
/// code above \p FileBytes, the size of the program's file, shares above 100 %.
llvm::Error checkFigures(const Portrait &P, uint64_t FileBytes);

} // namespace graupel

#endif // GRAUPEL_STATISTICS_PORTRAITCHECK_H
