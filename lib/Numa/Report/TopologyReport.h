//===- Numa/Report/TopologyReport.h - A topology in two forms ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_REPORT_TOPOLOGYREPORT_H
#define GRAUPEL_NUMA_REPORT_TOPOLOGYREPORT_H

#include "Numa/Topology/Topology.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>

namespace graupel::numa {

/// Where nodes are compared, for people or for programs.
void writeText(const Topology &T, bool WithGraph, bool WithRoutes, FILE *Out);
void writeJSON(const Topology &T, llvm::raw_ostream &Out);

} // namespace graupel::numa

#endif
