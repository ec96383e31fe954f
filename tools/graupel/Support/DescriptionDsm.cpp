//===- DescriptionDsm.cpp - Distributed shared memory ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Description.h"

using namespace graupel;

std::vector<CommandDescription> graupel::dsmDescriptions() {
  return {
      {"dsm", "COMMAND", "programs over distributed shared memory",
       "docs/dsm.md says how such programs are written and compiled."},
      {"dsm run",
       "-n N [OPTIONS] [--] PROGRAM [ARGUMENTS]",
       "runs a program as the nodes of a job on this host",
       "Runs PROGRAM as N processes on this host, the nodes of one job. The "
       "exit status is the program's: 0, the first other one of a node, or 128 "
       "+ the signal that ended one. Nodes' output appears in whole lines; "
       "node 0 gets the input.\n\n"
       "Several hosts: start PROGRAM with mpirun or `srun --mpi=pmix`.",
       {numberOption("-n", "N", {1, 64}, "nodes, 1 to 64"),
        numberOption("--threads-per-node", "T", {1, 256},
                     "threads of each node, 1 to 256 (default: 1)"),
        numberOption("--block", "BYTES", {32, 4096},
                     "unit of coherence of allocations that name none: a power "
                     "of two from 32 to 4096 (default: 128)"),
        {"--check-missed", nullptr,
         "finds what code without checks accesses: tells of each place once, "
         "fetches the memory and goes on"},
        {"--report", "FOLDER",
         "each node leaves there what `graupel dsm report` shows",
         Completes::Folder}},
       Completes::Command},
      {"dsm report",
       "FOLDER [OPTIONS]",
       "shows where the nodes of a job waited for data, and why",
       "Shows where the nodes of a job waited for data, and why: misses by "
       "source line, data and cause, messages, poll intervals, and what might "
       "help. FOLDER is what `graupel dsm run --report=FOLDER` has filled.",
       {{"--format", "text|json|html|hints",
         "what it is written as (default: text); html is one page that needs "
         "no network; hints are what the advice says of allocations, for "
         "-mllvm -fgdsm-hints=FILE"},
        {"-o", "FILE", "where to (default: standard output)", Completes::File},
        numberOption("--top", "N", {1, 100000},
                     "how many lines and objects, 1 to 100000 (default: 30)")},
       Completes::Folder,
       {1, 1},
       "the folder is missing; it is the one of `graupel dsm run "
       "--report=FOLDER`"},
      {"dsm check",
       "PROGRAM",
       "lists calls that may pass shared memory to unchecked code",
       "Lists the calls in PROGRAM and its libraries that may pass shared "
       "memory to code that is not compiled with checks. Such a call ends a "
       "job if the memory it passes really is shared (docs/dsm.md), so not all "
       "that is listed has to be changed. PROGRAM is loaded, but does not run. "
       "The exit status is 0 if there is no such call, 1 if there is, and 2 if "
       "that is not known.",
       {},
       Completes::Program,
       {1, 1},
       "there is no program; write graupel dsm check PROGRAM",
       "",
       2},
      {"dsm lines",
       "FILE=0xADDRESS...",
       "names the source lines of addresses in messages of a job",
       "Prints the source line of the call that returns to each address, an "
       "empty line where none is known. FILE is a program or library compiled "
       "with debug information, ADDRESS one of the file's own, as after `+` in "
       "messages of a job. Nodes that explain an error call this.",
       {},
       Completes::File,
       {1, WordCount::Any},
       "there is no place; write FILE=0xADDRESS"},
  };
}
