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

static bool hasRuntime(const std::string &Program) {
  std::ifstream In(Program, std::ios::binary);
  std::string All{std::istreambuf_iterator<char>(In), {}};
  return All.find("libgraupel-dsm.so") != std::string::npos;
}

int graupel::dsmCheckCommand(const CommandDescription &C, const Parsed &P) {
  const char *Program = P.Words[0].c_str();
  if (access(Program, X_OK))
    return failCommand(C, std::string(Program) + ": " + strerror(errno));
  // Others would run.
  if (!hasRuntime(Program))
    return failCommand(
        C, std::string(Program) +
               " is not linked with libgraupel-dsm.so; compile it with "
               "graupel-dsm.cfg");
  setenv("GRAUPEL_DSM_LIST_CALLS", "1", 1);
  execl(Program, Program, nullptr);
  return failCommand(C, std::string("cannot start ") + Program + ": " +
                            strerror(errno));
}
