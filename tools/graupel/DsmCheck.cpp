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

#include "Support/Parse.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace graupel;

/// The status if it is not known whether there are such calls.
static constexpr int Unknown = 2;

static bool hasRuntime(const std::string &Program) {
  std::ifstream In(Program, std::ios::binary);
  std::string All{std::istreambuf_iterator<char>(In), {}};
  return All.find("libgraupel-dsm.so") != std::string::npos;
}

int graupel::dsmCheckCommand(const Arguments &A) {
  const CommandDescription &C = description("dsm check");
  int Status = 1;
  auto P = parse(C, A, Status);
  if (!P)
    return Status ? Unknown : 0;
  const char *Program = P->Words[0].c_str();
  auto fail = [&](const std::string &What) {
    failCommand(C, What);
    return Unknown;
  };
  if (access(Program, X_OK))
    return fail(std::string(Program) + ": " + strerror(errno));
  // Others would run.
  if (!hasRuntime(Program))
    return fail(std::string(Program) +
                " is not linked with libgraupel-dsm.so; compile it with "
                "graupel-dsm.cfg");
  setenv("GRAUPEL_DSM_LIST_CALLS", "1", 1);
  execl(Program, Program, nullptr);
  return fail(std::string("cannot start ") + Program + ": " + strerror(errno));
}
