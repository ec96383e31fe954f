//===- Launch/Judge.cpp - Are the new versions better? --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judge.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace graupel::environment;

/// The fewest whose bounds leave the extremes out.
static constexpr unsigned Rounds = 9;
/// Less than this is not seen in time.
static constexpr double Noticed = 0.002;

/// The sum over all images; none if nothing is predicted of it.
static std::optional<double> sumOf(const std::vector<MadeImage> &Made,
                                   StringRef Name) {
  std::optional<double> Sum;
  for (const MadeImage &M : Made)
    for (const Result &R : M.Figures)
      if (R.Name == Name)
        Sum = Sum.value_or(0) + R.Value;
  return Sum;
}

namespace {

/// A figure of all versions, before and after.
struct Change {
  double Before = 0, After = 0;

  double ratio() const { return After / Before; }
  std::string text(StringRef Events) const {
    const double Percent = 100 * (1 - ratio());
    return formatv("{0:f1} % {1} {2}", std::abs(Percent),
                   Percent < 0 ? "more" : "fewer", Events)
        .str();
  }
};

} // namespace

static std::optional<Change> changeOf(const std::vector<MadeImage> &Made,
                                      const std::string &Name) {
  const auto Before = sumOf(Made, Name + "_before");
  const auto After = sumOf(Made, Name + "_after");
  if (!Before || !After || *Before <= 0)
    return std::nullopt;
  return Change{*Before, *After};
}

bool Judgment::keepsOriginals() const {
  return Measured ? Decision != Verdict::Better : Decision == Verdict::Worse;
}

Judgment graupel::environment::predict(const std::vector<MadeImage> &Made) {
  Judgment J;
  const auto Branches = changeOf(Made, "taken_branches"),
             Windows = changeOf(Made, "windows_entered");
  if (!Branches)
    return J;
  J.Explanation = "predicted: " + Branches->text("taken branches");
  if (!Windows)
    return J;
  J.Explanation += ", " + Windows->text("decode windows");
  const Change Steps = {Branches->Before + Windows->Before,
                        Branches->After + Windows->After};
  if (Steps.ratio() > 1 + Noticed)
    J.Decision = Verdict::Worse;
  else if (Steps.ratio() < 1 - Noticed)
    J.Decision = Verdict::Better;
  return J;
}

Judgment graupel::environment::decide(Measurement M, Judgment Predicted) {
  Judgment J = std::move(Predicted);
  const Verdict Seen = verdictOf(M);
  if (Seen != Verdict::Unclear)
    J.Decision = Seen;
  const Comparison Wall = M.compare(&RunTime::Wall);
  const std::string Text = "measured: wall time " + sentence(Wall);
  J.Explanation = Seen == Verdict::Unclear && !J.Explanation.empty()
                      ? Text + "; " + J.Explanation
                      : Text;
  J.Measured = std::move(M);
  return J;
}

static Judgment notMeasured(Judgment Predicted, const std::string &Why) {
  Predicted.Explanation += (Predicted.Explanation.empty() ? "" : "; ") +
                           ("could not be measured: " + Why);
  return Predicted;
}

/// Step 2, with the command of \p Before.
static Judgment measureAgain(Environment &E, const Application &A,
                             const Measurement &Before, Judgment Predicted,
                             const std::function<void(unsigned)> &Tell) {
  Expected<Measurement> Now =
      measure(E, A, Before.Arguments, Before.Folder, Rounds, Tell);
  if (Now && Now->Status)
    return notMeasured(std::move(Predicted), "the command ends with status " +
                                                 std::to_string(Now->Status));
  if (Now)
    if (Error Err = addMeasurement(E, A, *Now))
      return notMeasured(std::move(Predicted), toString(std::move(Err)));
  if (Now)
    return decide(std::move(*Now), std::move(Predicted));
  Error Why = Now.takeError();
  if (!Why.isA<OtherStatus>())
    return notMeasured(std::move(Predicted), toString(std::move(Why)));
  Judgment J;
  J.Decision = Verdict::Worse;
  J.Explanation = "measured: " + toString(std::move(Why));
  return J;
}

Judgment graupel::environment::judge(
    Environment &E, const Application &A, const std::vector<MadeImage> &Made,
    const std::function<void(unsigned, unsigned)> &Tell) {
  Judgment Predicted = predict(Made);
  constexpr int64_t Newest = 10;
  const std::vector<Measurement> Known =
      measurements(E.database(), A.Id, Newest);
  const std::string Versions = optimizedVersions(E, A);
  for (const Measurement &M : Known)
    if (!Versions.empty() && M.Versions == Versions)
      return decide(M, std::move(Predicted));
  for (const Measurement &M : Known)
    if (!M.Arguments.empty())
      return measureAgain(E, A, M, std::move(Predicted),
                          [&](unsigned Round) { Tell(Round, Rounds); });
  return Predicted;
}
