//===- Numa/Topology/Readers.h - Where a topology is from ----- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each reader fills a topology that was empty, complete()d. It returns what is
// wrong, with what to do about it, or nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_READERS_H
#define GRAUPEL_NUMA_READERS_H

#include "Topology.h"

namespace graupel::numa {

using ErrorText = std::optional<std::string>;

/// `Root` is /sys, or a copy of the files of another machine's. A kernel
/// without NUMA is one node. Loads no library: for runtimes.
ErrorText readSysfs(const std::string &Root, Topology &T);

/// A machine described by hand, statement by line (docs/numa.md).
ErrorText readDescription(std::string_view Text, Topology &T);

/// This machine, with devices, by hwloc.
ErrorText readHwloc(Topology &T);
/// Another one, from what `lstopo machine.xml` wrote.
ErrorText readHwlocXML(const std::string &Path, Topology &T);
/// One that does not exist: "pack:2 [numa] core:4 pu:1".
ErrorText readHwlocSynthetic(const std::string &Text, Topology &T);

} // namespace graupel::numa

#endif
