//===- Watch.cpp - graupel watch ------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Actions/Watch.h"
#include "Environment/Actions/Register.h"
#include "Session.h"
#include "Show.h"
#include "Support/Command.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdio>
#include <unistd.h>

using namespace graupel;
using namespace graupel::environment;
using llvm::toString;

static void printLine(const WatchEvent &Event) {
  printf("%s: %s %s: %s", shown(Event.Application).c_str(),
         name(Event.Made.Status).data(), shown(Event.Made.Input.Path).c_str(),
         reason(Event).c_str());
  if (const std::string Text = olderCounts(Event.Made); !Text.empty())
    printf("; %s", Text.c_str());
  if (!Event.Made.Result && !Event.Made.Why.empty())
    printf("; %s", output::shownLines(Event.Made.Why).c_str());
  printf("\n");
  fflush(stdout);
}

static void printJSONLine(const WatchEvent &Event) {
  llvm::json::Object O = std::move(*madeToJSON(Event.Made).getAsObject());
  O["at"] = now();
  O["application"] = llvm::json::fixUTF8(Event.Application);
  O["reason"] = name(Event.Why);
  if (Event.Drift)
    O["drift_percent"] = *Event.Drift;
  printf("%s\n",
         llvm::formatv("{0}", llvm::json::Value(std::move(O))).str().c_str());
  fflush(stdout);
}

namespace {

struct Watch {
  const CommandDescription &C;
  const Parsed &P;
  Watcher W;
  bool AnyFailed = false;

  llvm::Expected<std::vector<Application>> wanted(Environment &E) const;
  llvm::Error pass();
};

} // namespace

/// Those that were named, or all that run optimized versions.
llvm::Expected<std::vector<Application>> Watch::wanted(Environment &E) const {
  std::vector<Application> Result;
  for (const std::string &Word : P.Words) {
    auto A = requireApplication(E, Word);
    if (!A)
      return A.takeError();
    if (A->Runs != Mode::Optimized)
      return llvm::createStringError(A->Name + " runs " + name(A->Runs).str() +
                                     " versions; `graupel optimize " + A->Name +
                                     "` makes it run optimized ones");
    Result.push_back(std::move(*A));
  }
  if (P.Words.empty())
    for (Application &A : applications(E.database()))
      if (A.Runs == Mode::Optimized)
        Result.push_back(std::move(A));
  if (llvm::Error Err = E.database().check())
    return Err;
  return Result;
}

/// The database is closed in between: the folder may be moved or made anew.
llvm::Error Watch::pass() {
  auto E = Environment::open();
  if (!E)
    return E.takeError();
  collectAndWarn(C, **E);
  auto Applications = wanted(**E);
  if (!Applications)
    return Applications.takeError();
  for (const Application &A : *Applications)
    if (llvm::Error Err = W.look(**E, A, [this](const WatchEvent &Event) {
          AnyFailed |= Event.Made.Status == MadeImage::State::Failed;
          P.has("json") ? printJSONLine(Event) : printLine(Event);
        }))
      return Err;
  return llvm::Error::success();
}

int graupel::watchCommand(const CommandDescription &C, const Parsed &P) {
  unsigned Every = 60;
  if (P.has("every") &&
      (!llvm::to_integer(P.value("every"), Every, 10) || !Every))
    return failCommand(C, "--every=" + P.value("every") +
                              ": is no number of seconds; give one from 1 on");
  Watch W{C, P, {}};
  for (bool IsFirst = true;; IsFirst = false) {
    if (llvm::Error Err = W.pass()) {
      const int Failed = failCommand(C, toString(std::move(Err)));
      // Later a full disk may have space again, but who is not there now has
      // been misspelt.
      if (IsFirst)
        return Failed;
    }
    if (P.has("once"))
      return W.AnyFailed ? 2 : 0;
    sleep(Every);
  }
}
