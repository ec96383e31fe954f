//===- Build.cpp - graupel build ------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Arguments become options of lib/Build, with absolute paths.
//   2. While it works, sentences go to standard error: standard output is the
//      build's until that is done.
//   3. A table of outputs follows, those that were optimized first, and the
//      others with their reasons.
//
//===----------------------------------------------------------------------===//

#include "Build/Build.h"
#include "Environment/Output/ReplacedFile.h"
#include "Environment/Output/Shown.h"
#include "Session.h"
#include "Show.h"
#include "Support/Command.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <cstdio>

using namespace graupel;
using namespace graupel::build;
using llvm::StringRef;
using llvm::toString;
using output::shown;

static void say(const std::string &Message) {
  fflush(stdout);
  fprintf(stderr, "graupel build: %s\n", output::shownLines(Message).c_str());
}

static std::vector<std::string> split(const std::string &Text, char At) {
  llvm::SmallVector<StringRef> Parts;
  StringRef(Text).split(Parts, At, -1, /*KeepEmpty=*/false);
  return {Parts.begin(), Parts.end()};
}

/// A row of the table: size, functions, share, and the name at the end, which
/// may be long.
static void printOptimized(const Row &R) {
  std::string Size = sizeText(R.Before);
  if (R.After)
    Size += " -> " + sizeText(R.After);
  std::string Functions = "-", Share = "-";
  if (R.Said.Optimized && R.Said.Functions)
    Functions = std::to_string(*R.Said.Optimized) + " of " +
                std::to_string(*R.Said.Functions);
  if (R.Said.CountedPercent)
    Share = llvm::formatv("{0:F1} %", *R.Said.CountedPercent).str();
  printf("%-20s  %-14s  %12s  %s\n", Size.c_str(), Functions.c_str(),
         Share.c_str(), shown(R.Name).c_str());
  if (!R.Said.Skipped.empty())
    printf("    skipped %s\n", output::shownLines(R.Said.Skipped).c_str());
}

/// Number of names that are printed for one reason.
static constexpr size_t MostNames = 10;

/// Outputs about which the same is said, together.
static void
printTogether(const char *Before, const std::vector<Row> &Rows,
              const std::function<std::string(const Row &)> &TextOf) {
  std::vector<std::pair<std::string, std::vector<std::string>>> Groups;
  for (const Row &R : Rows) {
    const std::string Text = TextOf(R);
    if (Text.empty())
      continue;
    auto It =
        llvm::find_if(Groups, [&](const auto &G) { return G.first == Text; });
    if (It == Groups.end())
      It = Groups.insert(It, {Text, {}});
    It->second.push_back(shown(R.Name));
  }
  for (const auto &[Text, Names] : Groups) {
    printf("%s: %s\n", Before, output::shownLines(Text).c_str());
    for (size_t I = 0; I < std::min(Names.size(), MostNames); ++I)
      printf("    %s\n", Names[I].c_str());
    if (Names.size() > MostNames)
      printf("    and %zu more\n", Names.size() - MostNames);
  }
}

static void print(const BuildResult &Result, const BuildOptions &Options) {
  const auto count = [&](OutputState State) {
    return size_t(llvm::count_if(
        Result.Rows, [&](const Row &R) { return R.State == State; }));
  };
  if (count(OutputState::Optimized)) {
    printf("%-20s  %-14s  %12s  %s\n", "size", "functions", "instructions",
           "optimized");
    for (const Row &R : Result.Rows)
      if (R.State == OutputState::Optimized)
        printOptimized(R);
  }
  printTogether("not optimized", Result.Rows,
                [](const Row &R) { return R.Why; });
  printTogether("note", Result.Rows, [](const Row &R) {
    return R.State == OutputState::Optimized ? R.Note : "";
  });
  if (Result.Measured)
    printMeasurement(*Result.Measured);
  if (Result.Rows.empty() && Result.Failure.empty())
    say("nothing was linked; remove what is there already, as by `make clean`, "
        "and try again");
  else if (Options.Train.empty() && count(OutputState::Prepared))
    say((count(OutputState::Prepared) == 1
             ? "1 output is prepared: it keeps its relocations"
             : std::to_string(count(OutputState::Prepared)) +
                   " outputs are prepared: they keep their relocations") +
        ". Next: the same command with --train='COMMAND THAT RUNS THEM', or "
        "`graupel learn -- PROGRAM`");
  else if (count(OutputState::Optimized) && !Options.Train.empty())
    say("what was linked is kept; `graupel build --restore` puts it back");
}

static int restore(const CommandDescription &C, const std::string &State) {
  auto Count = restoreBuild(State);
  if (!Count)
    return failCommand(C, toString(Count.takeError()));
  say(std::to_string(*Count) + (*Count == 1 ? " file" : " files") +
      " put back as linked");
  return 0;
}

/// Ends this process like the command was ended: shells end a loop whose
/// command has died of Ctrl-C.
static int endBy(const BuildResult &Result) {
  if (Result.Signal != SIGINT && Result.Signal != SIGTERM)
    return Result.Status;
  fflush(nullptr);
  signal(Result.Signal, SIG_DFL);
  raise(Result.Signal);
  return Result.Status;
}

static std::string absolute(const std::string &Path) {
  llvm::SmallString<256> Full(Path);
  llvm::sys::fs::make_absolute(Full);
  llvm::sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  return std::string(Full);
}

int graupel::buildCommand(const CommandDescription &C, const Parsed &P) {
  BuildOptions Options;
  Options.Folder = absolute(".");
  Options.State = absolute(P.has("state") ? P.value("state") : ".graupel");
  if (P.has("restore") && !P.Rest.empty())
    return failCommand(C, "--restore runs no command; leave it out");
  if (P.has("restore"))
    return restore(C, Options.State);
  if (P.Rest.empty())
    return failWithoutCommand(C);
  Options.Command = P.Rest;
  Options.Train = P.value("train");
  Options.Measure = P.has("measure");
  Options.TrainMayFail = P.has("train-may-fail");
  Options.Only = split(P.value("only"), ',');
  Options.Bolt = split(P.value("bolt"), ' ');
  const std::string JSON = P.value("json");
  if (!JSON.empty())
    if (auto Wrong = output::mayWriteText(JSON))
      return failCommand(C, *Wrong);
  auto Result = build::build(Options, say);
  if (!Result)
    return failCommand(C, toString(Result.takeError()));
  if (!Result->Status || !Result->Rows.empty() || !Result->Failure.empty())
    print(*Result, Options);
  if (!Result->Failure.empty())
    failCommand(C, Result->Failure);
  if (!JSON.empty()) {
    const std::string Text =
        llvm::formatv("{0:2}\n", llvm::json::Value(toJSON(*Result))).str();
    if (auto Wrong = output::writeText(JSON, Text))
      return failCommand(C, *Wrong);
  }
  return endBy(*Result);
}
