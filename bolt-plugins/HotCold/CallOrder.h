//===- HotCold/CallOrder.h - Callees before callers -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_CALLORDER_H
#define GRAUPEL_HOTCOLD_CALLORDER_H

#include "bolt/Core/BinaryContext.h"

namespace graupel {

/// All functions with a flow graph, each one behind those that it calls, as far
/// as they do not call each other.
std::vector<llvm::bolt::BinaryFunction *>
calleesFirst(llvm::bolt::BinaryContext &BC);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_CALLORDER_H
