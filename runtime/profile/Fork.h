//===- profile/Fork.h - Children count into slots of their own --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_FORK_H
#define GRAUPEL_PROFILE_FORK_H

#include "LinkMap.h"
#include "Runtime.h"

namespace graupel {

/// Makes the C library, or without one the kernel, tell us of forks.
void watchForks(const Image &I, const LinkMap *Modules);

} // namespace graupel

#endif // GRAUPEL_PROFILE_FORK_H
