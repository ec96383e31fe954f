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

struct Command {
  const char *Name, *Summary;
  int (*Run)(const Arguments &); ///< Returns the exit status.
};

/// Runs the command that the first argument names, or prints help, or what is
/// wrong. `Prefix` is what was typed so far, as "graupel dsm".
int dispatch(const char *Prefix, std::span<const Command>, const Arguments &);

/// graupel dsm
int dsmCommand(const Arguments &);
/// graupel dsm run; `0` nodes in `Options` mean that the arguments are wrong.
int dsmRunCommand(const Arguments &);
/// graupel dsm report
int dsmReportCommand(const Arguments &);
/// graupel dsm check
int dsmCheckCommand(const Arguments &);
/// graupel dsm lines
int dsmLinesCommand(const Arguments &);
/// graupel numa
int numaCommand(const Arguments &);
/// graupel numa bench
int numaBenchCommand(const Arguments &);
/// graupel numa plan
int numaPlanCommand(const Arguments &);
/// graupel numa profile
int numaProfileCommand(const Arguments &);
/// graupel numa run
int numaRunCommand(const Arguments &);
/// graupel numa topology
int numaTopologyCommand(const Arguments &);
/// graupel stride
int strideCommand(const Arguments &);
/// graupel stride record
int strideRecordCommand(const Arguments &);
/// graupel stride report
int strideReportCommand(const Arguments &);
/// graupel stride annotate
int strideAnnotateCommand(const Arguments &);
/// graupel stride diff
int strideDiffCommand(const Arguments &);
/// graupel stride export
int strideExportCommand(const Arguments &);

// The optimization environment; Environment/Description.cpp says what they do.
int learnCommand(const Arguments &);
int runCommand(const Arguments &);
int shellCommand(const Arguments &);
int buildCommand(const Arguments &);
int registerCommand(const Arguments &);
int instrumentCommand(const Arguments &);
int optimizeCommand(const Arguments &);
int watchCommand(const Arguments &A);
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
