//===- stride/Summary.h - Counting loops by their records ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The members of a running loop, by stream. They are counted when their stream
// needs it: at the loop's end, or before another reference of the stream.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_SUMMARY_H
#define GRAUPEL_STRIDE_SUMMARY_H

#include "Histogram.h"

namespace graupel::stride {

struct GroupMember {
  Share *Hist;
  uint64_t Base;
  int64_t Step;
  uint32_t Order;

  uint64_t at(uint64_t Iteration) const {
    return Base + Iteration * static_cast<uint64_t>(Step);
  }
};

/// Members of one stream, in their order in an iteration.
struct LoopGroup {
  Stream *S;
  GroupMember *Members;
  uint32_t Count;
  uint32_t FirstMember; ///< Among the loop's.
  bool SameStep;
  /// The next reference to be counted.
  uint64_t Iteration;
  uint32_t Next;

  /// Counts the references before place `Order` of iteration `To`.
  void advance(const Counting &C, uint64_t To, uint32_t Order);

private:
  void countNext(const Counting &C);
  void countIterations(const Counting &C, uint64_t To);
};

} // namespace graupel::stride

#endif
