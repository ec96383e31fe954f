//===- NumaBench.cpp - graupel numa bench: its options --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numa/Bench.h"
#include "Numa/Topology/Text.h"
#include "Support/Command.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

using namespace graupel;

/// Reads a list of numbers. Returns an error, or nothing.
static std::optional<std::string> readList(const std::string &Name,
                                           const std::string &Text,
                                           std::vector<unsigned> &Into) {
  auto Found = numa::parseList(Text);
  if (!Found || Found->empty())
    return Name + " is `" + Text + "`; write as 0,2-3";
  Into = *Found;
  return std::nullopt;
}

/// Reads the options. Returns an error, or nothing.
static std::optional<std::string> read(const Parsed &P, numa::BenchOptions &O) {
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
    auto Number = numa::parseNumber(P.value("home"));
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

int graupel::numaBenchCommand(const CommandDescription &C, const Parsed &P) {
  numa::BenchOptions O;
  if (auto Wrong = read(P, O))
    return failCommand(C, *Wrong);
  if (auto Wrong = numa::runBench(O))
    return failCommand(C, *Wrong);
  return 0;
}
