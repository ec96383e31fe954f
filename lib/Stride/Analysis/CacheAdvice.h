//===- Stride/Analysis/CacheAdvice.h - Issues in caches ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Issues that only a simulation of caches shows: lines that data drive out of
// their sets, lines of which little is used, lines that threads take from each
// other. And what all issues cost in misses, which is their order then.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_ANALYSIS_CACHEADVICE_H
#define GRAUPEL_STRIDE_ANALYSIS_CACHEADVICE_H

#include "Advice.h"

namespace graupel::stride {

/// Adds issues, gives all of them their misses, and sorts them: those that cost
/// most first. Does nothing if caches were not simulated.
void adviseOnCaches(const Record &R, const Objects &O, const Profile &P,
                    const Misses &M, std::vector<Issue> &Issues);

} // namespace graupel::stride

#endif
