//===- Actions/Describe.cpp - The state of an application -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. For each image, compare its file with the registered one and collect its
//    versions, the one that runs with its predictions, and the coverage of its
//    profile.
// 2. For the application, collect these, its last runs and measurements, and
//    the files that `graupel enable` made for it.
// 3. Write all that as JSON, as docs/environment.md describes it.
//
// Nothing is written.
//
//===----------------------------------------------------------------------===//

#include "Describe.h"
#include "Actions/Choose.h"
#include "Actions/Profiles.h"
#include "Profile/EdgeCounts.h"
#include "Profile/ProfileFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace graupel::environment;

StringRef graupel::environment::name(ImageState::Condition C) {
  static const char *const Names[] = {"same", "changed", "gone"};
  return Names[int(C)];
}

const Version *ImageState::version(Kind K) const {
  for (const Version &V : Versions)
    if (V.VersionKind == K && !V.Store.empty())
      return &V;
  return nullptr;
}

const Version *ImageState::optimized() const {
  if (!Chosen || Chosen->Runs == Mode::Instrumented ||
      (Chosen->Runs == Mode::Optimized && Chosen->Store.empty()))
    return version(Kind::Optimized);
  for (const Version &V : Versions)
    if (Chosen->Runs == Mode::Optimized && V.Store == Chosen->Store)
      return &V;
  return nullptr;
}

static ImageState::Condition conditionOf(Connection &DB, const Image &I) {
  Expected<FileIdentity> Current = FileIdentity::of(I.Path);
  if (!Current) {
    consumeError(Current.takeError());
    return ImageState::Condition::Gone;
  }
  if (*Current == I.Identity)
    return ImageState::Condition::Same;
  Expected<HashedFile> Hashed = hashFile(I.Path);
  if (!Hashed) {
    consumeError(Hashed.takeError());
    return ImageState::Condition::Gone;
  }
  const bool IsSame = Hashed->Content == I.Content ||
                      originalOf(DB, Hashed->Content) == I.Content;
  return IsSame ? ImageState::Condition::Same : ImageState::Condition::Changed;
}

static void addCoverage(const graupel::Profile &P,
                        const graupel::FunctionProfile &F, Coverage &To) {
  const graupel::Flow Flow = graupel::edgeCounts(P, F);
  std::vector<bool> Executed(F.numBlocks() + 1);
  for (auto [Edge, Count] : zip_equal(F.Edges, Flow.Counts))
    if (Count)
      Executed[Edge.From] = Executed[Edge.To] = true;
  Executed.pop_back(); // The outside.
  const auto Blocks = uint64_t(count(Executed, true));
  ++To.Functions;
  To.ExecutedFunctions += Blocks != 0;
  To.Blocks += F.numBlocks();
  To.ExecutedBlocks += Blocks;
}

static Expected<Coverage> coverageOf(StringRef Bytes) {
  Expected<graupel::Profile> P = graupel::readProfile(Bytes);
  if (!P)
    return P.takeError();
  Coverage Result;
  for (const graupel::FunctionProfile &F : P->Meta.Functions)
    addCoverage(*P, F, Result);
  return Result;
}

