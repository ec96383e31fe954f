//===- profile/Threads.h - Threads count into their own slots ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_THREADS_H
#define GRAUPEL_PROFILE_THREADS_H

#include "LinkMap.h"
#include "Runtime.h"

namespace graupel {

/// Attaches every thread that the program creates from now on to a slot.
void watchThreads(const Image &I, const LinkMap *Modules);

/// Gives this thread a slot of its own, if threads have them.
void attachThread(const Image &I);

/// Sets the region into which this thread counts from now on, if threads have
/// slots of their own.
void setThreadRegion(const Image &I, char *Region);

/// In the child of a fork, where nobody counts into them.
void unmapMirrors(const Image &I);

} // namespace graupel

#endif // GRAUPEL_PROFILE_THREADS_H
