//===- Manager/Answers.cpp - Answers to requests of the page --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers the page's requests for data. Each function opens the database for
// itself and returns JSON or an error:
//
// 1. overview() adds what was counted to a database that can be written, lists
//    all applications, and describes the wanted one (or the first): its first
//    30 images without coverage, its last 50 runs and its measurements.
// 2. images() describes a range of an application's images, with coverage.
// 3. changes() adds counts at most every five seconds. Its stamp is the hash of
//    a few values of each table that pages show, and of the state of each
//    image's file.
// 4. functions(), difference(), report() and explanation() find an image by its
//    path (ofImage) and hand it to Versions or Reports.
//
//===----------------------------------------------------------------------===//

#include "Answers.h"
#include "Environment/Actions/Describe.h"
#include "Environment/Actions/Register.h"
#include "Environment/Launch/Counters.h"
#include "Names.h"
#include "Perform.h"
#include "Reports.h"
#include "Versions.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace graupel::environment;
using namespace graupel::ui;

/// The number that a large window shows.
static constexpr size_t FirstImages = 30;

/// With the image's name on the page.
static json::Value toPageJSON(const ImageState &S) {
  json::Value Result = toJSON(S);
  (*Result.getAsObject())["path"] = toPage(S.Row.Path);
  return Result;
}

/// Like toJSON(ApplicationState), but with few images and without totals.
static Expected<json::Value> describeFirst(Environment &E,
                                           const Application &A) {
  ApplicationState S;
  S.App = A;
  const std::vector<Image> All = images(E.database(), A.Id);
  for (const Image &I : ArrayRef(All).take_front(FirstImages)) {
    Expected<ImageState> State = describeImage(E, I, /*WithCoverage=*/false);
    if (!State)
      return State.takeError();
    S.Images.push_back(std::move(*State));
  }
  S.Runs = runs(E.database(), A.Id, 50);
  addMeasurements(E.database(), S);
  json::Value Result = toJSON(S);
  json::Object &O = *Result.getAsObject();
  O.erase("predicted_fewer_taken_branches_percent");
  O["image_count"] = int64_t(All.size());
  O["name"] = toPage(A.Name);
  O["main"] = toPage(A.Main);
  json::Array Images;
  for (const ImageState &I : S.Images)
    Images.push_back(toPageJSON(I));
  O["images"] = std::move(Images);
  return Result;
}

Expected<json::Value> Answers::overview(const std::string &Name) const {
  auto E = Environment::openToLook(L);
  if (!E)
    return E.takeError();
  json::Array Warnings, List;
  // Whoever looks wants to see what has been counted.
  if (!(*E)->readOnly())
    for (const std::string &Problem : collectCounters(**E).Problems)
      Warnings.push_back(json::fixUTF8(Problem));
  Connection &DB = (*E)->database();
  const std::vector<Application> All = applications(DB);
  const Application *Chosen = All.empty() ? nullptr : &All.front();
  for (const Application &A : All) {
    if (A.Name == Name)
      Chosen = &A;
    List.push_back(json::Object{{"name", toPage(A.Name)},
                                {"main", toPage(A.Main)},
                                {"runs", name(A.Runs)}});
  }
  SmallString<256> Here;
  sys::fs::current_path(Here);
  json::Object Result{{"state", json::fixUTF8(L.State)},
                      {"folder", json::fixUTF8(Here)},
                      {"read_only", (*E)->readOnly()},
                      {"warnings", std::move(Warnings)},
                      {"now", now()},
                      {"applications", std::move(List)}};
  if (Chosen) {
    Expected<json::Value> First = describeFirst(**E, *Chosen);
    if (!First)
      return First.takeError();
    Result["chosen"] = std::move(*First);
  }
  if (Error Err = DB.check())
    return Err;
  return Result;
}