Expected<ImageState> graupel::environment::describeImage(Environment &E,
                                                         const Image &I,
                                                         bool WithCoverage) {
  Connection &DB = E.database();
  ImageState S;
  S.Row = I;
  S.OnDisk = conditionOf(DB, I);
  S.Versions = versions(DB, I.Content);
  for (Kind K : {Kind::Instrumented, Kind::Optimized})
    if (const Version *V = S.version(K);
        V && !sys::fs::exists(E.store().path(V->Store)))
      S.Lost.push_back(K);
  S.Chosen = choiceFor(DB, I.Id);
  const Version *Optimized = S.version(Kind::Optimized);
  if (const Version *Runs = S.optimized())
    S.Predicted = results(DB, Runs->Id);
  S.Used = takeResults(S.Predicted);
  const auto Sources = profileSources(DB, I);
  const auto Older = find_if(
      Sources, [](const ProfileSource &Source) { return Source.IsOlder; });
  if (Older != Sources.end())
    S.Older = Older->Row;
  if (const ProfileSource *Own = ownProfile(Sources)) {
    S.Counts.emplace();
    S.Counts->Row = Own->Row;
    const std::string &Bytes = Own->Bytes;
    S.Counts->IsNewer = Optimized && Optimized->Profile != identityOf(Sources);
    if (WithCoverage && S.Counts->Row.ProfileMethod == Method::Counters) {
      Expected<Coverage> Share = coverageOf(Bytes);
      if (!Share)
        return Share.takeError();
      S.Counts->Share = *Share;
    }
  }
  if (Error Err = DB.check())
    return Err;
  return S;
}

void graupel::environment::addMeasurements(Connection &DB,
                                           ApplicationState &S) {
  S.Measured = measurements(DB, S.App.Id, 10);
  if (S.Measured.empty())
    return;
  std::vector<std::string> Stores;
  for (const Image &I : images(DB, S.App.Id))
    if (auto V = optimizedVersion(DB, I);
        V && I.Unfit.empty() &&
        conditionOf(DB, I) == ImageState::Condition::Same)
      Stores.push_back(V->Store);
  S.Versions = versionsOf(Stores);
}

Expected<ApplicationState> graupel::environment::describe(Environment &E,
                                                          const Application &A,
                                                          bool WithCoverage) {
  ApplicationState S;
  S.App = A;
  for (const Image &I : images(E.database(), A.Id)) {
    Expected<ImageState> State = describeImage(E, I, WithCoverage);
    if (!State)
      return State.takeError();
    S.Images.push_back(std::move(*State));
  }
  for (Starter &File : starters(E.database(), A.Id)) {
    std::string Wrong = whatIsWrong(E, A, File);
    S.Starters.push_back({std::move(File), std::move(Wrong)});
  }
  S.Runs = runs(E.database(), A.Id, 20);
  addMeasurements(E.database(), S);
  if (Error Err = E.database().check())
    return Err;
  return S;
}

const Measurement *ApplicationState::lastMeasurement() const {
  const auto It = find_if(
      Measured, [&](const Measurement &M) { return M.Versions == Versions; });
  return It == Measured.end() ? nullptr : &*It;
}

static double figure(const ImageState &I, StringRef Name) {
  for (const Result &R : I.Predicted)
    if (R.Name == Name)
      return R.Value;
  return 0;
}

std::optional<double>
graupel::environment::predictedBranches(const ApplicationState &A) {
  double Before = 0, After = 0;
  for (const ImageState &I : A.Images) {
    Before += figure(I, "taken_branches_before");
    After += figure(I, "taken_branches_after");
  }
  if (Before == 0)
    return std::nullopt;
  return 100 * (Before - After) / Before;
}

// --- JSON --------------------------------------------------------------------

static json::Object toJSON(const Version &V) {
  json::Object O{{"kind", name(V.VersionKind)},
                 {"store", V.Store},
                 {"build_id", V.BuildID},
                 {"bytes", V.Size},
                 {"graupel_bolt", json::fixUTF8(V.Tool)},
                 {"options", json::fixUTF8(V.Options)},
                 {"made", V.Made},
                 {"seconds", V.Seconds},
                 {"profile", V.Profile}};
  if (!V.Failure.empty())
    O["failure"] = json::fixUTF8(V.Failure);
  return O;
}

static json::Object toJSON(const ProfileState &P) {
  json::Object O{{"plan", P.Row.Plan},   {"method", name(P.Row.ProfileMethod)},
                 {"files", P.Row.Files}, {"first", P.Row.First},
                 {"last", P.Row.Last},   {"newer_than_optimized", P.IsNewer}};
  if (P.Share.Functions)
    O["coverage"] =
        json::Object{{"functions", P.Share.Functions},
                     {"executed_functions", P.Share.ExecutedFunctions},
                     {"blocks", P.Share.Blocks},
                     {"executed_blocks", P.Share.ExecutedBlocks}};
  return O;
}

