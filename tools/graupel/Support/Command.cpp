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

static void help(FILE *To, const std::string &Prefix, std::string_view Group) {
  fprintf(To, "usage: %s COMMAND [ARGUMENTS]\n\ncommands:\n", Prefix.c_str());
  for (const CommandDescription *C : commandsOf(Group))
    fprintf(To, "  %-10s %s\n", C->word(), C->Summary);
  fprintf(To, "\n`%s COMMAND --help` says more.\n", Prefix.c_str());
}

/// Dispatches on the word behind the name of a group, or behind graupel.
static int dispatchIn(const std::string &Group,
                      std::span<const Command> Commands, const Arguments &A) {
  const std::string Prefix = Group.empty() ? "graupel" : "graupel " + Group;
  if (A.empty()) {
    help(stderr, Prefix, Group);
    return 1;
  }
  if (A[0] == "--help" || A[0] == "-h") {
    help(stdout, Prefix, Group);
    return 0;
  }
  if (A[0] == "--version") {
    puts("graupel " GRAUPEL_VERSION " (LLVM " LLVM_VERSION_STRING
         ", BOLT " LLVM_VERSION_STRING ")");
    return 0;
  }
  const std::string Name = Group.empty() ? A[0] : Group + " " + A[0];
  const Arguments Others(A.begin() + 1, A.end());
  for (const Command &C : Commands)
    if (Name == C.Name) {
      int Status = 0;
      const CommandDescription &D = description(Name);
      auto P = parse(D, Others, Status);
      return P ? C.Run(D, *P) : Status;
    }
  if (Group.empty() && !Name.empty() && !commandsOf(Name).empty())
    return dispatchIn(Name, Commands, Others);
  fprintf(stderr,
          "%s: error: there is no command `%s`; `%s --help` lists them\n",
          Prefix.c_str(), A[0].c_str(), Prefix.c_str());
  return 1;
}

int graupel::dispatch(std::span<const Command> Commands, const Arguments &A) {
  return dispatchIn("", Commands, A);
}
