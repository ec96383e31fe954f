//===- StrideReport/Command.h - The report commands -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_STRIDEREPORT_COMMAND_H
#define GRAUPEL_TOOLS_STRIDEREPORT_COMMAND_H

#include "Streams.h"

namespace graupel::stride {

enum class Form {
  Text,
  JSON,
  HTML,
  Annotated,
  Callgrind,
  Numa,
  Fgdsm,
  Split,
  Diff,
  DiffJSON
};

struct ReportOptions {
  const char *Command = "report"; ///< For messages.
  Form As = Form::Text;
  std::vector<std::string> Files; ///< Diff: before and after.
  std::string Output;             ///< Empty: standard output.
  Variant Which = Variant::Filtered;
  unsigned MaxLag = 0; ///< 0: as recorded.
};

/// Writes it, and what is wrong to standard error; returns the exit status.
int makeReport(const ReportOptions &O);

} // namespace graupel::stride

#endif
