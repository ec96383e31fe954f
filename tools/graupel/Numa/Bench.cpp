//===- Numa/Bench.cpp - graupel numa bench --------------------------------===//
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

#include "Bench.h"
#include "Environment/Output/ReplacedFile.h"
#include "Numa/Bench/Published.h"
#include "Numa/Topology/Readers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

namespace graupel::numa {

using namespace bench;

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

/// Adds notes on this run for readers of the figures.
static void addNotes(const Machine &M, const Meter &TheMeter, const Session &S,
                     std::vector<std::string> &Notes) {
  if (M.Guest)
    Notes.push_back(
        "This is a virtual machine: its processors may move between real ones "
        "while it runs, and others may use the same memory.");
  constexpr double Busy = 5;
  if (S.othersPercent() > Busy)
    Notes.push_back("Other programs used " +
                    std::to_string(unsigned(S.othersPercent())) +
                    " % of the processors' time; a quiet machine has more "
                    "stable rows.");
  for (unsigned N = 0; N < M.Nodes.size(); ++N) {
    const Memory &Here = TheMeter.memory(N);
    if (Here.Elsewhere)
      Notes.push_back(std::to_string(Here.Elsewhere) + " of " +
                      std::to_string(Here.Pages) + " pages meant for node " +
                      std::to_string(M.Nodes[N].Id) +
                      " are on others; nothing measured with them is stable.");
    if (Here.LargeBytes < Here.Pages * 4096 * 9 / 10)
      Notes.push_back("Memory of node " + std::to_string(M.Nodes[N].Id) +
                      " is not in large pages: latencies include looking up "
                      "addresses.");
  }
  if (TheMeter.sizes().RangeBytes < 2 * M.LastCaches * M.SharedBytes)
    Notes.push_back("There is too little free memory for ranges larger than "
                    "the caches: bandwidths are those of caches in part.");
  if (!TheMeter.writesCode())
    Notes.push_back("The system does not let programs write code: there is no "
                    "restart latency.");
  if (S.passes() < LeastPasses)
    Notes.push_back("Time was up after " + std::to_string(S.passes()) +
                    (S.passes() == 1 ? " pass" : " passes") +
                    "; nothing is stable with fewer than " +
                    std::to_string(LeastPasses) +
                    ". Give more with --seconds, or less to do with --only.");
}

ErrorText runBench(const BenchOptions &O) {
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

} // namespace graupel::numa
