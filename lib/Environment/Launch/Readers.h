//===- Launch/Readers.h - Programs that handle files ---------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While a command learns, `cp app out` must copy the original. The kernel
// cannot tell copying from loading, so programs that copy, move, look into or
// measure files are known by name. One of these sees originals
// (Substitution/Originals):
//
//   1. if it handles whole folders, or names what it handles in a file;
//   2. otherwise if an argument leads to an ELF file or a folder. `xz text`
//      with a library that is to be counted is none of these.
//
// Programs that run others (env, make, sh, gdb) are not among them: what they
// start is counted.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_LAUNCH_READERS_H
#define GRAUPEL_ENVIRONMENT_LAUNCH_READERS_H

#include "Started.h"

namespace graupel::environment {

/// Whether \p Program has to see originals.
bool handlesFiles(const Started &Program);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_READERS_H
