//===- NumaBench.cpp - graupel numa bench ---------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// runBench, the order of a measurement:
//
// 1. Read the machine with hwloc, reduce it to what is chosen (view), and find
//    the home node.
// 2. Add the chosen experiments to a plan. Check that the result files, if any,
//    can be written, before minutes are spent.
// 3. Start the Meter, with its threads and memory, and let the Session measure
//    the plan's cases until time is up.
// 4. Add notes on what may disturb the figures: a virtual machine, other
//    programs, pages on other nodes, little memory, too few passes.
// 5. Append published tables if they are wanted.
// 6. Write JSON to standard output; or text there, and JSON and a page into
//    files.
//
//===----------------------------------------------------------------------===//

#include "Environment/Output/ReplacedFile.h"
#include "Numa/Bench/Published.h"
#include "Numa/Report/BenchReport.h"
#include "Numa/Topology/Readers.h"
#include "Numa/Topology/Text.h"
#include "Support/Command.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

using namespace graupel;
using namespace graupel::numa;
using namespace graupel::numa::bench;

namespace {

struct BenchOptions {
  std::vector<std::string> Only; ///< Names of experiments; none: all.
  Choice Where;
  std::optional<unsigned> Home; ///< The system's number; none: the first.
  double Seconds = 120;
  bool JSON = false; ///< On standard output, and no files.
  bool Published = false;
  bool Runs = false;                ///< The text has a line for each case, too.
  std::string Files = "numa-bench"; ///< Without .json and .html.
};

} // namespace

/// Reads a list of numbers. Returns an error, or nothing.
static ErrorText readList(const std::string &Name, const std::string &Text,
                          std::vector<unsigned> &Into) {
  auto Found = parseList(Text);
  if (!Found || Found->empty())
    return Name + " is `" + Text + "`; write as 0,2-3";
  Into = *Found;
  return std::nullopt;
}

/// Reads the options. Returns an error, or nothing.
static ErrorText read(const Parsed &P, BenchOptions &O) {
  if (P.has("only")) {
    const std::string Only = P.value("only");
    llvm::SmallVector<llvm::StringRef> Names;
    llvm::StringRef(Only).split(Names, ',');
    O.Only.assign(Names.begin(), Names.end());
  }
  if (P.has("nodes"))
    if (auto Wrong = readList("--nodes", P.value("nodes"), O.Where.Nodes))
      return Wrong;
  if (P.has("cpus"))
    if (auto Wrong = readList("--cpus", P.value("cpus"), O.Where.Processors))
      return Wrong;
  if (P.has("home")) {
    auto Number = parseNumber(P.value("home"));
    if (!Number || *Number > ~0u)
      return "--home is `" + P.value("home") + "`; give a node's number";
    O.Home = unsigned(*Number);
  }
  O.Seconds = P.number("seconds", O.Seconds);
  O.JSON = P.has("json");
  O.Runs = P.has("runs");
  O.Published = P.has("published");
  if (P.has("o"))
    O.Files = P.value("o");
  return std::nullopt;
}

static ErrorText addExperiments(const BenchOptions &O, Plan &P) {
  for (const std::string &Name : O.Only)
    if (llvm::none_of(experiments(),
                      [&](const Experiment &E) { return Name == E.Name; }))
      return "there is no experiment `" + Name +
             "`; `graupel numa bench --help` lists them";
  for (const Experiment &E : experiments())
    if (O.Only.empty() || llvm::is_contained(O.Only, E.Name))
      E.Add(P);
  return std::nullopt;
}

static ErrorText homeIn(const BenchOptions &O, const Machine &M,
                        unsigned &Home) {
  for (unsigned N = 0; N < M.Nodes.size(); ++N)
    if (M.Nodes[N].Id == *O.Home) {
      Home = N;
      return std::nullopt;
    }
  return "node " + std::to_string(*O.Home) +
         ", the home, is not there, or not among those of --nodes";
}

static const char *const Suffixes[] = {".json", ".html"};

/// Checks this before minutes are spent. Files of an earlier run stay until the
/// end.
static ErrorText checkFiles(const std::string &Name) {
  for (const char *Suffix : Suffixes)
    if (ErrorText Error = output::mayWriteText(Name + Suffix))
      return Error;
  return std::nullopt;
}

static ErrorText writeFiles(const BenchReport &R, const std::string &Name) {
  for (const char *Suffix : Suffixes) {
    std::string Text;
    llvm::raw_string_ostream To(Text);
    Suffix == Suffixes[0] ? writeBenchJSON(R, To) : writeBenchPage(R, To);
    if (ErrorText Error = output::writeText(Name + Suffix, Text))
      return Error;
  }
  return std::nullopt;
}

/// Measures and writes. Returns an error with a remedy, or nothing.
static ErrorText runBench(const BenchOptions &O) {
  Topology T;
  Machine M;
  if (ErrorText Error = readHwloc(T))
    return Error;
  if (ErrorText Error = view(T, O.Where, M))
    return Error;
  unsigned Home = 0;
  if (O.Home)
    if (ErrorText Error = homeIn(O, M, Home))
      return Error;
  Plan P(M, Home);
  if (ErrorText Error = addExperiments(O, P))
    return Error;
  if (!O.JSON)
    if (ErrorText Error = checkFiles(O.Files))
      return Error;
  Meter TheMeter(M);
  if (ErrorText Error = TheMeter.start())
    return Error;
  Session S(P, TheMeter);
  S.run(O.Seconds);
  BenchReport R{M, TheMeter, P, S, S.tables(), P.Notes};
  addNotes(M, TheMeter, S, R.Notes);
  if (O.Published)
    for (FilledTable &Table : published())
      R.Tables.push_back(std::move(Table));
  if (O.JSON) {
    writeBenchJSON(R, llvm::outs());
  } else {
    writeBenchText(R, O.Runs, llvm::outs());
    if (ErrorText Error = writeFiles(R, O.Files))
      return Error;
    llvm::outs() << "\nAlso in " << O.Files << ".json and " << O.Files
                 << ".html\n";
  }
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    llvm::outs().clear_error();
    return "the tables cannot be written to standard output";
  }
  return std::nullopt;
}

int graupel::numaBenchCommand(const CommandDescription &C, const Parsed &P) {
  BenchOptions O;
  if (auto Wrong = read(P, O))
    return failCommand(C, *Wrong);
  if (auto Wrong = runBench(O))
    return failCommand(C, *Wrong);
  return 0;
}
