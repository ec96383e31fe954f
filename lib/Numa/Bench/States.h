//===- Numa/Bench/States.h - States of a line in all caches --- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The six composite states of (Prestor 2001, table 4.1): what the caches of the
// measuring processor (local), of others (owner, sharers), and the directory at
// home know of a line. Nobody can set them; they are what is left of loads,
// stores and flushes by several processors, in steps.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_STATES_H
#define GRAUPEL_NUMA_BENCH_STATES_H

#include <vector>

namespace graupel::numa::bench {

enum class State {
  None, ///< The state that the kernel before has left.
  UOWN, ///< Only memory has it.
  SHRD, ///< Sharers have it; the local processor may, too.
  CEXH, ///< Its owner has it, unmodified.
  CEXM, ///< Its owner had it, and has dropped it without notice.
  DEXD, ///< Its owner has modified it; the next one reads.
  DEXT, ///< Its owner has modified it; the next one writes.
};
const char *nameOf(State);

struct Step {
  enum class Actor { Local, Owner, Sharers } By;
  enum class Action {
    Flush,
    Load,
    Store,
    Drop,   ///< Out of private caches, by loading something else.
    DropAll ///< Out of all caches, in the same way.
  } Do;
};

/// The steps that make a state. `LocalShares`: the local processor keeps a
/// copy, too (SHRD only). The owner is the first sharer. Empty if so many
/// sharers cannot make it.
std::vector<Step> stepsTo(State, unsigned Others, bool LocalShares);

} // namespace graupel::numa::bench

#endif
