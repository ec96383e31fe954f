//===- Commands.cpp - register, optimize, status and so on ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Commands that call one action each and print what it returns, as text or
// JSON. Session reads arguments and opens the database, except in part 5. Part
// by part:
//
// 1. register enters an application, warns of libraries that the loader does
//    not find, and prints its state.
// 2. instrument and optimize (makeCommand) make versions of an application's
//    images. optimize judges whether they are better (Launch/Judge.h), unless
//    --no-measure is given. Then the new versions or the originals are chosen
//    to run, with a warning for each image where another choice stays in force.
//    The status is 2 if graupel-bolt failed with an image.
// 3. status prints all applications. show prints an application or, if there is
//    none of that name, an image.
// 4. export, unregister and gc call their actions and print the files written
//    or what was removed.
// 5. doctor, completion and man need no session. doctor's status is 1 if a
//    finding is bad; completion and man print text of descriptions().
//
//===----------------------------------------------------------------------===//

#include "Environment/Actions/Choose.h"
#include "Environment/Actions/Clean.h"
#include "Environment/Actions/Doctor.h"
#include "Environment/Actions/Export.h"
#include "Environment/Actions/Register.h"
#include "Environment/Launch/Judge.h"
#include "Environment/Output/ReplacedFile.h"
#include "Session.h"
#include "Show.h"
#include "Support/Command.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdio>
#include <unistd.h>

using namespace graupel;
using namespace graupel::environment;
using llvm::toString;

int graupel::registerCommand(const CommandDescription &C, const Parsed &P) {
  Session S(C, P);
  if (!S)
    return S.Status;
  auto R = registerApplication(*S.E, S.P.Words[0], S.P.value("name"));
  if (!R)
    return S.fail(R.takeError());
  auto State = describe(*S.E, R->App, /*WithCoverage=*/true);
  if (!State)
    return S.fail(State.takeError());
  for (const std::string &Name : R->Missing)
    fprintf(stderr,
            "graupel register: warning: the loader does not find %s; register "
            "again in the environment in which the program runs\n",
            shown(Name).c_str());
  if (S.json())
    return printJSON(toJSON(*State));
  printApplication(*State);
  return 0;
}

/// Whether the versions are better than originals, and how that is known.
static Judgment judgeMade(const Session &S, const Application &App,
                          const std::vector<MadeImage> &Made) {
  const bool IsSeen = isatty(STDERR_FILENO);
  Judgment J = judge(*S.E, App, Made, [&](unsigned Round, unsigned Rounds) {
    if (IsSeen)
      fprintf(stderr, "\r\033[Kmeasuring, round %u of %u ...", Round + 1,
              Rounds);
  });
  if (IsSeen)
    fputs("\r\033[K", stderr);
  return J;
}

static void addTo(llvm::json::Object &O, const Judgment &J) {
  O["runs"] = name(J.keepsOriginals() ? Mode::Original : Mode::Optimized);
  if (!J.Explanation.empty())
    O["judged"] = llvm::json::fixUTF8(J.Explanation);
  if (J.Measured)
    O["measured"] = toJSON(*J.Measured);
}

/// Warns of new versions that do not run because of other choices.
static void warnOfChoices(const Session &S, const std::vector<MadeImage> &Made,
                          Kind K) {
  for (const MadeImage &M : Made)
    if (auto Chosen = choiceFor(S.E->database(), M.Input.Id);
        M.Result && Chosen &&
        (Chosen->Runs != modeOf(K) || !Chosen->Store.empty()))
      warn(S.C, M.Input.Path + ": the " +
                    (Chosen->Store.empty()
                         ? name(Chosen->Runs).str() + " one"
                         : "version " + shortName(Chosen->Store).str()) +
                    " runs, which was chosen; `graupel use IMAGE default` "
                    "ends that");
}

/// The application that a command names, or that was learned last.
static llvm::Expected<Application> chosenApplication(const Session &S) {
  if (!S.P.Words.empty())
    return requireApplication(*S.E, S.P.Words[0]);
  for (const Run &R : runs(S.E->database(), /*Application=*/0, /*Limit=*/100))
    if (R.Mode == name(Mode::Instrumented) ||
        R.ProfileMethod != Method::Counters)
      for (const Application &App : applications(S.E->database()))
        if (App.Id == R.Application)
          return App;
  return llvm::createStringError(
      "nothing has been learned yet; begin with graupel learn -- COMMAND, or "
      "name an application");
}