Expected<json::Value> Answers::images(const std::string &Name, size_t From,
                                      size_t Count) const {
  auto E = Environment::openToLook(L);
  if (!E)
    return E.takeError();
  auto App = requireApplication(**E, Name);
  if (!App)
    return App.takeError();
  const std::vector<Image> All = environment::images((*E)->database(), App->Id);
  json::Array List;
  for (const Image &I :
       ArrayRef(All).drop_front(std::min(From, All.size())).take_front(Count)) {
    Expected<ImageState> State = describeImage(**E, I, /*WithCoverage=*/true);
    if (!State)
      return State.takeError();
    List.push_back(toPageJSON(*State));
  }
  if (Error Err = (*E)->database().check())
    return Err;
  return json::Object{{"image_count", int64_t(All.size())},
                      {"images", std::move(List)}};
}

/// All that pages show, but for what files of images are now.
static const char *const Shown[] = {
    "SELECT count(*), max(id), group_concat(name || mode || registered) FROM "
    "applications",
    "SELECT count(*), max(id), group_concat(image) FROM application_images, "
    "(SELECT max(id) AS id FROM images)",
    "SELECT count(*), max(id), sum(made) FROM versions",
    "SELECT count(*), max(id), total(ended) || total(counted) FROM runs",
    "SELECT count(*), max(id), sum(files) || ' ' || sum(last) FROM profiles",
    "SELECT count(*), max(id), max(at) FROM measurements",
    "SELECT count(*), group_concat(image || mode), group_concat(store) FROM "
    "choices",
};

bool Answers::isTimeToCollect() {
  std::lock_guard Guard(Lock);
  const auto Now = std::chrono::steady_clock::now();
  if (Now - Collected < std::chrono::seconds(5))
    return false;
  Collected = Now;
  return true;
}

Expected<json::Value> Answers::changes() {
  auto E = Environment::openToLook(L);
  if (!E)
    return E.takeError();
  Connection &DB = (*E)->database();
  if (!(*E)->readOnly() && isTimeToCollect())
    collectCounters(**E);
  std::string Text;
  for (const char *SQL : Shown) {
    Statement S(DB, SQL);
    if (S.next())
      for (int Column : {0, 1, 2})
        Text += S.text(Column) + '\n';
  }
  for (const Image &I : allImages(DB)) {
    Text += I.Unfit;
    // The state of the file: unchanged, its new time, or gone.
    auto Now = FileIdentity::of(I.Path);
    const bool IsSame = Now && *Now == I.Identity;
    Text += IsSame ? "s" : Now ? std::to_string(Now->ModifyTime) : "g";
    if (!Now)
      consumeError(Now.takeError());
  }
  if (Error Err = DB.check())
    return Err;
  return json::Object{{"stamp", sha256(Text)}};
}

// --- One image ---------------------------------------------------------------

Expected<json::Value> Answers::ofImage(
    const std::string &Path,
    function_ref<Expected<json::Value>(Environment &, const Image &)> Answer)
    const {
  auto E = Environment::openToLook(L);
  if (!E)
    return E.takeError();
  auto I = requireImage(**E, Path);
  if (!I)
    return I.takeError();
  return Answer(**E, *I);
}

Expected<json::Value> Answers::functions(const std::string &Path) const {
  return ofImage(Path, hotFunctions);
}

Expected<json::Value> Answers::difference(const std::string &Path,
                                          const std::string &Before,
                                          const std::string &After) const {
  return ofImage(Path, [&](Environment &E, const Image &I) {
    return ui::difference(E, I, Before, After);
  });
}

Expected<json::Value> Answers::report(const std::string &Path,
                                      const std::string &Version) const {
  return ofImage(Path, [&](Environment &E, const Image &I) {
    return readReport(E, I, Version);
  });
}

Expected<json::Value> Answers::explanation(const std::string &Path,
                                           const std::string &Version,
                                           const std::string &Function) const {
  return ofImage(Path, [&](Environment &E, const Image &I) {
    return readExplanation(E, I, Version, Function);
  });
}
