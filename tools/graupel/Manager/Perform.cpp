//===- Manager/Perform.cpp - Actions on applications ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each action of the page is a function:
//
// 1. Find the application, or image, that the request names.
// 2. Do what the command of the same name does, by the same library, and tell the
//    monitor how far it is.
// 3. Say in the outcome's lines what the user should know; failures by name, all
//    else as counts.
//
//===----------------------------------------------------------------------===//

#include "Perform.h"
#include "Environment/Actions/Clean.h"
#include "Environment/Actions/Enable.h"
#include "Environment/Actions/Export.h"
#include "Environment/Actions/Import.h"
#include "Environment/Actions/Register.h"
#include "Environment/Actions/Watch.h"
#include "Environment/Images/Dependencies.h"
#include "Environment/Launch/Counters.h"
#include "Environment/Launch/Judge.h"
#include "Environment/Process/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;
using namespace graupel::ui;

Expected<Image> graupel::ui::requireImage(Environment &E,
                                          const std::string &Path) {
  const std::optional<Image> I = findImage(E.database(), Path);
  if (!I || applicationsOf(E.database(), I->Id).empty())
    return createStringError(Path + ": no application has this image");
  return *I;
}

Error graupel::ui::doRegister(Environment &E, const Wanted &W, Monitor &Told,
                              Outcome &To) {
  auto R = registerApplication(E, W.Program, W.Name);
  if (!R)
    return R.takeError();
  To.Lines.push_back(R->App.Name + ": " + std::to_string(R->Images.size()) +
                     (R->Images.size() == 1 ? " image" : " images"));
  for (const Image &I : R->Images)
    Told.log(I.Path + (I.Unfit.empty() ? "" : ": left alone: " + I.Unfit));
  for (const std::string &Missing : R->Missing)
    To.Lines.push_back("the loader does not find " + Missing +
                       "; register again in the environment in which the "
                       "program runs");
  return Error::success();
}

static void logMade(const MadeImage &M, Monitor &Told) {
  std::string Line = (M.Input.Path + ": " + name(M.Status)).str();
  if (M.Result)
    Line += formatv(", {0} bytes, {1:f1} s", M.Result->Size, M.Result->Seconds)
                .str();
  if (!M.Why.empty())
    Line += ": " + M.Why;
  Told.log(Line);
  for (const Result &R : M.Figures)
    Told.log(formatv("  {0} {1:f0}", R.Name, R.Value).str());
}

/// Adds the outcomes of images: those that failed are named, others counted.
static void addLines(const std::vector<MadeImage> &All, Outcome &To,
                     Monitor &Told) {
  std::map<MadeImage::State, size_t> Count;
  for (const MadeImage &M : All) {
    ++Count[M.Status];
    logMade(M, Told);
    if (M.Status != MadeImage::State::Failed)
      continue;
    To.Status = Outcome::State::InPart;
    To.Lines.push_back(M.Input.Path + ": " + M.Why);
  }
  std::string Sum;
  for (const auto &[State, N] : Count)
    Sum +=
        (Sum.empty() ? "" : ", ") + std::to_string(N) + " " + name(State).str();
  To.Lines.insert(To.Lines.begin(), Sum);
}

static Expected<std::vector<MadeImage>> make(Environment &E,
                                             const Application &App,
                                             const Wanted &W, Kind K,
                                             Monitor &Told, Outcome &To) {
  auto Options = splitWords(W.Options);
  if (!Options)
    return Options.takeError();
  auto Made = makeVersions(E, App, K, *Options, [&](const Progress &P) {
    if (!P.Image.empty())
      Told.log((name(K) + ": " + P.Image).str());
    Told.progress(P);
  });
  if (Made)
    addLines(*Made, To, Told);
  return Made;
}

Error graupel::ui::doInstrument(Environment &E, const Wanted &W, Monitor &Told,
                                Outcome &To) {
  auto App = requireApplication(E, W.Application);
  if (!App)
    return App.takeError();
  auto Made = make(E, *App, W, Kind::Instrumented, Told, To);
  return Made ? chooseVersions(E, *App, Mode::Instrumented) : Made.takeError();
}

/// Like `graupel optimize`: originals stay if the new versions are not better.
Error graupel::ui::doOptimize(Environment &E, const Wanted &W, Monitor &Told,
                              Outcome &To) {
  auto App = requireApplication(E, W.Application);
  if (!App)
    return App.takeError();
  auto Made = make(E, *App, W, Kind::Optimized, Told, To);
  if (!Made)
    return Made.takeError();
  const Judgment J =
      judge(E, *App, *Made, [&](unsigned Round, unsigned Rounds) {
        Told.progress({Round, Rounds, "measuring"});
      });
  if (!J.Explanation.empty())
    To.Lines.push_back(J.Explanation);
  if (J.keepsOriginals())
    To.Lines.push_back("originals run: the new versions are not better; choose "
                       "`optimized` to run them");
  return chooseVersions(E, *App,
                        J.keepsOriginals() ? Mode::Original : Mode::Optimized);
}

