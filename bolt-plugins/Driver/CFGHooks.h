//===- Driver/CFGHooks.h - Flow graphs as BOLT builds them ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_CFGHOOKS_H
#define GRAUPEL_DRIVER_CFGHOOKS_H

#include "bolt/Core/BinaryContext.h"

namespace graupel {

/// Whether Recover/ takes part: -recover-branches, and not -layout=none, whose
/// output is llvm-bolt's.
bool shouldRecover(const llvm::bolt::BinaryContext &BC);

} // namespace graupel

#endif // GRAUPEL_DRIVER_CFGHOOKS_H
