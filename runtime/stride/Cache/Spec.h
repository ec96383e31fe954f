//===- Cache/Spec.h - Which caches are simulated ---------------*- C++ -*-===//
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

/// Null, or what is wrong with the text, in words that tell what to do.
/// `InDetail`: what is sampled otherwise of the first level is seen of all
/// lines.
const char *parseCaches(const char *Text, CachesRecord &To, bool InDetail);

} // namespace graupel::stride

#endif
