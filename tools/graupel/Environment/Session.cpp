//===- Session.cpp - The common beginning of commands ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "Environment/Launch/Counters.h"
#include "Environment/Output/Shown.h"
#include <cstdio>

using namespace graupel;
using namespace graupel::environment;

void graupel::warn(const CommandDescription &C, const std::string &Message) {
  if (!Message.empty())
    fprintf(stderr, "graupel %s: warning: %s\n", C.Name,
            output::shownLines(Message).c_str());
}

void graupel::collectAndWarn(const CommandDescription &C, Environment &E) {
  if (E.readOnly())
    return;
  for (const std::string &Problem : collectCounters(E).Problems)
    warn(C, Problem);
}

Session::Session(const CommandDescription &C, const Parsed &P, For Wanted)
    : C(C), P(P) {
  auto Opened =
      Wanted == For::Looking ? Environment::openToLook() : Environment::open();
  if (!Opened) {
    Status = fail(Opened.takeError());
    return;
  }
  E = std::move(*Opened);
  collectAndWarn(C, *E);
}
