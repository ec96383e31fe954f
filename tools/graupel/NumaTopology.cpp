//===- NumaTopology.cpp - graupel numa topology: its options -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numa/Machine.h"
#include "Support/Command.h"
#include <cstdio>

using namespace graupel;

static const char Usage[] =
    R"(usage: graupel numa topology [OPTIONS]

Shows the memory nodes of a machine, which processors and devices are near them,
and how far they are from each other: by firmware, in steps (1 is the nearest),
and as measured.

options:
  --json                   for programs; the schema is in docs/numa.md
  --graph                  also what contains what, an edge a line
  --routes                 also the way from each node and router to each node
  --measured=FILE          shows what was measured (docs/numa.md says how it is
                           written)
)";

static int fail(const std::string &Message) {
  fprintf(stderr, "graupel numa topology: error: %s\n", Message.c_str());
  return 1;
}

int graupel::numaTopologyCommand(const Arguments &A) {
  std::string Spec, Measured;
  bool JSON = false, Graph = false, Routes = false;
  for (const std::string &Arg : A) {
    if (Arg == "--help" || Arg == "-h") {
      printf("%s%s  --help                   this text\n", Usage,
             numa::MachineHelp);
      return 0;
    }
    if (Arg == "--json")
      JSON = true;
    else if (Arg == "--graph")
      Graph = true;
    else if (Arg == "--routes")
      Routes = true;
    else if (Arg.starts_with("--topology=") && Arg.size() > 11)
      Spec = Arg.substr(11);
    else if (Arg.starts_with("--measured=") && Arg.size() > 11)
      Measured = Arg.substr(11);
    else
      return fail("there is no option `" + Arg +
                  "`; `graupel numa topology --help` lists them");
  }
  numa::Topology T;
  if (auto Wrong = numa::readMachine(Spec, T))
    return fail(*Wrong);
  if (!Measured.empty())
    if (auto Wrong = numa::readMeasured(Measured, T))
      return fail(*Wrong);
  if (JSON)
    numa::printJSON(T);
  else
    numa::printText(T, Graph, Routes);
  return 0;
}
