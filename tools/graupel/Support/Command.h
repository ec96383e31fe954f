//===- Command.h - Commands and their subcommands ------------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_SUPPORT_COMMAND_H
#define GRAUPEL_TOOLS_SUPPORT_COMMAND_H

#include "Parse.h"

namespace graupel {

/// The function of a command with its parsed arguments; returns the exit
/// status.
using CommandFunction = int(const CommandDescription &C, const Parsed &P);

struct Command {
  const char *Name; ///< The name of a description, for example "dsm run".
  CommandFunction *Run;
};

/// Runs the command that the first arguments name, or prints what there is, or
/// what is wrong.
int dispatch(std::span<const Command>, const Arguments &);

CommandFunction dsmCheckCommand, dsmLinesCommand, dsmReportCommand,
    dsmRunCommand;
CommandFunction numaBenchCommand, numaPlanCommand, numaProfileCommand,
    numaRunCommand, numaTopologyCommand;
CommandFunction strideAnnotateCommand, strideDiffCommand, strideExportCommand,
    strideRecordCommand, strideReportCommand;
// The optimization environment.
CommandFunction buildCommand, completionCommand, disableCommand, doctorCommand,
    enableCommand, exportCommand, gcCommand, importCommand, instrumentCommand,
    learnCommand, manCommand, measureCommand, optimizeCommand, registerCommand,
    runCommand, shellCommand, showCommand, statusCommand, uiCommand,
    unregisterCommand, useCommand, watchCommand;

} // namespace graupel

#endif
