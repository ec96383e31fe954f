//===- StrideReport/Command.h - Makes a report -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_STRIDEREPORT_COMMAND_H
#define GRAUPEL_TOOLS_STRIDEREPORT_COMMAND_H

#include "Streams.h"

namespace graupel::stride {

struct ReportOptions {
  std::string File;
  bool JSON = false;
  Variant Which = Variant::Filtered;
  unsigned MaxLag = 0; ///< 0: as recorded.
};

/// Writes to standard output, and what is wrong to standard error; returns the
/// exit status.
int makeReport(const ReportOptions &O);

std::string toJSON(const Record &R, const ReportOptions &O);
std::string toText(const Record &R, const ReportOptions &O);

} // namespace graupel::stride

#endif