Error graupel::ui::doChoose(Environment &E, const Wanted &W, Monitor &,
                            Outcome &) {
  auto App = requireApplication(E, W.Application);
  return App ? chooseVersions(E, *App, W.Runs) : App.takeError();
}

Error graupel::ui::doExport(Environment &E, const Wanted &W, Monitor &Told,
                            Outcome &To) {
  if (W.Folder[0] != '/')
    return createStringError(W.Folder + ": give the folder's whole path");
  auto App = requireApplication(E, W.Application);
  if (!App)
    return App.takeError();
  auto All = exportFiles(E, *App, W.Folder, /*Profiles=*/false);
  if (!All)
    return All.takeError();
  size_t Files = 0;
  for (const Exported &X : *All) {
    if (X.File.empty())
      continue;
    Told.log(X.File);
    ++Files;
  }
  if (!Files)
    return createStringError("there is nothing to export of " + App->Name +
                             "; optimize it first");
  To.Lines.push_back(std::to_string(Files) +
                     (Files == 1 ? " file in " : " files in ") + W.Folder);
  return Error::success();
}

Error graupel::ui::doUnregister(Environment &E, const Wanted &W, Monitor &,
                                Outcome &) {
  auto App = requireApplication(E, W.Application);
  return App ? unregisterApplication(E, *App) : App.takeError();
}

/// The command has to start the application: the page runs nothing else.
Error graupel::ui::doMeasure(Environment &E, const Wanted &W, Monitor &Told,
                             Outcome &To) {
  auto App = requireApplication(E, W.Application);
  if (!App)
    return App.takeError();
  auto Words = splitWords(W.Command);
  if (!Words)
    return Words.takeError();
  if (Words->empty())
    return createStringError("the command is empty");
  if (W.Folder[0] != '/' || chdir(W.Folder.c_str()) != 0)
    return createStringError(
        W.Folder + ": " +
        (W.Folder[0] == '/' ? strerror(errno) : "is not a whole path") +
        "; give the folder in which the command runs");
  auto Started = findProgram(Words->front());
  if (!Started)
    return Started.takeError();
  if (behindWrapper(E.database(), *Started) != App->Main)
    return createStringError(Words->front() + ": is not " + App->Name +
                             "; the command has to start it");
  auto M = measure(E, *App, *Words, W.Folder, W.Rounds, [&](unsigned Number) {
    Told.progress({Number, W.Rounds, "measuring"});
    Told.log(formatv("round {0} of {1}", Number + 1, W.Rounds).str());
  });
  if (!M)
    return M.takeError();
  if (M->Status)
    To.Lines.push_back("the command ends with status " +
                       std::to_string(M->Status) + " each time");
  for (auto [Name, Field] : {std::pair("wall time ", &RunTime::Wall),
                             {"processor time ", &RunTime::Processor}})
    To.Lines.push_back(Name + sentence(M->compare(Field)));
  return addMeasurement(E, *App, *M);
}

Error graupel::ui::doImport(Environment &E, const Wanted &W, Monitor &,
                            Outcome &To) {
  if (W.File[0] != '/')
    return createStringError(W.File + ": give the file's whole path");
  auto Known = requireImage(E, W.Image);
  if (!Known)
    return Known.takeError();
  auto I = lookAtImage(E.database(), Known->Path);
  if (!I)
    return I.takeError();
  if (!I->Unfit.empty())
    return createStringError(I->Path + ": " + I->Unfit);
  {
    Transaction T(E.database());
    I->Id = putImage(E.database(), *I);
    if (Error Err = T.commit())
      return Err;
  }
  auto Result = importProfile(E, *I, W.File);
  if (!Result)
    return Result.takeError();
  if (*Result == Imported::Nothing)
    return createStringError(W.File + ": has no counts of " + I->Path +
                             "; name the image that it is of");
  To.Lines.push_back(*Result == Imported::Added
                         ? "the counts were added"
                         : "these counts had been added before");
  return Error::success();
}

/// Like `graupel watch`, until somebody ends it.
Error graupel::ui::doWatch(Environment &E, const Wanted &W, Monitor &Told,
                           Outcome &) {
  Watcher Watching;
  for (;;) {
    auto App = requireApplication(E, W.Application);
    if (!App)
      return App.takeError();
    for (const std::string &Problem : collectCounters(E).Problems)
      Told.log(Problem);
    if (Error Err = Watching.look(E, *App, [&](const WatchEvent &Event) {
          Told.log(Event.Made.Input.Path + ": " + reason(Event));
          logMade(Event.Made, Told);
        }))
      return Err;
    sleep(W.Every);
  }
}

Error graupel::ui::doClean(Environment &E, const Wanted &, Monitor &,
                           Outcome &To) {
  auto Done = collectGarbage(E);
  if (!Done)
    return Done.takeError();
  To.Lines.push_back(
      formatv("removed {0} files, {1:f1} MB; kept {2}, {3:f1} MB", Done->Files,
              double(Done->Bytes) / 1e6, Done->Kept,
              double(Done->KeptBytes) / 1e6)
          .str());
  return Error::success();
}
