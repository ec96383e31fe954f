//===- Enable.cpp - graupel enable, graupel disable -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Actions/Enable.h"
#include "Environment/Actions/Register.h"
#include "Session.h"
#include "Show.h"
#include "Support/Command.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdio>
#include <unistd.h>

using namespace graupel;
using namespace graupel::environment;

/// Prints the command that makes systemd reload its units.
static void printReload(const std::string &Unit) {
  const char *User = geteuid() == 0 ? "" : " --user";
  const bool IsPlain = llvm::all_of(Unit, [](char C) {
    return llvm::isAlnum(C) || llvm::StringRef("@._-:").contains(C);
  });
  printf("now: systemctl%s daemon-reload && systemctl%s restart -- %s\n", User,
         User, shown(IsPlain ? Unit : shellWord(Unit)).c_str());
}

int graupel::enableCommand(const CommandDescription &C, const Parsed &P) {
  Session S(C, P);
  if (!S)
    return S.Status;
  if (S.P.has("unit") && S.P.has("folder"))
    return failCommand(S.C, "--folder is for wrappers, and a unit has a folder "
                            "of its own; leave one of them out");
  auto App = requireApplication(*S.E, S.P.Words[0]);
  if (!App)
    return S.fail(App.takeError());
  auto Plan = planStarter(
      *S.E, *App, {S.P.Words[0], S.P.value("unit"), S.P.value("folder")});
  if (!Plan)
    return S.fail(Plan.takeError());
  if (S.P.has("dry-run")) {
    printf("%s:\n%s", shown(Plan->File).c_str(),
           output::shownLines(Plan->Text).c_str());
    return 0;
  }
  const std::string File = Plan->File, Unit = Plan->Unit;
  if (llvm::Error Err = writeStarter(*S.E, std::move(*Plan)))
    return S.fail(std::move(Err));
  printf("%s starts %s with its versions\n", shown(File).c_str(),
         shown(App->Name).c_str());
  if (!Unit.empty())
    printReload(Unit);
  return 0;
}

int graupel::disableCommand(const CommandDescription &C, const Parsed &P) {
  Session S(C, P);
  if (!S)
    return S.Status;
  auto App = requireApplication(*S.E, S.P.Words[0]);
  if (!App)
    return S.fail(App.takeError());
  std::string Unit = S.P.value("unit");
  if (!Unit.empty() && Unit.rfind('.') == Unit.npos)
    Unit += ".service";
  bool Any = false;
  int Status = 0;
  for (const Starter &File : starters(S.E->database(), App->Id)) {
    if (S.P.has("unit") && File.Unit != Unit)
      continue;
    Any = true;
    if (S.P.has("dry-run")) {
      printf("%s\n", shown(File.File).c_str());
      continue;
    }
    if (llvm::Error Err = removeStarter(*S.E, File)) {
      Status = S.fail(std::move(Err));
      continue;
    }
    printf("%s is removed\n", shown(File.File).c_str());
    if (!File.Unit.empty())
      printReload(File.Unit);
  }
  if (!Any)
    return failCommand(S.C, App->Name + " was not enabled" +
                                (Unit.empty() ? "" : " in " + Unit) +
                                "; `graupel status` says what starts it");
  return Status;
}
