//===- Job.h - The nodes of a job on this host --------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_DSMRUN_JOB_H
#define GRAUPEL_TOOLS_DSMRUN_JOB_H

#include <string>
#include <vector>

namespace graupel {

struct JobOptions {
  unsigned Nodes = 0;
  unsigned ThreadsPerNode = 0, Block = 0; ///< 0: the program's default.
  bool CheckMissed = false;
  std::string Report;               ///< A folder; empty: none.
  std::vector<std::string> Program; ///< And its arguments.
};

/// Runs a job to its end, whatever that is, and returns the exit status. Prints
/// what went wrong. Leaves no process of the job behind.
int runJob(const JobOptions &);

} // namespace graupel

#endif
