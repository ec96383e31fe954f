//===- DsmRun.cpp - graupel dsm run: its options -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DsmRun/Job.h"
#include "Support/Command.h"

using namespace graupel;

int graupel::dsmRunCommand(const CommandDescription &C, const Parsed &P) {
  JobOptions O;
  O.Nodes = unsigned(P.number("n", 0));
  O.ThreadsPerNode = unsigned(P.number("threads-per-node", 0));
  O.Block = unsigned(P.number("block", 0));
  if (O.Block & (O.Block - 1))
    return failCommand(C, "--block is " + P.value("block") +
                              "; give a power of two from 32 to 4096");
  if (O.Nodes == 0)
    return failCommand(C, "the number of nodes is missing; say -n N");
  if (P.Rest.empty())
    return failWithoutCommand(C);
  O.CheckMissed = P.has("check-missed");
  O.Report = P.value("report");
  O.Program = P.Rest;
  return runJob(O);
}
