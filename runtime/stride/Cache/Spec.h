//===- Cache/Spec.h - Specification of simulated caches ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hierarchy as text: levels from the nearest on and a TLB, separated by `/`:
// NAME:BYTES:WAYS:LINE, maybe :random; tlb:ENTRIES:WAYS:PAGE. WAYS may be
// `full`. Or the name of a preset: `dtj`, of the published case study (Balle,
// Steely 1997). Or nothing: this machine's.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_SPEC_H
#define GRAUPEL_STRIDE_CACHE_SPEC_H

#include "graupel/stride_caches.h"

namespace graupel::stride {

/// Returns null, or a message that says how to correct the text. `InDetail`:
/// measures of the first level that are otherwise sampled are taken for all
/// lines.
const char *parseCaches(const char *Text, CachesRecord &To, bool InDetail);

} // namespace graupel::stride

#endif
