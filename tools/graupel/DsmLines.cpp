//===- DsmLines.cpp - graupel dsm lines: its options ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DsmReport/Command.h"
#include "Support/Command.h"
#include <cstdio>

using namespace graupel;

static const char Help[] = R"(usage: graupel dsm lines FILE=0xADDRESS...

Prints the source line of the call that returns to each address, an empty line
where none is known. FILE is a program or library compiled with debug information,
ADDRESS one of the file's own, as after `+` in messages of a job. Nodes that
explain an error call this.
)";

int graupel::dsmLinesCommand(const Arguments &A) {
  for (const std::string &Arg : A)
    if (Arg == "--help" || Arg == "-h") {
      fputs(Help, stdout);
      return 0;
    }
  if (A.empty()) {
    fprintf(stderr, "graupel dsm lines: error: there is no place; write "
                    "FILE=0xADDRESS\n");
    return 1;
  }
  return dsm::printLines(A);
}
