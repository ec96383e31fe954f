//===- NumaTopology.cpp - graupel numa topology: its options -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numa/Machine/Machine.h"
#include "Numa/Report/TopologyReport.h"
#include "Support/Command.h"

using namespace graupel;

int graupel::numaTopologyCommand(const CommandDescription &C, const Parsed &P) {
  numa::Topology T;
  if (auto Wrong =
          numa::readMachine(P.value("topology"), P.value("measured"), T))
    return failCommand(C, *Wrong);
  if (P.has("json"))
    numa::writeJSON(T, llvm::outs());
  else
    numa::writeText(T, P.has("graph"), P.has("routes"), stdout);
  return 0;
}
