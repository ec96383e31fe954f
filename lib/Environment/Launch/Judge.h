//===- Launch/Judge.h - Are the new versions better? ---------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_LAUNCH_JUDGE_H
#define GRAUPEL_ENVIRONMENT_LAUNCH_JUDGE_H

#include "Environment/Actions/Make.h"
#include "Measure.h"

namespace graupel::environment {

struct Judgment {
  Verdict Decision = Verdict::Unclear;
  /// The measurement of these versions, made now or before.
  std::optional<Measurement> Measured;
  /// The basis of the decision, for people; if nothing was measured, why not.
  std::string Explanation;

  /// Versions that were measured have to be better, others must not be worse.
  bool keepsOriginals() const;
};

/// Whether the optimized versions \p Made of \p A are better than originals:
///
/// 1. If they were measured before, by that.
/// 2. Else the command that was measured last is run again, in rounds, where it
///    ran then: who gave it to `graupel measure` said that it can be repeated.
///    Commands of `graupel learn` are not run again; they may do anything.
///    If it ends otherwise with the new versions, they are worse. If it fails
///    with all versions, its times say nothing.
/// 3. If there is none, or what is measured decides nothing, by what
///    graupel-bolt predicts (predict()).
Judgment
judge(Environment &E, const Application &A, const std::vector<MadeImage> &Made,
      const std::function<void(unsigned Round, unsigned Rounds)> &Tell);

/// By what graupel-bolt says of \p Made: steps of the front end, which each
/// taken branch and each decode window that is entered costs. Worse if their
/// sum is more than before; undecided if nothing is said.
Judgment predict(const std::vector<MadeImage> &Made);

/// The judgment that follows from \p M and from \p Predicted, which decides
/// if the difference may be chance.
Judgment decide(Measurement M, Judgment Predicted);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_JUDGE_H
