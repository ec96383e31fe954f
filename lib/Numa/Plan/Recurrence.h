//===- Numa/Plan/Recurrence.h - Phases that come again -------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_PLAN_RECURRENCE_H
#define GRAUPEL_NUMA_PLAN_RECURRENCE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace graupel::numa {

/// Remembers phases by who used which pages.
class Recurrence {
public:
  /// Uses of a page, in bytes.
  struct Uses {
    float Loads = 0, Stores = 0;
    int Owner = -1; ///< -1: nobody makes most of it.
  };
  struct Phase {
    std::vector<Uses> Pages; ///< By number; those that come later are unknown.
    double Bytes = 0;        ///< All traffic, the last time.
  };

  /// A phase has begun that may be one of these.
  void begin();
  /// A page was used in it, mostly by that node.
  void see(size_t Page, unsigned Owner, double SeenBytes);
  /// The phase it is, once that can be told.
  const Phase *recognized();
  /// It is over, and was so.
  void end(const std::vector<Uses> &Pages);

private:
  struct Remembered : Phase {
    unsigned Same = 0, Other = 0; ///< Numbers of uses since begin().
    uint64_t LastTime = 0;
  };
  std::vector<Remembered> All;
  std::optional<size_t> Current;
  double Bytes = 0; ///< Since begin().
  uint64_t Time = 0;
};

} // namespace graupel::numa

#endif
