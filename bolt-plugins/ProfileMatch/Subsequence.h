//===- ProfileMatch/Subsequence.h - Alignment of two lists ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILEMATCH_SUBSEQUENCE_H
#define GRAUPEL_PROFILEMATCH_SUBSEQUENCE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <vector>

namespace graupel {

/// The indices of a longest strictly increasing subsequence of \p Values.
std::vector<uint32_t> longestIncreasing(llvm::ArrayRef<uint32_t> Values);

/// Pairs elements of two lists of \p N and \p M elements in order, such that
/// the sum of \p Gain over the pairs is largest, and reports them from the
/// front. A gain of 0 or less is no pair. Takes time and memory (a byte) for
/// every pair of elements.
void alignment(size_t N, size_t M,
               llvm::function_ref<double(size_t, size_t)> Gain,
               llvm::function_ref<void(size_t, size_t)> Pair);

} // namespace graupel

#endif // GRAUPEL_PROFILEMATCH_SUBSEQUENCE_H
