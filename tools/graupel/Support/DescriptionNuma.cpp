//===- DescriptionNuma.cpp - Machines of several memory nodes -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Description.h"
#include "Numa/Bench/Plan.h"

using namespace graupel;

static const OptionDescription JSON = {
    "--json", nullptr, "for programs; the schema is in docs/numa.md"};
static const OptionDescription Machine = {
    "--topology", "SPEC", "another machine than this one", Completes::File};
static const OptionDescription Measured = {
    "--measured", "FILE",
    "distances that were measured (docs/numa.md says how they are written)",
    Completes::File};

static const char MachineText[] =
    "\n\n"
    "SPEC is one of these:\n\n"
    "  FILE.xml                    what `lstopo FILE.xml` wrote\n"
    "  FILE                        a description (docs/numa.md)\n"
    "  \"pack:2 [numa] core:4 pu:1\" hwloc's synthetic text\n"
    "  sysfs[:FOLDER]              /sys without hwloc, or a copy of it";

static std::string experimentsText() {
  std::string Text = "Experiments:\n";
  for (const numa::bench::Experiment &E : numa::bench::experiments()) {
    std::string Name = E.Name;
    Name.resize(23, ' ');
    Text += "\n  " + Name + "  " + E.Summary;
  }
  return Text;
}

static CommandDescription describeBench() {
  return {
      "numa bench",
      "[OPTIONS]",
      "measures latency and bandwidth between nodes and processors",
      std::string(
          "Measures this machine's memory: latency and bandwidth between nodes "
          "and "
          "processors, by what caches know of the lines. Prints tables, and "
          "writes "
          "them as JSON and as a page. Needs no rights and no options.\n\n") +
          experimentsText(),
      {{"--only", "NAME,...", "these experiments (default: all)"},
       {"--nodes", "LIST",
        "memory and processors of these nodes, as 0,2-3 (default: all)"},
       {"--cpus", "LIST",
        "these processors (default: one of each core that the process may "
        "use)"},
       {"--home", "NODE",
        "where lines are in tables about one node (default: the first)"},
       numberOption("--seconds", "N", {1, 3600, Range::Fraction},
                    "time to measure, seconds, 1 to 3600 (default: 120); more "
                    "time is more passes over everything"),
       {"--json", nullptr,
        "JSON on standard output, no text and no files; the schema is in "
        "docs/numa.md"},
       {"-o", "NAME", "writes NAME.json and NAME.html (default: numa-bench)",
        Completes::File},
       {"--runs", nullptr,
        "also least, most, median, average and deviation of everything "
        "measured"},
       {"--published", nullptr,
        "also the figures of (Prestor 2001), in tables of their own"}}};
}

static CommandDescription describeRun() {
  return {
      "numa run",
      "--placement=FILE|--auto [OPTIONS] [--] PROGRAM [ARGUMENTS]",
      "runs a program with memory and threads where a file says",
      "Runs PROGRAM, which need not be compiled for that, with memory and "
      "threads where FILE says. Its exit status is the program's. What is not "
      "where it should be when the program ends is said on standard error.\n\n"
      "  place heap main.c:31 on node 1     blocks that this line allocates\n"
      "  place heap make_grid interleave    or this function\n"
      "  place global table round-robin over nodes 0,1 unit 64K\n"
      "  place heap main.c:40 block over nodes 0-3\n"
      "  run thread 2 on node 1 pinned      threads in the order they are "
      "created\n"
      "  distribute threads 0-7 across nodes 0-3 block\n\n"
      "docs/numa.md has all statements.",
      {{"--placement", "FILE", "where things go", Completes::File},
       {"--auto", nullptr,
        "finds that out while PROGRAM runs, which was compiled with "
        "graupel-stride.cfg: threads get nodes, and pages follow who uses "
        "them. What many read and few write is copied if graupel-numa.cfg was "
        "used, too"},
       {"--report", nullptr,
        "also says what is right, statement by statement; what has been moved"},
       {"--json", "[FILE]",
        "the same for programs, when PROGRAM has ended: on standard error, or "
        "in FILE; the schema is in docs/numa.md",
        Completes::File}},
      Completes::Command,
      {1, 1}};
}

std::vector<CommandDescription> graupel::numaDescriptions() {
  return {
      {"numa", "COMMAND",
       "machines of several memory nodes: what they are, what goes where",
       "docs/numa.md says how to place memory and threads."},
      describeBench(),
      {"numa plan",
       "[OPTIONS] PROFILE",
       "says what should go where, and why, from a profile",
       std::string(
           "Says where the pages and threads of a program should be, from a "
           "profile that `graupel numa profile` wrote: for each datum what to "
           "do and why, and why not something else. No node is to serve more "
           "than its share and a quarter; then distance counts.") +
           MachineText,
       {{"-o", "FILE",
         "writes the plan as a placement file, for graupel numa run "
         "--placement=FILE -- PROGRAM",
         Completes::File},
        {"--html", "FILE", "the plan as a picture, for a browser",
         Completes::File},
        JSON,
        Machine,
        Measured},
       Completes::File,
       {1, 1},
       "the profile is missing; name what `graupel numa profile` wrote"},
      {"numa profile",
       "[OPTIONS] [--] PROGRAM [ARGUMENTS]",
       "runs a program and writes who refers to which pages",
       "Runs a program that was compiled with graupel-stride.cfg, and writes "
       "which threads refer to which pages of which data: for `graupel numa "
       "plan`. The exit status is the program's; 128 + the signal that ended "
       "it; 127 if there is no such program, 126 if it cannot be run; 1 if "
       "there is no profile of it.",
       {{"-o", "FILE", "the profile (default: PROGRAM.numa here)",
         Completes::File},
        {"--exact", nullptr,
         "counts all references instead of a sample of them"},
        {"--json", nullptr, "says what there is on standard output, as JSON"}},
       Completes::Command,
       {1, 1}},
      describeRun(),
      {"numa topology",
       "[OPTIONS]",
       "shows nodes, processors, distances and routes",
       std::string(
           "Shows the memory nodes of a machine, which processors and devices "
           "are near them, and how far they are from each other: by firmware, "
           "in steps (1 is the nearest), and as measured.") +
           MachineText,
       {JSON,
        {"--graph", nullptr, "also what contains what, an edge a line"},
        {"--routes", nullptr,
         "also the way from each node and router to each node"},
        Measured,
        Machine}},
  };
}
