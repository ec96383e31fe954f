//===- DsmCheck.cpp - graupel dsm check ----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loader knows best which functions a program calls: the program is started
// with a word to the runtime, which lists them before main and ends it.
//
//===----------------------------------------------------------------------===//

#include "Support/Command.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace graupel;

static const char Help[] = R"(usage: graupel dsm check PROGRAM

Lists the calls in PROGRAM and its libraries that may pass shared memory to code that
is not compiled with checks. Such a call ends a job if the memory it passes really is
shared (docs/dsm.md), so not all that is listed has to be changed. PROGRAM is loaded,
but does not run. Status: 0 if there is no such call, 1 if there is.
)";

static bool hasRuntime(const std::string &Program) {
  std::ifstream In(Program, std::ios::binary);
  std::string All{std::istreambuf_iterator<char>(In), {}};
  return All.find("libgraupel-dsm.so") != std::string::npos;
}

int graupel::dsmCheckCommand(const Arguments &A) {
  for (const std::string &Arg : A)
    if (Arg == "--help" || Arg == "-h") {
      fputs(Help, stdout);
      return 0;
    }
  if (A.size() != 1) {
    fprintf(stderr,
            "graupel dsm check: error: %s; write graupel dsm check "
            "PROGRAM\n",
            A.empty() ? "there is no program" : "there is more than a program");
    return 2;
  }
  const char *Program = A[0].c_str();
  if (access(Program, X_OK)) {
    fprintf(stderr, "graupel dsm check: error: %s: %s\n", Program,
            strerror(errno));
    return 2;
  }
  // Others would run.
  if (!hasRuntime(A[0])) {
    fprintf(stderr,
            "graupel dsm check: error: %s is not linked with "
            "libgraupel-dsm.so; compile it with graupel-dsm.cfg\n",
            Program);
    return 2;
  }
  setenv("GRAUPEL_DSM_LIST_CALLS", "1", 1);
  execl(Program, Program, nullptr);
  fprintf(stderr, "graupel dsm check: error: cannot start %s: %s\n", Program,
          strerror(errno));
  return 2;
}
