//===- HotCold/ForeignCalls.h - Calls that break the ABI --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nobody sees whom a function calls in other images. But compilers leave no
// code that does nothing: what is computed for nobody, or saved although nobody
// changes it, tells that a callee has a convention of its own.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_FOREIGNCALLS_H
#define GRAUPEL_HOTCOLD_FOREIGNCALLS_H

#include "HotVersion.h"
#include "Liveness.h"

namespace graupel {

/// True if \p BF calls somebody through a pointer or in another image and looks
/// as if that took or changed registers that the ABI keeps from it.
bool callsAgainstABI(const llvm::bolt::BinaryFunction &BF,
                     const HotColdContext &Context, const Liveness &Live);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_FOREIGNCALLS_H
