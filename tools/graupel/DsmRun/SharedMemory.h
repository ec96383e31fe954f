//===- SharedMemory.h - Segments that killed processes left -- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_DSMRUN_SHAREDMEMORY_H
#define GRAUPEL_TOOLS_DSMRUN_SHAREDMEMORY_H

#include <ctime>
#include <sys/types.h>
#include <vector>

namespace graupel {

/// Removes System V segments that one of these processes, which have ended, has
/// made since `Since`, and nobody uses. UCX hides its segments right after
/// making them; a process that is killed in between leaves one for good.
void removeSegments(const std::vector<pid_t> &Processes, time_t Since);

} // namespace graupel

#endif
