//===- Build/Versions.cpp - Instrumented and optimized outputs ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Files are named by the content of the output, in folders of the state:
//      instrumented/, profiles/, optimized/.
//   2. An optimized version is compared with its input by graupel-bolt
//      (-verify), gets a build-id of its own, and is stripped last, as the link
//      would have done it.
//
//===----------------------------------------------------------------------===//

#include "Versions.h"
#include "Environment/Images/BuildID.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace graupel::build;
using graupel::environment::Optimizer;

Figures graupel::build::readFigures(StringRef Output) {
  Figures F;
  SmallVector<StringRef> Parts;
  static const char *const Optimized =
      "graupel-bolt: optimized ([0-9]+) of ([0-9]+) functions?"
      "(, with ([0-9.]+) % of the counted instructions)?";
  if (Regex(Optimized).match(Output, &Parts)) {
    int64_t Number;
    if (to_integer(Parts[1], Number))
      F.Optimized = Number;
    if (to_integer(Parts[2], Number))
      F.Functions = Number;
    double Percent;
    if (!Parts[4].empty() && to_float(Parts[4], Percent))
      F.CountedPercent = Percent;
  }
  const size_t At = Output.find("graupel-bolt: skipped ");
  if (At != Output.npos)
    F.Skipped = Output.drop_front(At + 22).split('\n').first.str();
  return F;
}

static std::string fileOf(const Output &O, const std::string &State,
                          StringRef Folder) {
  return State + "/" + Folder.str() + "/" + O.Content.substr(0, 16);
}

std::string graupel::build::profileOf(const Output &O,
                                      const std::string &State) {
  return fileOf(O, State, "profiles") + ".gprofile";
}

static Version run(const Optimizer &By, const Output &O, std::string File,
                   ArrayRef<std::string> Options) {
  std::vector<std::string> Words{O.Plain, "-o", File};
  Words.insert(Words.end(), Options.begin(), Options.end());
  auto Outcome = By.run(Words);
  Version V;
  if (!Outcome) {
    V.Failure = toString(Outcome.takeError());
    return V;
  }
  StringRef Failure = Outcome->Failure;
  Failure.consume_front(O.Plain + ": ");
  V.Failure = Failure.str();
  V.Said = readFigures(Outcome->Output);
  V.File = std::move(File);
  return V;
}

Version graupel::build::instrument(const Optimizer &By, const Output &O,
                                   const std::string &State) {
  return run(By, O, fileOf(O, State, "instrumented"),
             {"-instrument", "-instrumentation-file=" + profileOf(O, State)});
}

/// Strips a file like its link was asked to.
static Error strip(const std::string &File, Strip Asked) {
  if (Asked == Strip::Nothing)
    return Error::success();
  ErrorOr<std::string> Program = sys::findProgramByName("strip");
  if (!Program)
    Program = sys::findProgramByName("llvm-strip");
  if (!Program)
    return createStringError("strip is not in PATH; install binutils");
  auto Child = graupel::environment::runChild(
      {*Program, stripOption(Asked).str(), File});
  if (!Child)
    return Child.takeError();
  return Child->Status ? createStringError("strip fails: " + Child->Output)
                       : Error::success();
}

Version graupel::build::optimize(const Optimizer &By, const Output &O,
                                 const std::string &State,
                                 ArrayRef<std::string> Options) {
  std::vector<std::string> Words{"-data=" + profileOf(O, State), "-verify"};
  Words.insert(Words.end(), Options.begin(), Options.end());
  Version V = run(By, O, fileOf(O, State, "optimized"), Words);
  if (!V.Failure.empty())
    return V;
  auto BuildID = graupel::environment::giveOwnBuildID(V.File);
  Error Err = BuildID ? strip(V.File, O.Asked) : BuildID.takeError();
  if (Err)
    V.Failure = toString(std::move(Err));
  return V;
}
