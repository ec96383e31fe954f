//===- Measure.cpp - graupel measure --------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Launch/Measure.h"
#include "Environment/Actions/Register.h"
#include "Session.h"
#include "Show.h"
#include "Support/Command.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <cstdio>
#include <unistd.h>

using namespace graupel;
using namespace graupel::environment;

static constexpr unsigned UsualRounds = 12, MostRounds = 10000;

int graupel::measureCommand(const CommandDescription &C, const Parsed &P) {
  Session S(C, P);
  if (!S)
    return S.Status;
  unsigned Rounds = UsualRounds;
  if (S.P.has("rounds") &&
      (!llvm::to_integer(S.P.value("rounds"), Rounds, 10) ||
       Rounds < LeastRounds || Rounds > MostRounds))
    return failCommand(S.C, "--rounds=" + S.P.value("rounds") +
                                ": give a number from " +
                                std::to_string(LeastRounds) + " to " +
                                std::to_string(MostRounds));
  auto App = requireApplication(*S.E, S.P.Rest[0]);
  if (!App)
    return S.fail(App.takeError());
  const bool IsSeen = isatty(STDERR_FILENO);
  llvm::SmallString<256> Folder;
  if (std::error_code EC = llvm::sys::fs::current_path(Folder))
    return failCommand(S.C, "the current folder: " + EC.message() +
                                "; change to another one");
  auto Measured = measure(
      *S.E, *App, S.P.Rest, std::string(Folder), Rounds, [&](unsigned Number) {
        if (IsSeen)
          fprintf(stderr, "\r\033[Kmeasuring, round %u of %u ...", Number + 1,
                  Rounds);
      });
  if (IsSeen)
    fputs("\r\033[K", stderr);
  if (!Measured)
    return S.fail(Measured.takeError());
  if (llvm::Error Err = addMeasurement(*S.E, *App, *Measured))
    return S.fail(std::move(Err));
  if (Measured->Status)
    warn(S.C, "the command ends with status " +
                  std::to_string(Measured->Status) + " each time");
  if (S.json())
    return printJSON(toJSON(*Measured));
  printMeasurement(*Measured);
  return 0;
}
