//===- Report/Destination.h - Form and place of a report --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_REPORT_DESTINATION_H
#define GRAUPEL_REPORT_DESTINATION_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace graupel {

enum class ReportFormat { None, Text, JSON, HTML };

/// The values of an option that asks for a report.
llvm::cl::ValuesClass reportFormats();

/// Where one report goes and in which form.
struct Destination {
  ReportFormat Format = ReportFormat::None;
  std::string File; ///< "-": standard output.
  /// The output program if the file has its name from that; empty otherwise.
  std::string Beside;

  /// \p File is what the user named, if anything. Pages go into a file by
  /// default: that of \p Output with \p Suffix.
  static Destination make(ReportFormat Format, llvm::StringRef File,
                          llvm::StringRef Output, llvm::StringRef Suffix);

  bool any() const { return Format != ReportFormat::None; }
  /// True if standard output is for the report alone: another program reads it.
  bool takesStdout() const {
    return Format == ReportFormat::JSON && File == "-";
  }

  /// Fails if \p Document could not be written; option \p FileOption would
  /// change that. Better at once than after minutes of work.
  llvm::Error check(llvm::StringRef Document, llvm::StringRef FileOption) const;
};

} // namespace graupel

#endif // GRAUPEL_REPORT_DESTINATION_H
