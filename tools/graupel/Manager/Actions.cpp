//===- Manager/Actions.cpp - What buttons do ------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Actions.h"
#include "Environment/Actions/Clean.h"
#include "Environment/Actions/Export.h"
#include "Environment/Actions/Register.h"
#include "Environment/Launch/Counters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace graupel::environment;
using namespace graupel::ui;

namespace {

/// An action's arguments.
struct Wanted {
  std::string Application, Program, Name, Folder;
  Mode Runs = Mode::Original;
};

/// One action, on an open environment. Lines are added to the outcome.
using Function = Error (*)(Environment &, const Wanted &,
                           const ProgressFunction &, Outcome &);

struct Kindred {
  const char *Name, *Title;
  /// Members that must be there, and are not empty.
  std::vector<const char *> Needs;
  Function Does;
};

} // namespace

static Error doRegister(Environment &E, const Wanted &W,
                        const ProgressFunction &, Outcome &To) {
  auto R = registerApplication(E, W.Program, W.Name);
  if (!R)
    return R.takeError();
  To.Lines.push_back(R->App.Name + ": " + std::to_string(R->Images.size()) +
                     (R->Images.size() == 1 ? " image" : " images"));
  for (const std::string &Missing : R->Missing)
    To.Lines.push_back("the loader does not find " + Missing +
                       "; register again in the environment in which the "
                       "program runs");
  return Error::success();
}

/// What became of images: those that failed are named, others are counted.
static void addLines(const std::vector<MadeImage> &All, Outcome &To) {
  std::map<MadeImage::State, size_t> Count;
  for (const MadeImage &M : All) {
    ++Count[M.Became];
    if (M.Became != MadeImage::State::Failed)
      continue;
    To.Became = Outcome::State::InPart;
    To.Lines.push_back(M.What.Path + ": " + M.Why);
  }
  std::string Sum;
  for (const auto &[State, N] : Count)
    Sum +=
        (Sum.empty() ? "" : ", ") + std::to_string(N) + " " + name(State).str();
  To.Lines.insert(To.Lines.begin(), Sum);
}

static Error make(Environment &E, const Wanted &W, Kind K,
                  const ProgressFunction &Tell, Outcome &To) {
  auto App = requireApplication(E, W.Application);
  if (!App)
    return App.takeError();
  auto Made = makeVersions(E, *App, K, {}, Tell);
  if (!Made)
    return Made.takeError();
  addLines(*Made, To);
  return chooseVersions(E, *App, modeOf(K));
}

static Error doInstrument(Environment &E, const Wanted &W,
                          const ProgressFunction &Tell, Outcome &To) {
  return make(E, W, Kind::Instrumented, Tell, To);
}

static Error doOptimize(Environment &E, const Wanted &W,
                        const ProgressFunction &Tell, Outcome &To) {
  return make(E, W, Kind::Optimized, Tell, To);
}

static Error doChoose(Environment &E, const Wanted &W, const ProgressFunction &,
                      Outcome &) {
  auto App = requireApplication(E, W.Application);
  return App ? chooseVersions(E, *App, W.Runs) : App.takeError();
}

static Error doExport(Environment &E, const Wanted &W, const ProgressFunction &,
                      Outcome &To) {
  if (W.Folder[0] != '/')
    return createStringError(W.Folder + ": give the folder's whole path");
  auto App = requireApplication(E, W.Application);
  if (!App)
    return App.takeError();
  auto All = exportFiles(E, *App, W.Folder, /*Profiles=*/false);
  if (!All)
    return All.takeError();
  for (const Exported &X : *All)
    if (!X.File.empty())
      To.Lines.push_back(X.File);
  if (To.Lines.empty())
    return createStringError("there is nothing to export of " + App->Name +
                             "; optimize it first");
  return Error::success();
}

static Error doUnregister(Environment &E, const Wanted &W,
                          const ProgressFunction &, Outcome &) {
  auto App = requireApplication(E, W.Application);
  return App ? unregisterApplication(E, *App) : App.takeError();
}

static Error doClean(Environment &E, const Wanted &, const ProgressFunction &,
                     Outcome &To) {
  auto Done = collectGarbage(E);
  if (!Done)
    return Done.takeError();
  std::string Line;
  raw_string_ostream(Line) << "removed " << Done->Files << " files, "
                           << format("%.1f", double(Done->Bytes) / 1e6)
                           << " MB; kept " << Done->Kept << ", "
                           << format("%.1f", double(Done->KeptBytes) / 1e6)
                           << " MB";
  To.Lines.push_back(Line);
  return Error::success();
}

static const std::vector<Kindred> &known() {
  static const std::vector<Kindred> All = {
      {"register", "Register", {"program"}, doRegister},
      {"instrument", "Instrument", {"application"}, doInstrument},
      {"optimize", "Optimize", {"application"}, doOptimize},
      {"choose", "Choose versions of", {"application", "mode"}, doChoose},
      {"export", "Export", {"application", "folder"}, doExport},
      {"unregister", "Unregister", {"application"}, doUnregister},
      {"gc", "Remove old versions", {}, doClean},
  };
  return All;
}

static Outcome perform(const Locations &L, Function Does, const Wanted &W,
                       const ProgressFunction &Tell) {
  Outcome Result;
  auto Fail = [&](Error Err) {
    Result.Became = Outcome::State::Failed;
    Result.Lines.push_back(toString(std::move(Err)));
  };
  auto E = Environment::open(L, Access::ReadWrite);
  if (!E) {
    Fail(E.takeError());
    return Result;
  }
  const auto Problems = collectCounters(**E).Problems;
  if (Error Err = Does(**E, W, Tell, Result))
    Fail(std::move(Err));
  append_range(Result.Lines, Problems);
  return Result;
}

static std::string member(const json::Object &O, StringRef Name) {
  return O.getString(Name).value_or("").str();
}

static Expected<Wanted> readWanted(const json::Object &O, const Kindred &K) {
  for (const char *Name : K.Needs)
    if (member(O, Name).empty())
      return createStringError(std::string(K.Name) + " needs `" + Name + "`");
  Wanted W;
  W.Application = member(O, "application");
  W.Program = member(O, "program");
  W.Name = member(O, "name");
  W.Folder = member(O, "folder");
  if (const std::string M = member(O, "mode"); !M.empty()) {
    const std::optional<Mode> Runs = modeFromName(M);
    if (!Runs)
      return createStringError("there is no mode `" + M + "`");
    W.Runs = *Runs;
  }
  return W;
}

Expected<Action> graupel::ui::readAction(StringRef Text, const Locations &L) {
  Expected<json::Value> Root = json::parse(Text);
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
    const std::string &Of =
        W->Application.empty() ? W->Program : W->Application;
    return Action{Of.empty() ? K.Title : K.Title + (" " + Of),
                  [L, Does = K.Does, W = *W](const ProgressFunction &Tell) {
                    return perform(L, Does, W, Tell);
                  }};
  }
  return createStringError("there is no action `" + Name + "`");
}
