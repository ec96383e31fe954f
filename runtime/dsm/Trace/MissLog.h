//===- MissLog.h - Misses in their order ------------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The log that the report replays to tell how many misses other blocks and
// homes would bring. Blocks never reach over pages, so events of one page do
// not depend on others: when the log is full, half of all pages leave it, and
// those that stay are still complete. All nodes choose the same pages:
//
//   1. A page is in the log if the lowest Halvings bits of its hash are zero.
//   2. If there is no room for an event, Halvings grows by one, and events of
//      pages that are no longer in the log are dropped.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRACE_MISSLOG_H
#define GRAUPEL_DSM_TRACE_MISSLOG_H

#include "Base/Layout.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace graupel::dsm::trace {

struct MissEvent {
  uint64_t Ticks;
  uintptr_t First, Last; ///< The bytes of the access within the block.
  uint32_t Epoch;        ///< Barriers that the node had passed.
  uint32_t Place;
  int16_t Home;
  bool Store;
  bool Alone; ///< No other miss of the access was under way.
};

class MissLog {
public:
  explicit MissLog(size_t Limit) : Limit(Limit) {}

  void add(const MissEvent &E) {
    while (isIn(E.First) && All.size() >= Limit && Halvings < MaxHalvings) {
      ++Halvings;
      std::erase_if(All, [this](const MissEvent &A) { return !isIn(A.First); });
    }
    if (isIn(E.First) && All.size() < Limit)
      All.push_back(E);
    else if (isIn(E.First))
      Overflowed = true;
  }

  const std::vector<MissEvent> &events() const { return All; }
  unsigned halvings() const { return Halvings; }
  /// Even a single page was too much: the log is of no use.
  bool overflowed() const { return Overflowed; }

private:
  static constexpr unsigned MaxHalvings = 24;

  /// The reader's hash is the same (docs/dsm-report-format.md).
  bool isIn(uintptr_t Address) const {
    uint64_t Hash = (Address / PageBytes) * 0x9e3779b97f4a7c15u;
    return (Hash >> 40 & ((uint64_t(1) << Halvings) - 1)) == 0;
  }

  size_t Limit;
  unsigned Halvings = 0;
  bool Overflowed = false;
  std::vector<MissEvent> All;
};

} // namespace graupel::dsm::trace

#endif
