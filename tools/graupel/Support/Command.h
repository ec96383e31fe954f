//===- Command.h - Commands and their subcommands ------------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_SUPPORT_COMMAND_H
#define GRAUPEL_TOOLS_SUPPORT_COMMAND_H

#include <span>
#include <string>
#include <vector>

namespace graupel {

/// What follows a command's name on the command line.
using Arguments = std::vector<std::string>;

/// Its name is that of a description, as "dsm run".
struct Command {
  const char *Name;
  int (*Run)(const Arguments &); ///< Returns the exit status.
};

/// Runs the command that the first arguments name, or prints what there is, or
/// what is wrong.
int dispatch(std::span<const Command>, const Arguments &);

// graupel dsm
int dsmRunCommand(const Arguments &);
int dsmReportCommand(const Arguments &);
int dsmCheckCommand(const Arguments &);
int dsmLinesCommand(const Arguments &);

// graupel numa
int numaBenchCommand(const Arguments &);
int numaPlanCommand(const Arguments &);
int numaProfileCommand(const Arguments &);
int numaRunCommand(const Arguments &);
int numaTopologyCommand(const Arguments &);

// graupel stride
int strideRecordCommand(const Arguments &);
int strideReportCommand(const Arguments &);
int strideAnnotateCommand(const Arguments &);
int strideDiffCommand(const Arguments &);
int strideExportCommand(const Arguments &);

// The optimization environment.
int learnCommand(const Arguments &);
int runCommand(const Arguments &);
int shellCommand(const Arguments &);
int buildCommand(const Arguments &);
int registerCommand(const Arguments &);
int instrumentCommand(const Arguments &);
int optimizeCommand(const Arguments &);
int watchCommand(const Arguments &);
int measureCommand(const Arguments &);
int importCommand(const Arguments &);
int statusCommand(const Arguments &);
int showCommand(const Arguments &);
int useCommand(const Arguments &);
int enableCommand(const Arguments &);
int disableCommand(const Arguments &);
int exportCommand(const Arguments &);
int unregisterCommand(const Arguments &);
int gcCommand(const Arguments &);
int doctorCommand(const Arguments &);
int uiCommand(const Arguments &);
int completionCommand(const Arguments &);
int manCommand(const Arguments &);

} // namespace graupel

#endif
