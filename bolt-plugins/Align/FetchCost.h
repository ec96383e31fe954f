//===- Align/FetchCost.h - Cost of fetching code ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scores where code lies. Processors fetch and decode instructions by aligned
// windows of 32 bytes; each window that the path of execution enters costs a
// step of the front end, whatever else is in it. The scorer counts these steps
// from block counts and addresses. It is apart from what decides paddings, so
// that a decision can be judged by the addresses it really led to.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ALIGN_FETCHCOST_H
#define GRAUPEL_ALIGN_FETCHCOST_H

#include <cstdint>

namespace graupel {

/// Bytes that are decoded together (and cached together when decoded).
constexpr uint64_t DecodeWindow = 32;
/// Bytes of a line of the instruction cache.
constexpr uint64_t CacheLine = 64;

/// A block at its place, with its counts.
struct PlacedBlock {
  uint64_t Begin = 0;
  uint64_t End = 0;
  uint64_t Count = 0;
  /// Number of entries from the code just before it. Not more than Count.
  uint64_t FallIn = 0;
  /// The end of that code: padding may lie between.
  uint64_t PreviousEnd = 0;
  /// Bytes of the jump that ends the block, with a compare fused to it; 0 if
  /// there is none.
  uint8_t JumpSize = 0;
};

/// Units of \p Size bytes that one execution of \p B touches.
uint64_t unitsTouched(const PlacedBlock &B, uint64_t Size);

/// The number of times that all executions of \p B enter a unit of \p Size
/// bytes: by jumping to it, and by running over a boundary.
uint64_t unitsEntered(const PlacedBlock &B, uint64_t Size);

/// The number of times \p B executes a jump that crosses the end of a decode
/// window or ends with it. Many processors decode such a jump each time (Intel,
/// "Jump Conditional Code Erratum", 2019).
uint64_t jumpsAtBoundary(const PlacedBlock &B);

} // namespace graupel

#endif // GRAUPEL_ALIGN_FETCHCOST_H
