//===- Profile/FlowBalance.h - Do the counts add up? ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is left as often as it is entered. FlowBalance holds the counts of a
// profile against that:
//
// 1. A count of 2^53 or more is impossible: it takes a processor years, and
//    results computed from it are no longer exact.
// 2. The difference between the counts of a block's incoming and outgoing edges
//    is flow that does not add up, unless control may come or go otherwise:
//    calls of the function, exceptions, calls that do not return.
// 3. The sum of these differences as a share of all flow says how good a
//    profile is. Samples are a little off, counts of another build far.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_FLOWBALANCE_H
#define GRAUPEL_PROFILE_FLOWBALANCE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace graupel {

/// The flow of a block in a profile.
struct BlockFlow {
  uint64_t Count = 0;
  /// Counts of the edges from and to other blocks of the function.
  llvm::ArrayRef<uint64_t> In, Out;
  /// Control may come from, or go, elsewhere.
  bool IsEntered = false, IsLeft = false;
};

class FlowBalance {
public:
  /// Counts from here on are impossible.
  static constexpr uint64_t Limit = UINT64_C(1) << 53;

  /// The blocks of the function named \p Name.
  void add(llvm::StringRef Name, llvm::ArrayRef<BlockFlow> Blocks);
  /// A count of that function which belongs to no block.
  void addCount(llvm::StringRef Name, uint64_t Count);

  /// The first impossible count, and the function that it is in; 0 if there is
  /// none.
  uint64_t impossible() const { return Impossible; }
  llvm::StringRef impossibleIn() const { return ImpossibleIn; }

  /// Per cent of the flow that do not add up.
  double percentOff() const;
  /// The function with most of it.
  llvm::StringRef worst() const { return Worst; }

private:
  uint64_t Impossible = 0;
  std::string ImpossibleIn, Worst;
  double Flow = 0, Off = 0, MostOff = 0;
};

} // namespace graupel

#endif // GRAUPEL_PROFILE_FLOWBALANCE_H
