//===- stride/NestExtent.h - Counts and addresses of a nest -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the number of executions of each item of a nest with terms, and the
// range of addresses it refers to. Loops that terms depend on are executed;
// iterations between which everything is affine are summed up.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_NESTEXTENT_H
#define GRAUPEL_STRIDE_NESTEXTENT_H

#include "Terms.h"

namespace graupel::stride {

class NestExtent {
public:
  NestExtent();

  /// The extent of an item. Executions of loops with no iterations do not
  /// count.
  struct Extent {
    uint64_t Executions, Iterations; ///< References have no iterations.
    uint64_t Least, Most;
    uint64_t Low, High; ///< Addresses, by their first bytes.
  };
  /// Valid until the next run.
  const Extent *run(const NestShape &Shape, const uint64_t *Words,
                    const int64_t *Steps, NestTerms &Terms);

private:
  void body(uint32_t Loop, uint64_t Times);
  void enter(uint32_t Item, uint64_t Times);
  void iterate(uint32_t Loop, uint64_t From, uint64_t To, uint64_t Times);
  void varyingLoop(uint32_t Loop, uint64_t Iterations, uint64_t Times);
  uint64_t between(uint32_t Loop, uint32_t Begin, uint32_t Second,
                   uint64_t Left);
  void refer(uint32_t Item, uint64_t Times);

  const NestShape *Shape = nullptr;
  const uint64_t *Words = nullptr;
  const int64_t *Steps = nullptr;
  NestTerms *Terms = nullptr;
  Extent *Extents;
  /// Counts added by the last two periods of a loop.
  struct Sum {
    uint64_t Executions, Iterations;
  };
  Sum *First, *Second;
  uint64_t From[GRAUPEL_STRIDE_NEST_LEVELS], To[GRAUPEL_STRIDE_NEST_LEVELS];
};

} // namespace graupel::stride

#endif
