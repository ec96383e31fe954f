//===- Numa/Plan/Phases.h - When pages change owners ---------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_PLAN_PHASES_H
#define GRAUPEL_NUMA_PLAN_PHASES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace graupel::numa {

struct SliceUse {
  uint64_t Page; ///< Any number that is the page's own.
  unsigned Thread;
  uint64_t Bytes;
};

/// Slices of time, in order, become phases: a page's owner is the thread that
/// makes most of its traffic; a phase ends where most of what a slice refers to
/// is owned by others than before. The number of its phase for each slice, from
/// 0 and ascending; what is too short is part of the next one.
std::vector<size_t> findPhases(const std::vector<std::vector<SliceUse>> &);

} // namespace graupel::numa

#endif
