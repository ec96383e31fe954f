//===- Driver/Limits.h - Limits of memory and time --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_LIMITS_H
#define GRAUPEL_DRIVER_LIMITS_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace graupel {

/// A damaged count must not take the machine's memory nor loop forever: limits
/// memory and processor time of this process and its children to many times
/// what files of the size of \p Inputs (missing and empty names are skipped)
/// need. -memory-limit and -time-limit override it.
void limitResources(llvm::ArrayRef<std::string> Inputs);

} // namespace graupel

#endif // GRAUPEL_DRIVER_LIMITS_H
