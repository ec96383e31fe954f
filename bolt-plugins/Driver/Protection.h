//===- Driver/Protection.h - Leaves functions as they are -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_PROTECTION_H
#define GRAUPEL_DRIVER_PROTECTION_H

#include "bolt/Core/BinaryContext.h"
#include "llvm/Support/Error.h"

namespace graupel {

/// Has the functions that Protect/ names left where and as they are. An error
/// if the way BOLT was asked to run does not allow that.
llvm::Error leaveProtectedAlone(llvm::bolt::BinaryContext &BC);

} // namespace graupel

#endif // GRAUPEL_DRIVER_PROTECTION_H
