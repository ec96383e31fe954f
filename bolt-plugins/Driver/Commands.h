//===- Driver/Commands.h - Work on profiles ---------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_COMMANDS_H
#define GRAUPEL_DRIVER_COMMANDS_H

namespace graupel {

/// True if the first argument is a command (merge, export), not a program to
/// rewrite.
bool isCommand(int Argc, char **Argv);

/// Runs it. Returns the status to exit with.
int runCommand(int Argc, char **Argv);

} // namespace graupel

#endif // GRAUPEL_DRIVER_COMMANDS_H
