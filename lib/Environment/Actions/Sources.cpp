//===- Actions/Sources.cpp - The counts of an image -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the profiles that an image is optimized by, and sums them.
//
// 1. bestProfile chooses by how a profile was made: counted or imported, then
//    samples with branches, then others.
// 2. profileSources takes the best profile of the image itself. An imported
//    one, or samples with branches, stand alone. Otherwise counts of builds
//    before it follow, the newest first, up to four profiles. Samples without
//    branches come last.
// 3. addResults and takeResults write and read the rows that tell how older
//    counts were used; sentence says it in words. matchedPercent finds the
//    percentage in graupel-bolt's output.
// 4. sumProfiles writes the newest counts to a file. For each older build it
//    halves the weight, and lowers it if that build has counted more.
// 5. addOlder has `graupel-bolt merge` add the older build. A build with little
//    in common is left out.
//
//===----------------------------------------------------------------------===//

#include "Sources.h"
#include "Profile/ProfileFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;
using namespace graupel::environment;

/// Weight of a build relative to the next newer one.
static constexpr double Decay = 0.5;
/// Builds further back would weigh next to nothing.
static constexpr size_t MostSources = 4;

std::optional<ProfileRow>
graupel::environment::bestProfile(ArrayRef<ProfileRow> Rows) {
  // Rows are in the order in which they were added to.
  for (auto Suits : {+[](Method M) {
                       return M == Method::Counters || M == Method::Imported;
                     },
                     +[](Method M) { return M == Method::BranchSamples; },
                     +[](Method M) { return M == Method::Samples; }})
    for (const ProfileRow &Row : Rows)
      if (Suits(Row.ProfileMethod))
        return Row;
  return std::nullopt;
}

std::vector<ProfileSource>
graupel::environment::profileSources(Connection &DB, const Image &I) {
  std::vector<ProfileSource> Result;
  auto add = [&](const ProfileRow &Row, bool IsOlder) {
    Result.push_back({Row, profileBytes(DB, Row.Id), IsOlder});
  };
  const auto Own = bestProfile(profiles(DB, I.Content));
  const bool IsGuess = Own && Own->ProfileMethod == Method::Samples;
  if (Own && !IsGuess)
    add(*Own, false);
  if (Own && Own->ProfileMethod != Method::Counters && !IsGuess)
    return Result;
  for (const std::string &Content : formerContents(DB, I)) {
    if (Result.size() == MostSources)
      break;
    const auto Rows = profiles(DB, Content);
    const auto It = find_if(Rows, [](const ProfileRow &R) {
      return R.ProfileMethod == Method::Counters;
    });
    if (It != Rows.end())
      add(*It, true);
  }
  if (IsGuess)
    add(*Own, false);
  return Result;
}

std::optional<ProfileSource>
graupel::environment::takeLastResort(std::vector<ProfileSource> &Sources) {
  if (Sources.size() < 2 || Sources.back().IsOlder)
    return std::nullopt;
  ProfileSource Last = std::move(Sources.back());
  Sources.pop_back();
  return Last;
}

const ProfileSource *
graupel::environment::ownProfile(ArrayRef<ProfileSource> Sources) {
  const auto *It =
      find_if(Sources, [](const ProfileSource &S) { return !S.IsOlder; });
  return It == Sources.end() ? nullptr : It;
}

std::string graupel::environment::identityOf(ArrayRef<ProfileSource> Sources) {
  std::string All;
  for (const ProfileSource &S : Sources)
    All += sha256(S.Bytes);
  return Sources.size() == 1 ? All : sha256(All);
}

// --- Results -----------------------------------------------------------------

static constexpr StringRef OwnName = "profile_own",
                           BuildsName = "profile_older_builds",
                           MatchedName = "profile_matched_percent";

void graupel::environment::addResults(const OlderCounts &Counts,
                                      std::vector<Result> &Results) {
  if (!Counts.Builds)
    return;
  Results.push_back({OwnName.str(), double(Counts.HasOwn)});
  Results.push_back({BuildsName.str(), double(Counts.Builds)});
  if (Counts.Matched)
    Results.push_back({MatchedName.str(), *Counts.Matched});
}