static json::Object olderToJSON(const ProfileRow &Row,
                                const OlderCounts &Used) {
  json::Object O{{"content", Row.Content},
                 {"files", Row.Files},
                 {"first", Row.First},
                 {"last", Row.Last},
                 {"used_builds", Used.Builds}};
  if (Used.Matched)
    O["matched_percent"] = *Used.Matched;
  return O;
}

json::Value graupel::environment::toJSON(const Run &R) {
  json::Object O{{"id", R.Id},       {"command", json::fixUTF8(R.Command)},
                 {"mode", R.Mode},   {"method", name(R.ProfileMethod)},
                 {"began", R.Began}, {"counted", R.Counted}};
  if (auto Weight = weightOf(R))
    O["weight"] = *Weight;
  if (R.Ended) {
    O["ended"] = *R.Ended;
    O["status"] = R.Status;
    O["user_seconds"] = R.UserSeconds;
    O["wall_seconds"] = R.WallSeconds;
  }
  return O;
}

json::Value graupel::environment::toJSON(const ImageState &I) {
  json::Array Versions;
  for (const Version &V : I.Versions)
    Versions.push_back(::toJSON(V));
  json::Object O{
      {"path", json::fixUTF8(I.Row.Path)}, {"role", I.Row.Role},
      {"content", I.Row.Content},          {"build_id", I.Row.BuildID},
      {"on_disk", name(I.OnDisk)},         {"versions", std::move(Versions)}};
  if (I.Chosen)
    O["chosen"] =
        I.Chosen->Store.empty() ? name(I.Chosen->Runs).str() : I.Chosen->Store;
  if (!I.Row.Unfit.empty())
    O["left_alone"] = json::fixUTF8(I.Row.Unfit);
  json::Array Lost;
  for (Kind K : I.Lost)
    Lost.push_back(name(K));
  if (!Lost.empty())
    O["lost"] = std::move(Lost);
  if (I.Counts)
    O["profile"] = ::toJSON(*I.Counts);
  if (I.Older)
    O["older_profile"] = olderToJSON(*I.Older, I.Used);
  json::Object Predicted;
  for (const Result &R : I.Predicted)
    Predicted[R.Name] = R.Value;
  if (!Predicted.empty())
    O["predicted"] = std::move(Predicted);
  return O;
}

json::Value graupel::environment::toJSON(const ApplicationState &A) {
  json::Array Images, Runs, Measured;
  for (const ImageState &I : A.Images)
    Images.push_back(toJSON(I));
  for (const Run &R : A.Runs)
    Runs.push_back(toJSON(R));
  const Measurement *Last = A.lastMeasurement();
  for (const Measurement &M : A.Measured) {
    json::Object O = toJSON(M);
    O["runs_now"] = Last && M.Versions == Last->Versions;
    Measured.push_back(std::move(O));
  }
  json::Object O{
      {"name", json::fixUTF8(A.App.Name)}, {"main", json::fixUTF8(A.App.Main)},
      {"runs", name(A.App.Runs)},          {"registered", A.App.Registered},
      {"images", std::move(Images)},       {"last_runs", std::move(Runs)},
      {"measured", std::move(Measured)}};
  json::Array Starters;
  for (const auto &[File, Wrong] : A.Starters)
    Starters.push_back(json::Object{{"file", json::fixUTF8(File.File)},
                                    {"unit", json::fixUTF8(File.Unit)},
                                    {"wrong", json::fixUTF8(Wrong)}});
  if (!Starters.empty())
    O["started_by"] = std::move(Starters);
  if (auto Percent = predictedBranches(A))
    O["predicted_fewer_taken_branches_percent"] = *Percent;
  return O;
}
