//===- HotCold/ForeignCalls.h - Calls that break the ABI --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Callees in other images cannot be seen. But compilers leave no dead code: a
// value that nothing visible uses, or a saved register that nothing visible
// changes, tells that a callee has a convention of its own.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_FOREIGNCALLS_H
#define GRAUPEL_HOTCOLD_FOREIGNCALLS_H

#include "HotVersion.h"
#include "Liveness.h"

namespace graupel {

/// True if \p BF calls through a pointer or into another image and looks as if
/// the callee took or changed registers against the ABI.
bool callsAgainstABI(const llvm::bolt::BinaryFunction &BF,
                     const HotColdContext &Context, const Liveness &Live);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_FOREIGNCALLS_H
