//===- UI.cpp - The manager page ------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Process/Beside.h"
#include "Environment/Substitution/Substitution.h"
#include "Session.h"
#include "Support/Command.h"
#include "llvm/ADT/StringExtras.h"

using namespace graupel;

/// graupel-ui is a program of its own, beside this one: see there.
int graupel::uiCommand(const CommandDescription &C, const Parsed &P) {
  const std::string Port = P.has("port") ? P.value("port") : "0";
  unsigned Number = 0;
  if (!llvm::to_integer(Port, Number, 10) || Number > 65535 ||
      (P.has("port") && !Number))
    return failCommand(C, "--port=" + Port +
                              " is no port; give a number from 1 to 65535");
  const std::string Path = environment::findProgramBeside("graupel-ui");
  substitution::become(
      {Path, std::to_string(Number), P.has("no-browser") ? "0" : "1"});
  return failCommand(
      C, "graupel-ui is not beside this command; install Graupel again");
}
