//===- Command.cpp - Commands and their subcommands ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "llvm/Config/llvm-config.h"
#include <cstdio>

using namespace graupel;

static void help(FILE *To, const char *Prefix,
                 std::span<const Command> Commands) {
  fprintf(To, "usage: %s COMMAND [ARGUMENTS]\n\ncommands:\n", Prefix);
  for (const Command &C : Commands)
    fprintf(To, "  %-10s %s\n", C.Name, C.Summary);
  fprintf(To, "\n`%s COMMAND --help` says more.\n", Prefix);
}

int graupel::dispatch(const char *Prefix, std::span<const Command> Commands,
                      const Arguments &A) {
  if (A.empty()) {
    help(stderr, Prefix, Commands);
    return 1;
  }
  if (A[0] == "--help" || A[0] == "-h") {
    help(stdout, Prefix, Commands);
    return 0;
  }
  if (A[0] == "--version") {
    puts("graupel " GRAUPEL_VERSION " (LLVM " LLVM_VERSION_STRING
         ", BOLT " LLVM_VERSION_STRING ")");
    return 0;
  }
  for (const Command &C : Commands)
    if (A[0] == C.Name)
      return C.Run({A.begin() + 1, A.end()});
  fprintf(stderr,
          "%s: error: there is no command `%s`; `%s --help` lists them\n",
          Prefix, A[0].c_str(), Prefix);
  return 1;
}

int graupel::dsmCommand(const Arguments &A) {
  static const Command Commands[] = {
      {"run", "runs a program as the nodes of a job on this host",
       dsmRunCommand},
      {"report", "shows where the nodes of a job waited for data, and why",
       dsmReportCommand},
      {"check", "lists calls that may pass shared memory to unchecked code",
       dsmCheckCommand},
      {"lines", "names the source lines of addresses in messages of a job",
       dsmLinesCommand},
  };
  return dispatch("graupel dsm", Commands, A);
}

int graupel::numaCommand(const Arguments &A) {
  static const Command Commands[] = {
      {"bench", "measures latency and bandwidth between nodes and processors",
       numaBenchCommand},
      {"plan", "says what should go where, and why, from a profile",
       numaPlanCommand},
      {"profile", "runs a program and writes who refers to which pages",
       numaProfileCommand},
      {"run", "runs a program with memory and threads where a file says",
       numaRunCommand},
      {"topology", "shows nodes, processors, distances and routes",
       numaTopologyCommand},
  };
  return dispatch("graupel numa", Commands, A);
}

int graupel::strideCommand(const Arguments &A) {
  static const Command Commands[] = {
      {"record", "runs a program and names the record", strideRecordCommand},
      {"report", "shows which strides a program's loads and stores make",
       strideReportCommand},
      {"annotate", "shows source lines with what their references do",
       strideAnnotateCommand},
      {"diff", "shows what changed between two runs", strideDiffCommand},
      {"export", "writes a record for other tools", strideExportCommand},
  };
  return dispatch("graupel stride", Commands, A);
}
