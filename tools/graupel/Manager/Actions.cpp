//===- Manager/Actions.cpp - Actions of buttons ---------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Actions.h"
#include "Environment/Launch/Counters.h"
#include "Names.h"
#include "Perform.h"
#include "Reports.h"
#include "Versions.h"
#include "llvm/ADT/STLExtras.h"
#include "JSON/Parse.h"

using namespace llvm;
using namespace graupel::environment;
using namespace graupel::ui;

namespace {

struct Kindred {
  const char *Name, *Title;
  /// Members that must be there, and are not empty.
  std::vector<const char *> Needs;
  ActionFunction Does;
  bool IsEndless = false;
};

} // namespace

static const std::vector<Kindred> &known() {
  static const std::vector<Kindred> All = {
      {"register", "Register", {"program"}, doRegister},
      {"instrument", "Instrument", {"application"}, doInstrument},
      {"optimize", "Optimize", {"application"}, doOptimize},
      {"choose", "Choose versions of", {"application", "mode"}, doChoose},
      {"export", "Export", {"application", "folder"}, doExport},
      {"unregister", "Unregister", {"application"}, doUnregister},
      {"measure", "Measure", {"application", "command", "folder"}, doMeasure},
      {"import", "Import into", {"image", "file"}, doImport},
      {"watch", "Watch", {"application"}, doWatch, /*IsEndless=*/true},
      {"gc", "Remove old versions", {}, doClean},
      {"use", "Choose the version of", {"image", "version"}, doUse},
      {"report", "Report on", {"image", "version"}, doReport},
      {"explain", "Explain", {"image", "version", "function"}, doExplain},
  };
  return All;
}

static std::string member(const json::Object &O, StringRef Name) {
  return O.getString(Name).value_or("").str();
}

/// \p To stays if there is no such member.
static Error readNumber(const json::Object &O, StringRef Name, unsigned Least,
                        unsigned Most, unsigned &To) {
  const json::Value *V = O.get(Name);
  if (!V)
    return Error::success();
  const auto N = V->getAsInteger();
  if (!N || *N < Least || *N > Most)
    return createStringError("`" + Name + "` is a number from " +
                             std::to_string(Least) + " to " +
                             std::to_string(Most));
  To = unsigned(*N);
  return Error::success();
}

static Expected<Wanted> readWanted(const json::Object &O, const Kindred &K) {
  for (const char *Name : K.Needs)
    if (member(O, Name).empty())
      return createStringError(std::string(K.Name) + " needs `" + Name + "`");
  Wanted W;
  for (auto [Name, To] : {std::pair("application", &W.Application),
                          {"program", &W.Program},
                          {"name", &W.Name},
                          {"folder", &W.Folder},
                          {"options", &W.Options},
                          {"command", &W.Command},
                          {"image", &W.Image},
                          {"file", &W.File},
                          {"version", &W.Version},
                          {"function", &W.Function}})
    *To = member(O, Name);
  // Others are what somebody has typed.
  for (std::string *Name : {&W.Application, &W.Image, &W.Function})
    *Name = fromPage(*Name);
  if (Error Err = readNumber(O, "rounds", 6, 10000, W.Rounds))
    return Err;
  if (Error Err = readNumber(O, "every", 1, 86400, W.Every))
    return Err;
  const std::string M = member(O, "mode");
  const std::optional<Mode> Runs = modeFromName(M);
  if (!M.empty() && !Runs)
    return createStringError("there is no mode `" + M + "`");
  W.Runs = Runs.value_or(Mode::Original);
  return W;
}

Expected<Action> graupel::ui::readAction(StringRef Text) {
  Expected<json::Value> Root = graupel::parseJSON(Text);
  if (!Root)
    return Root.takeError();
  const json::Object *O = Root->getAsObject();
  if (!O)
    return createStringError("an action is an object");
  const std::string Name = member(*O, "action");
  for (const Kindred &K : known()) {
    if (Name != K.Name)
      continue;
    Expected<Wanted> W = readWanted(*O, K);
    if (!W)
      return W.takeError();
    std::string Title = K.Title;
    for (const std::string &Subject :
         {W->Function, W->Application, W->Image, W->Program})
      if (!Subject.empty()) {
        Title += " " + toPage(Subject);
        break;
      }
    return Action{Title, *W, K.Does, K.IsEndless};
  }
  return createStringError("there is no action `" + Name + "`");
}

Outcome graupel::ui::performAction(StringRef Text, const Locations &L,
                                   Monitor &Told) {
  Outcome Result;
  auto Fail = [&](Error Err) {
    Result.Status = Outcome::State::Failed;
    Result.Lines.push_back(toString(std::move(Err)));
  };
  auto A = readAction(Text);
  if (!A) {
    Fail(A.takeError());
    return Result;
  }
  auto E = Environment::open(L, Access::ReadWrite);
  if (!E) {
    Fail(E.takeError());
    return Result;
  }
  const auto Problems = collectCounters(**E).Problems;
  if (Error Err = A->Does(**E, A->With, Told, Result))
    Fail(std::move(Err));
  append_range(Result.Lines, Problems);
  return Result;
}
