//===- Choose.cpp - graupel use -------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Actions/Choose.h"
#include "Environment/Actions/Register.h"
#include "Session.h"
#include "Show.h"
#include "Support/Command.h"
#include <cstdio>

using namespace graupel;
using namespace graupel::environment;

/// A name is an application's, a path an image's: the program of an application
/// is an image, too.
int graupel::useCommand(const CommandDescription &C, const Parsed &P) {
  Session S(C, P);
  if (!S)
    return S.Status;
  const std::string &Text = S.P.Words[0], &Word = S.P.Words[1];
  const auto Named = findApplication(S.E->database(), Text);
  const bool IsName = Named && Named->Name == Text;
  if (auto I = IsName ? std::nullopt : imageNamed(*S.E, Text)) {
    if (llvm::Error Err = chooseForImage(*S.E, *I, Word))
      return S.fail(std::move(Err));
    auto State = describeImage(*S.E, *I, /*WithCoverage=*/false);
    if (!State)
      return S.fail(State.takeError());
    if (S.json())
      return printJSON(toJSON(*State));
    printf("%s: %s\n", shown(I->Path).c_str(), shown(Word).c_str());
    return 0;
  }
  auto App = requireApplication(*S.E, Text);
  if (!App)
    return S.fail(App.takeError());
  if (llvm::Error Err = chooseForApplication(*S.E, *App, Word))
    return S.fail(std::move(Err));
  if (S.json()) {
    auto State = describe(*S.E, *requireApplication(*S.E, Text), false);
    return State ? printJSON(toJSON(*State)) : S.fail(State.takeError());
  }
  printf("%s: %s\n", shown(App->Name).c_str(), shown(Word).c_str());
  return 0;
}
