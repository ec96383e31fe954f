//===- Numa/Run/Preload.h - The runtime in LD_PRELOAD -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_RUN_PRELOAD_H
#define GRAUPEL_NUMA_RUN_PRELOAD_H

#include <string>

namespace graupel::numa {

/// libgraupel_numa_run.so, which is beside this command's folder in a build and
/// when installed. Empty if it is not there.
std::string findRuntime();

/// Puts \p Runtime in front of LD_PRELOAD for programs that are started from
/// now on. The variable separates names by blanks and colons: a path with one
/// of them is reached through a link in a folder of this user. False if that
/// folder cannot be had; errno says why.
bool preload(const std::string &Runtime);

} // namespace graupel::numa

#endif