static int makeCommand(const CommandDescription &C, const Parsed &P,
                       const char *Verb, Kind K) {
  Session S(C, P);
  if (!S)
    return S.Status;
  auto App = chosenApplication(S);
  if (!App)
    return S.fail(App.takeError());
  ProgressLine Line(Verb);
  auto Made = makeVersions(*S.E, *App, K, S.P.Rest, std::ref(Line));
  Line.clear();
  if (!Made)
    return S.fail(Made.takeError());
  std::optional<Judgment> J;
  if (K == Kind::Optimized && !S.P.has("no-measure"))
    J = judgeMade(S, *App, *Made);
  const bool Keeps = J && J->keepsOriginals();
  if (llvm::Error Err =
          chooseVersions(*S.E, *App, Keeps ? Mode::Original : modeOf(K)))
    return S.fail(std::move(Err));
  warnOfChoices(S, *Made, K);
  const int Status = anyFailed(*Made) ? 2 : 0;
  if (S.json()) {
    llvm::json::Value Said = madeToJSON(*Made);
    if (J)
      addTo(*Said.getAsObject(), *J);
    const int Printed = printJSON(std::move(Said));
    return Status ? Status : Printed;
  }
  printMade(*Made);
  if (J && !J->Explanation.empty())
    printf("%s\n", J->Explanation.c_str());
  if (Keeps)
    printf("originals run: the new versions are not better; `graupel optimize "
           "--no-measure %s` has them run\n",
           App->Name.c_str());
  return Status;
}

int graupel::instrumentCommand(const CommandDescription &C, const Parsed &P) {
  return makeCommand(C, P, "instrumenting", Kind::Instrumented);
}

int graupel::optimizeCommand(const CommandDescription &C, const Parsed &P) {
  return makeCommand(C, P, "optimizing", Kind::Optimized);
}

int graupel::statusCommand(const CommandDescription &C, const Parsed &P) {
  Session S(C, P, Session::For::Looking);
  if (!S)
    return S.Status;
  std::vector<ApplicationState> All;
  for (const Application &App : applications(S.E->database())) {
    auto State = describe(*S.E, App, /*WithCoverage=*/true);
    if (!State)
      return S.fail(State.takeError());
    All.push_back(std::move(*State));
  }
  if (llvm::Error Err = S.E->database().check())
    return S.fail(std::move(Err));
  if (!S.json()) {
    printStatus(All);
    return 0;
  }
  llvm::json::Array List;
  for (const ApplicationState &State : All)
    List.push_back(toJSON(State));
  return printJSON(
      llvm::json::Object{{"version", 1},
                         {"state", llvm::json::fixUTF8(S.E->locations().State)},
                         {"applications", std::move(List)}});
}

std::optional<Image> graupel::imageNamed(Environment &E,
                                         const std::string &Text) {
  char *Real = realpath(Text.c_str(), nullptr);
  const std::string Path = Real ? Real : Text;
  free(Real);
  std::optional<Image> I = findImage(E.database(), Path);
  // Only what was counted is known of those of forgotten ones.
  if (I && applicationsOf(E.database(), I->Id).empty())
    return std::nullopt;
  return I;
}

int graupel::showCommand(const CommandDescription &C, const Parsed &P) {
  Session S(C, P, Session::For::Looking);
  if (!S)
    return S.Status;
  const std::string &Word = S.P.Words[0];
  auto App = requireApplication(*S.E, Word);
  if (App) {
    auto State = describe(*S.E, *App, /*WithCoverage=*/true);
    if (!State)
      return S.fail(State.takeError());
    if (S.json())
      return printJSON(toJSON(*State));
    printApplication(*State);
    return 0;
  }
  std::optional<Image> I = imageNamed(*S.E, Word);
  if (!I)
    return S.fail(App.takeError());
  llvm::consumeError(App.takeError());
  auto State = describeImage(*S.E, *I, /*WithCoverage=*/true);
  if (!State)
    return S.fail(State.takeError());
  if (S.json())
    return printJSON(toJSON(*State));
  printImage(*State, applicationsOf(S.E->database(), I->Id));
  return 0;
}

