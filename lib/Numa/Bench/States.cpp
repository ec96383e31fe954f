//===- Numa/Bench/States.cpp - States of a line in all caches -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "States.h"

namespace graupel::numa::bench {

const char *nameOf(State S) {
  static const char *const Names[] = {"-",    "UOWN", "SHRD", "CEXH",
                                      "CEXM", "DEXD", "DEXT"};
  return Names[unsigned(S)];
}

std::vector<Step> stepsTo(State S, unsigned Others, bool LocalShares) {
  using enum Step::Actor;
  using enum Step::Action;
  if (S == State::None)
    return {};
  if (S == State::UOWN)
    return {{Local, Flush}};
  if (Others == 0)
    return {};
  switch (S) {
  case State::SHRD:
    if (LocalShares)
      return {{Local, Flush}, {Sharers, Load}, {Local, Load}};
    // One reader alone would own the lines. A flush would take them away from
    // the other, too.
    if (Others == 1)
      return {{Local, Flush}, {Local, Load}, {Sharers, Load}, {Local, Drop}};
    return {{Local, Flush}, {Sharers, Load}};
  case State::CEXH:
    return {{Local, Flush}, {Owner, Load}};
  case State::CEXM:
    return {{Local, Flush}, {Owner, Load}, {Owner, DropAll}};
  default:
    return {{Local, Flush}, {Owner, Store}};
  }
}

} // namespace graupel::numa::bench
