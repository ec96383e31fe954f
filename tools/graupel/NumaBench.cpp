//===- NumaBench.cpp - graupel numa bench: its options --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numa/Bench.h"
#include "Numa/Topology/Text.h"
#include "Support/Command.h"
#include <charconv>
#include <cstdio>

using namespace graupel;

static const char Usage[] =
    R"(usage: graupel numa bench [OPTIONS]

Measures this machine's memory: latency and bandwidth between nodes and
processors, by what caches know of the lines. Prints tables, and writes them as
JSON and as a page. Needs no rights and no options.

options:
  --only=NAME,...          these experiments (default: all); names are below
  --nodes=LIST             memory and processors of these nodes, as 0,2-3
                           (default: all)
  --cpus=LIST              these processors (default: one of each core that the
                           process may use)
  --home=NODE              where lines are in tables about one node (default: the
                           first)
  --seconds=N              time to measure, seconds, 1 to 3600 (default: 120);
                           more time is more passes over everything
  --json                   JSON on standard output, no text and no files; the
                           schema is in docs/numa.md
  -o NAME                  writes NAME.json and NAME.html (default: numa-bench)
  --runs                   also least, most, median, average and deviation of
                           everything measured
  --published              also the figures of (Prestor 2001), in tables of their
                           own
  --help                   this text

experiments:
)";

static int fail(const std::string &Message) {
  fprintf(stderr, "graupel numa bench: error: %s\n", Message.c_str());
  return 1;
}

/// What is wrong with a list of numbers, if anything is.
static std::optional<std::string> readList(const std::string &Name,
                                           const std::string &Text,
                                           std::vector<unsigned> &Into) {
  auto Found = numa::parseList(Text);
  if (!Found || Found->empty())
    return Name + " is `" + Text + "`; write as 0,2-3";
  Into = *Found;
  return std::nullopt;
}

static std::vector<std::string> namesIn(std::string Text) {
  std::vector<std::string> Names;
  for (size_t At; (At = Text.find(',')) != Text.npos; Text.erase(0, At + 1))
    Names.push_back(Text.substr(0, At));
  Names.push_back(Text);
  return Names;
}

/// One that is NAME=VALUE. What is wrong, if anything is.
static std::optional<std::string> readValue(const std::string &Name,
                                            const std::string &Value,
                                            numa::BenchOptions &O) {
  if (Name == "--only") {
    O.Only = namesIn(Value);
  } else if (Name == "--nodes") {
    return readList(Name, Value, O.Where.Nodes);
  } else if (Name == "--cpus") {
    return readList(Name, Value, O.Where.Processors);
  } else if (Name == "--home") {
    auto Number = numa::parseNumber(Value);
    if (!Number || *Number > ~0u)
      return "--home is `" + Value + "`; give a node's number";
    O.Home = unsigned(*Number);
  } else if (Name == "--seconds") {
    const char *End = Value.data() + Value.size();
    auto [Rest, Error] = std::from_chars(Value.data(), End, O.Seconds);
    if (Error != std::errc() || Rest != End || !(O.Seconds >= 1) ||
        O.Seconds > 3600)
      return "--seconds is `" + Value + "`; give a number from 1 to 3600";
  } else {
    return "there is no option `" + Name +
           "`; `graupel numa bench --help` lists them";
  }
  return std::nullopt;
}

int graupel::numaBenchCommand(const Arguments &A) {
  numa::BenchOptions O;
  for (size_t N = 0; N < A.size(); ++N) {
    const std::string &Arg = A[N];
    const size_t Equal = Arg.find('=');
    if (Arg == "--help" || Arg == "-h") {
      printf("%s%s", Usage, numa::benchExperiments().c_str());
      return 0;
    }
    if (Arg == "--json") {
      O.JSON = true;
    } else if (Arg == "--runs") {
      O.Runs = true;
    } else if (Arg == "--published") {
      O.Published = true;
    } else if (Arg == "-o") {
      if (++N == A.size() || A[N].empty())
        return fail("-o has no value; give a name");
      O.Files = A[N];
    } else {
      std::string Value = Equal == Arg.npos ? "" : Arg.substr(Equal + 1);
      if (auto Wrong = readValue(Arg.substr(0, Equal), Value, O))
        return fail(*Wrong);
    }
  }
  if (auto Wrong = numa::runBench(O))
    return fail(*Wrong);
  return 0;
}
