//===- ReadHolds.h - Stores to what is held for reading ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code without checks that is given memory by gdsm_fetch(..., GDSM_READ) may
// store there all the same. Nothing traps; where the node may only read, the
// store is lost when the block is taken away. So:
//
//  1. When a range is held, each page's bytes that the node may only read are
//     summed up, and their granules counted.
//  2. When it is released, the same is done again. Another sum of as many
//     granules is a store: checked code stores after the node got the right to,
//     which takes the granules out of both.
//  3. It is told as a note, once for each place that holds. Another thread that
//     stores to the range at that time, and loses the right again, looks alike.
//
// Only the first MostBytes of long ranges are looked at.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_FOREIGN_READHOLDS_H
#define GRAUPEL_DSM_FOREIGN_READHOLDS_H

#include "graupel/dsm_checks.h"
#include <cstdint>
#include <vector>

namespace graupel::dsm {

/// One range that a thread holds for reading.
class ReadHold {
public:
  static constexpr uint64_t MostBytes = 1 << 20;

  /// The range has just been acquired, for a caller that returns to Pc. Nothing
  /// is looked at if it is held for stores, or if there is no other node.
  void begin(const graupel_dsm_range &, uintptr_t Pc);
  /// The same range has been acquired again: others may have stored meanwhile.
  void renew();
  /// Tells of what was stored; the range is still valid.
  void end();

private:
  struct PageSum {
    uint64_t Sum = 0;
    uint32_t Granules = 0;
  };
  static PageSum sumOf(uintptr_t Start, uintptr_t End);
  template <class F> void forEachPage(F Use) const;

  uintptr_t Start = 0, End = 0, Pc = 0;
  std::vector<PageSum> Pages;
};

} // namespace graupel::dsm

#endif
