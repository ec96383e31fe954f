//===- Driver/Progress.h - Shows the stage of long runs ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The child that does the work says which stage it is in; the parent that
// waits for it shows that on a terminal when it takes some seconds, and wipes
// it away at the end.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_PROGRESS_H
#define GRAUPEL_DRIVER_PROGRESS_H

#include <sys/types.h>

namespace graupel::progress {

/// Call before the process forks.
void prepare();

/// The child begins with \p StageName, a literal: "optimizing".
void enter(const char *StageName);

/// The wait status of \p Child once it ended, -1 if there is none.
int waitFor(pid_t Child);

} // namespace graupel::progress

#endif // GRAUPEL_DRIVER_PROGRESS_H