int graupel::exportCommand(const CommandDescription &C, const Parsed &P) {
  Session S(C, P);
  if (!S)
    return S.Status;
  auto App = requireApplication(*S.E, S.P.Words[0]);
  if (!App)
    return S.fail(App.takeError());
  auto All = exportFiles(*S.E, *App, S.P.Words[1], S.P.has("profiles"));
  if (!All)
    return S.fail(All.takeError());
  llvm::json::Array Files;
  size_t Written = 0;
  for (const Exported &X : *All) {
    Written += !X.File.empty();
    if (S.json())
      Files.push_back(
          llvm::json::Object{{"path", llvm::json::fixUTF8(X.Path)},
                             {"file", llvm::json::fixUTF8(X.File)}});
    else if (!X.File.empty())
      printf("%s\n", shown(X.File).c_str());
  }
  if (S.json() && printJSON(llvm::json::Object{{"files", std::move(Files)}}))
    return 1;
  if (!Written)
    return failCommand(S.C, "there is nothing to export of " + App->Name +
                                "; `graupel optimize` makes it");
  return 0;
}

int graupel::unregisterCommand(const CommandDescription &C, const Parsed &P) {
  Session S(C, P);
  if (!S)
    return S.Status;
  auto App = requireApplication(*S.E, S.P.Words[0]);
  if (!App)
    return S.fail(App.takeError());
  if (llvm::Error Err = unregisterApplication(*S.E, *App))
    return S.fail(std::move(Err));
  if (S.json())
    return printJSON(
        llvm::json::Object{{"unregistered", llvm::json::fixUTF8(App->Name)}});
  return 0;
}

int graupel::gcCommand(const CommandDescription &C, const Parsed &P) {
  Session S(C, P);
  if (!S)
    return S.Status;
  auto Done = collectGarbage(*S.E);
  if (!Done)
    return S.fail(Done.takeError());
  if (S.json())
    return printJSON(llvm::json::Object{{"files", Done->Files},
                                        {"bytes", Done->Bytes},
                                        {"versions", Done->Versions},
                                        {"kept_files", Done->Kept},
                                        {"kept_bytes", Done->KeptBytes},
                                        {"waiting_files", Done->Waiting}});
  printf("removed %lld files, %.1f MB; kept %lld, %.1f MB\n",
         (long long)Done->Files, double(Done->Bytes) / 1e6,
         (long long)Done->Kept, double(Done->KeptBytes) / 1e6);
  if (Done->Waiting)
    printf("%lld of these nothing names, but they are of the last hour, and "
           "damaged, or another command makes versions; run `graupel gc` "
           "again later\n",
           (long long)Done->Waiting);
  return 0;
}

int graupel::doctorCommand(const CommandDescription &C, const Parsed &P) {
  const std::vector<Finding> Findings = examineMachine();
  const bool IsBad = llvm::any_of(Findings, [](const Finding &F) {
    return F.Rating == Finding::Grade::Bad;
  });
  if (P.has("json"))
    return printJSON(toJSON(Findings)) || IsBad;
  for (const Finding &F : Findings) {
    printf("%-7s %s\n", name(F.Rating).data(), shown(F.Text).c_str());
    if (!F.Fix.empty())
      printf("        %s\n", shown(F.Fix).c_str());
  }
  return IsBad;
}

/// For shells that complete them: a line each. A name that is no line of text
/// could not be typed either.
static int printNames() {
  auto E = Environment::openToLook();
  if (!E) {
    llvm::consumeError(E.takeError());
    return 1;
  }
  for (const Application &A : applications((*E)->database()))
    if (shown(A.Name) == A.Name)
      printf("%s\n", A.Name.c_str());
  return fflush(stdout) != 0;
}

int graupel::completionCommand(const CommandDescription &C, const Parsed &P) {
  if (P.Words[0] == "applications")
    return printNames();
  const std::string Text = completion(P.Words[0]);
  if (Text.empty())
    return failCommand(C, "there is nothing for `" + P.Words[0] +
                              "`; bash, zsh and fish are known");
  return fputs(Text.c_str(), stdout) < 0;
}

/// Writes the overview and the page of each command.
static int writePages(const CommandDescription &C, const std::string &Folder) {
  auto Write = [&](const std::string &Name, const CommandDescription *Page) {
    return output::writeText(Folder + "/" + Name + ".1", manPage(Page));
  };
  output::ErrorText W = Write("graupel", nullptr);
  for (const CommandDescription &Page : descriptions())
    if (!W)
      W = Write("graupel-" + Page.pageName(), &Page);
  return W ? failCommand(C, *W) : 0;
}

int graupel::manCommand(const CommandDescription &C, const Parsed &P) {
  if (P.has("into"))
    return writePages(C, P.value("into"));
  const std::string Name = llvm::join(P.Words, " ");
  const CommandDescription *Page = findDescription(Name);
  if (!Name.empty() && !Page)
    return failCommand(C, "there is no command `" + Name +
                              "`; `graupel --help` lists them");
  return fputs(manPage(Page).c_str(), stdout) < 0;
}
