//===- Manager/Answers.cpp - What the page asks for -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Answers.h"
#include "Environment/Actions/Describe.h"
#include "Environment/Actions/Register.h"
#include "Environment/Launch/Counters.h"

using namespace llvm;
using namespace graupel::environment;
using namespace graupel::ui;

/// As many as a large window shows.
static constexpr size_t FirstImages = 30;

/// As toJSON(ApplicationState), with few images and without figures over all.
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
  Result.getAsObject()->erase("predicted_fewer_taken_branches_percent");
  Result.getAsObject()->try_emplace("image_count", int64_t(All.size()));
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
    List.push_back(json::Object{{"name", json::fixUTF8(A.Name)},
                                {"main", json::fixUTF8(A.Main)},
                                {"runs", name(A.Runs)}});
  }
  json::Object Result{{"state", json::fixUTF8(L.State)},
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
    List.push_back(toJSON(*State));
  }
  if (Error Err = (*E)->database().check())
    return Err;
  return json::Object{{"image_count", int64_t(All.size())},
                      {"images", std::move(List)}};
}
