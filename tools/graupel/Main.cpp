//===- Main.cpp - The command graupel ------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

using namespace graupel;

int main(int Argc, char **Argv) {
  static const Command Commands[] = {
      {"dsm", "programs over distributed shared memory", dsmCommand},
      {"stride", "what a program's loads and stores do", strideCommand},
  };
  return dispatch("graupel", Commands, {Argv + 1, Argv + Argc});
}
