//===- Layout.h - Sizes that everything agrees on ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_BASE_LAYOUT_H
#define GRAUPEL_DSM_BASE_LAYOUT_H

#include "graupel/dsm_checks.h"
#include <stddef.h>
#include <stdint.h>

namespace graupel::dsm {

constexpr uintptr_t GranuleBytes = uintptr_t(1) << GRAUPEL_DSM_GRANULE_SHIFT;
constexpr uintptr_t PageBytes = uintptr_t(1) << GRAUPEL_DSM_PAGE_SHIFT;
constexpr unsigned GranulesPerPage = PageBytes / GranuleBytes;

/// The shared region, and the chunks that the allocators get of it.
constexpr size_t RegionBytes = size_t(256) << 30;
constexpr size_t ChunkBytes = size_t(4) << 20;
constexpr size_t RegionChunks = RegionBytes / ChunkBytes;

/// Addresses below 2^TaggedBits have tags. Regions are tried from FirstRegion on,
/// RegionStep apart.
#if __has_feature(thread_sanitizer)
/// Its shadow leaves room for the lowest 2 TiB and their tags: for programs whose
/// checks are written by hand, and which are linked to low addresses.
constexpr unsigned TaggedBits = 41;
constexpr uintptr_t FirstRegion = uintptr_t(1) << 39, RegionStep = RegionBytes;
#else
constexpr unsigned TaggedBits = 47;
/// Far from where Linux puts programs, heaps, libraries and stacks, and from
/// each other by more than one region.
constexpr uintptr_t FirstRegion = uintptr_t(16) << 40, RegionStep = uintptr_t(2)
                                                                    << 40;
#endif

/// A value that is no address.
constexpr uintptr_t NoAddress = ~uintptr_t(0);

} // namespace graupel::dsm

#endif
