//===- Main.cpp - The command graupel ------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include <fcntl.h>
#include <unistd.h>

using namespace graupel;

/// A file that is opened later must not be taken for a standard one that is
/// closed. Whoever uses that gets an error as before: it is open for the
/// contrary.
static void openStandardFiles() {
  for (int File : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(File, F_GETFD) < 0)
      (void)open("/dev/null", File == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int Argc, char **Argv) {
  openStandardFiles();
  static const Command Commands[] = {
      {"dsm", "programs over distributed shared memory", dsmCommand},
      {"numa",
       "machines of several memory nodes: what they are, what goes where",
       numaCommand},
      {"stride", "what a program's loads and stores do", strideCommand},
  };
  return dispatch("graupel", Commands, {Argv + 1, Argv + Argc});
}
