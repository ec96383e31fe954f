//===- Numa/Plan/Reasons.h - Why, and why not ----------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_PLAN_REASONS_H
#define GRAUPEL_NUMA_PLAN_REASONS_H

#include "Plan.h"

namespace graupel::numa {

/// The costs of a plan, the most important first.
struct Weight {
  double Missing = 0;   ///< Bytes that have no memory where they should be.
  double Congested = 0; ///< Bytes beyond what nodes can serve.
  double Far = 0;       ///< Outcome::Far

  /// By more than `Margin` of the object's bytes, or a hundredth of all.
  bool isBetterThan(const Weight &W, double AllBytes, double Bytes,
                    double Margin = 0.01) const;
};

/// Sentences about one object of a plan.
class Reasons {
public:
  Reasons(const Topology &T, const Plan &P, const Weight &Chosen, double Bytes)
      : T(T), P(P), Chosen(Chosen), Bytes(Bytes) {}

  std::string why(const Choice &C, const Outcome &O, const Demand &D,
                  bool Nameless) const;
  /// `W` is what the plan would cost with it. `Later`: it is less plain.
  std::string whyNot(const Choice &C, const Outcome &O, const Weight &W,
                     bool Later) const;

private:
  const Topology &T;
  const Plan &P;
  Weight Chosen;
  double Bytes;
};

/// "12.3 %" of a whole that may be 0.
std::string percentOf(double Part, double Whole);

std::string sayNoFunction(uint64_t Milliseconds);
std::string sayChanges(double Before, double After, double Bytes);
std::string sayNoCopies(const Demand &D);

} // namespace graupel::numa

#endif
