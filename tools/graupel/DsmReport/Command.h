//===- DsmReport/Command.h - Makes a report --------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_DSMREPORT_COMMAND_H
#define GRAUPEL_TOOLS_DSMREPORT_COMMAND_H

#include <string>
#include <vector>

namespace graupel::dsm {

struct ReportOptions {
  std::string Folder;
  std::string Format = "text"; ///< Or json, html, hints.
  std::string File;            ///< Empty: standard output.
  unsigned Top = 30;
};

/// Reads what the nodes left, writes the report, says on standard error what is
/// missing, and returns the exit status: 1 if nothing could be shown.
int makeReport(const ReportOptions &);

/// Prints the line of each FILE=0xADDRESS, and returns the exit status.
int printLines(const std::vector<std::string> &Places);

} // namespace graupel::dsm

#endif
