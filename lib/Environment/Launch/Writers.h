//===- Launch/Writers.h - Programs that write originals ------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An original that is covered can be neither written to nor removed. A command
// that runs a program and then links it again, as `make check` may, would fail.
// Whoever is going to do that is asked for his arguments when he starts:
//
//   1. Compilers, linkers and many others name what they write behind -o.
//   2. rm, mv, strip, chmod and others change each file that they name, or
//      folder; cp, install and ln the last one, or a file in it.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_LAUNCH_WRITERS_H
#define GRAUPEL_ENVIRONMENT_LAUNCH_WRITERS_H

#include "Started.h"

namespace graupel::environment {

/// Files and folders, by their real names, that \p Program may write to,
/// replace, or remove.
std::vector<std::string> writtenBy(const Started &Program);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_WRITERS_H