OlderCounts graupel::environment::takeResults(std::vector<Result> &Results) {
  OlderCounts Counts;
  erase_if(Results, [&](const Result &R) {
    if (R.Name == OwnName)
      Counts.HasOwn = R.Value != 0;
    else if (R.Name == BuildsName)
      Counts.Builds = int(R.Value);
    else if (R.Name == MatchedName)
      Counts.Matched = R.Value;
    else
      return false;
    return true;
  });
  return Counts;
}

std::string graupel::environment::sentence(const OlderCounts &Counts) {
  if (!Counts.Builds)
    return "";
  const std::string Builds =
      Counts.Builds == 1 ? "an older build"
                         : std::to_string(Counts.Builds) + " older builds";
  std::string Text =
      (Counts.HasOwn ? "profile with counts of " : "profile of ") + Builds;
  if (Counts.Matched)
    Text += formatv(", {0:f1} % matched", *Counts.Matched).str();
  return Text;
}

std::optional<double> graupel::environment::matchedPercent(StringRef Output) {
  static const char *const Texts[] = {
      "is of another file: matched .* with ([0-9.]+) % of the executed",
      "counted otherwise; ([0-9.]+) % of its counts fit"};
  for (const char *Text : Texts) {
    SmallVector<StringRef> Parts;
    double Percent;
    if (Regex(Text).match(Output, &Parts) && to_float(Parts[1], Percent))
      return Percent;
  }
  return std::nullopt;
}

// --- Sums --------------------------------------------------------------------

Error graupel::environment::writeFile(const std::string &Path,
                                      StringRef Bytes) {
  std::error_code EC;
  raw_fd_ostream OS(Path, EC);
  if (!EC) {
    OS << Bytes;
    OS.close();
    EC = OS.error();
    OS.clear_error();
  }
  return EC ? createStringError(Path + ": cannot be written: " + EC.message() +
                                "; free some space")
            : Error::success();
}

static double totalOf(StringRef Bytes) {
  Expected<graupel::Profile> P = graupel::readProfile(Bytes);
  if (!P) {
    consumeError(P.takeError());
    return 0; // graupel-bolt says what is wrong with it.
  }
  return P->total();
}

/// Adds an older build to the sum. False if it has little in common with it.
static Expected<bool> addOlder(const Optimizer &O, const ScratchFiles &Files,
                               double Weight, OlderCounts &To) {
  Expected<Optimizer::Outcome> Done =
      O.run({"merge", formatv("-decay={0:f9}", Weight).str(), "-o", Files.Next,
             Files.Sum, Files.Older});
  if (!Done)
    return Done.takeError();
  if (StringRef(Done->Failure).contains("little in common"))
    return false;
  if (!Done->Failure.empty())
    return createStringError(Done->Failure);
  if (rename(Files.Next.c_str(), Files.Sum.c_str()) != 0)
    return createStringError(Files.Sum + ": " + strerror(errno) +
                             "; try again");
  if (!To.Builds++)
    To.Matched = matchedPercent(Done->Output);
  return true;
}

Expected<OlderCounts>
graupel::environment::sumProfiles(const Optimizer &O,
                                  ArrayRef<ProfileSource> Sources,
                                  const ScratchFiles &Files) {
  // A process that was killed at once has counted nothing.
  while (Sources.size() > 1 && totalOf(Sources.front().Bytes) == 0)
    Sources = Sources.drop_front();
  if (Error Err = writeFile(Files.Sum, Sources.front().Bytes))
    return Err;
  OlderCounts Result;
  Result.HasOwn = !Sources.front().IsOlder;
  double Newer = totalOf(Sources.front().Bytes), Weight = 1;
  for (const ProfileSource &S : Sources.drop_front()) {
    const double Total = totalOf(S.Bytes);
    if (Total == 0)
      continue;
    Weight *= Decay;
    if (Error Err = writeFile(Files.Older, S.Bytes))
      return Err;
    Expected<bool> Added =
        addOlder(O, Files, Weight * std::min(1.0, Newer / Total), Result);
    if (!Added)
      return Added.takeError();
  }
  if (!Result.HasOwn) {
    ++Result.Builds;
    Result.Matched.reset(); // The next step finds it for the new build.
  }
  return Result;
}
