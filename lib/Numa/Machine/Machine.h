//===- Numa/Machine/Machine.h - The machine a command is about --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_MACHINE_MACHINE_H
#define GRAUPEL_NUMA_MACHINE_MACHINE_H

#include "Numa/Topology/Readers.h"

namespace graupel::numa {

/// Reads the topology that a SPEC names: nothing is this machine, `sysfs` or
/// `sysfs:FOLDER`, a file (hwloc's XML or a description), or hwloc's synthetic
/// text. Puts the tables `latency by node` and `bandwidth by node` of a JSON
/// file of measurements (docs/numa.md), unless its name is empty, into the
/// topology.
ErrorText readMachine(const std::string &Spec, const std::string &Measurements,
                      Topology &T);

} // namespace graupel::numa

#endif
