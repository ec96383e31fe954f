//===- Numa/Report/RunFacts.h - The results of a run ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_REPORT_RUNFACTS_H
#define GRAUPEL_NUMA_REPORT_RUNFACTS_H

#include "Numa/Profile/Recorded.h"
#include "Numa/Run/Auto.h"

namespace graupel::numa {

struct RunFacts {
  std::string Program;
  int Status = 0; ///< The exit status of the command.
  int Signal = 0; ///< The signal that ended the program.
  size_t Nodes = 0;
  /// A placement's: the file, and what the program's runtime has said of its
  /// statements, a JSON array; none: it did not come to that.
  std::string Placement;
  std::optional<std::string> Statements;
  const AutoPlacer *Auto = nullptr;     ///< Null: there was a placement.
  const NumaProfile *Traffic = nullptr; ///< Null: nobody counted.
  const Topology *Machine = nullptr;    ///< If Auto is there.
};

/// docs/numa.md has the schema.
std::string jsonOf(const RunFacts &F);

} // namespace graupel::numa

#endif
