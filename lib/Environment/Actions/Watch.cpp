//===- Actions/Watch.cpp - Versions that are brought up to date -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Look at each image of an application. It needs a new version if its file
//    has changed, if something was counted since its newest version was made,
//    or if what it executes has drifted by more than LeastDrift (occasion).
//    An image is not tried again with the same counts, unless it failed for a
//    reason that has nothing to do with the image.
// 2. Drift is half the distance of the shares that counters, or samples, have
//    of all: 0 if nothing has changed, 100 if nothing is the same
//    (driftPercent). For samples, the expected difference by chance is
//    subtracted.
// 3. Make the version with the options of the one before, and report the
//    outcome (look).
//
//===----------------------------------------------------------------------===//

#include "Watch.h"
#include "Actions/Register.h"
#include "Actions/Sources.h"
#include "Environment/Process/Words.h"
#include "Profile/ProfileFile.h"
#include "Samples/Samples.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace graupel::environment;

/// Versions made for less than that gain nothing from being made again.
static constexpr double LeastDrift = 5;

StringRef graupel::environment::name(Occasion O) {
  static const char *const Names[] = {"changed", "counted", "drifted"};
  return Names[int(O)];
}

std::string graupel::environment::reason(const WatchEvent &Event) {
  switch (Event.Why) {
  case Occasion::Changed:
    return "the file has changed";
  case Occasion::Counted:
    return "there are new counts";
  case Occasion::Drifted:
    break;
  }
  if (!Event.Drift)
    return "it is counted otherwise";
  return formatv("what it executes has drifted by {0:f1} %", *Event.Drift);
}

/// The same of samples, beyond what two samples of one program differ by: the
/// difference of two shares near P of samples of M and N is about
/// sqrt(2/pi P(1-P)(1/M + 1/N)).
static std::optional<double> driftOfSamples(const Samples &A,
                                            const Samples &B) {
  if (A.empty() || B.empty() || A.hasBranches() != B.hasBranches())
    return std::nullopt;
  double Apart = 0;
  const double TotalA = A.total(), TotalB = B.total();
  auto add = [&](double InA, double InB) {
    const double P = (InA + InB) / (TotalA + TotalB);
    Apart += std::abs(InA / TotalA - InB / TotalB) -
             std::sqrt((2 / M_PI) * P * (1 - P) * (1 / TotalA + 1 / TotalB));
  };
  for (const auto &[Place, Row] : A.rows()) {
    const auto It = B.rows().find(Place);
    add(double(Row[1]), It == B.rows().end() ? 0 : double(It->second[1]));
  }
  for (const auto &[Place, Row] : B.rows())
    if (!A.rows().count(Place))
      add(0, double(Row[1]));
  return std::max(0.0, 50 * Apart);
}

std::optional<double> graupel::environment::driftPercent(StringRef Before,
                                                         StringRef Now) {
  if (!graupel::isProfile(Before) && !graupel::isProfile(Now))
    return driftOfSamples(Samples(Before), Samples(Now));
  Expected<graupel::Profile> A = graupel::readProfile(Before),
                             B = graupel::readProfile(Now);
  if (!A || !B) {
    consumeError(A.takeError());
    consumeError(B.takeError());
    return std::nullopt;
  }
  const double TotalA = A->total(), TotalB = B->total();
  if (A->MetadataBytes != B->MetadataBytes || TotalA == 0 || TotalB == 0)
    return std::nullopt;
  double Apart = 0;
  for (auto [X, Y] : zip_equal(A->Counters, B->Counters))
    Apart += std::abs(double(X) / TotalA - double(Y) / TotalB);
  return 50 * Apart;
}

/// The options that it was made with when somebody asked for it.
static Expected<std::vector<std::string>> optionsOf(Connection &DB,
                                                    StringRef Content) {
  const std::optional<Version> V = newestVersion(DB, Content, Kind::Optimized);
  return splitWords(V ? StringRef(V->Options) : "");
}

static Expected<MadeImage> makeAgain(Environment &E, const Image &I) {
  auto Options = optionsOf(E.database(), I.Content);
  if (!Options)
    return Options.takeError();
  return makeVersion(E, I, Kind::Optimized, *Options, /*Retry=*/false);
}

/// Key of an attempt: the image and the profiles that a new version would be
/// made with.
static std::string triedAs(Connection &DB, const Image &I) {
  return I.Content + identityOf(profileSources(DB, I));
}

/// Why a version of it should be made now, if one should.
std::optional<WatchEvent> Watcher::occasion(Environment &E,
                                            const Image &Known) {
  Connection &DB = E.database();
  WatchEvent Event;
  Event.Made.Input = Known;
  Expected<Image> Now = lookAtImage(DB, Known.Path);
  if (!Now) { // It may be on its way.
    consumeError(Now.takeError());
    return std::nullopt;
  }
  Event.Why = Occasion::Changed;
  if (Now->Content != Known.Content)
    return Event;
  if (!Known.Unfit.empty())
    return std::nullopt;
  const auto Sources = profileSources(DB, Known);
  const std::string Identity = identityOf(Sources);
  if (Sources.empty() || Tried.count(Known.Content + Identity))
    return std::nullopt;
  const std::optional<Version> V =
      newestVersion(DB, Known.Content, Kind::Optimized);
  if (V && V->Profile == Identity)
    return std::nullopt;
  Event.Why = Occasion::Counted;
  const std::string Before = V ? usedProfile(DB, V->Id) : "";
  if (Before.empty() || Sources.front().IsOlder)
    return Event;
  Event.Why = Occasion::Drifted;
  Event.Drift = driftPercent(Before, Sources.front().Bytes);
  if (!Event.Drift || *Event.Drift >= LeastDrift)
    return Event;
  Tried.insert(Known.Content + Identity);
  return std::nullopt;
}

Error Watcher::look(Environment &E, const Application &A,
                    const std::function<void(const WatchEvent &)> &Tell) {
  for (const Image &I : images(E.database(), A.Id)) {
    std::optional<WatchEvent> Event = occasion(E, I);
    if (Error Err = E.database().check())
      return Err;
    if (!Event)
      continue;
    Event->Application = A.Name;
    const std::string Attempt = triedAs(E.database(), I);
    Expected<MadeImage> Made = makeAgain(E, I);
    if (Made) {
      // Also if it failed: so it would again.
      Event->Made = std::move(*Made);
      Tried.insert(Attempt);
      Failing.erase(I.Path);
    } else {
      // The disk may be full now. It is said once, until it says otherwise.
      Event->Made.Status = MadeImage::State::Failed;
      Event->Made.Why = toString(Made.takeError());
      if (std::exchange(Failing[I.Path], Event->Made.Why) == Event->Made.Why)
        continue;
    }
    // Somebody else may have been faster.
    if (Event->Made.Status != MadeImage::State::Ready)
      Tell(*Event);
  }
  return E.database().check();
}
