//===- Report/Table.h - Tables for people -----------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_REPORT_TABLE_H
#define GRAUPEL_REPORT_TABLE_H

#include "ShareBins.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace graupel {

/// A table for text and for pages.
struct Table {
  std::string Title;
  std::vector<std::string> Sentences; ///< A summary of the table.
  std::vector<std::string> Columns;
  /// One cell for each column; the first names the row. On pages a table
  /// without columns has only its sentences and its chart.
  std::vector<std::vector<std::string>> Rows;
  bool LastIsText = false; ///< The last column has words, too.
  /// On pages: the table takes their whole width, and readers can sort it.
  bool Wide = false, Sortable = false;
};

/// Aligned columns under the title: names to the left, figures to the right.
void writeTable(const Table &T, llvm::raw_ostream &OS);

/// Words of \p Text, in lines of at most \p Width columns that begin with
/// \p Indent blanks.
void writeWrapped(llvm::StringRef Text, size_t Indent, size_t Width,
                  llvm::raw_ostream &OS);

/// "12,345,678".
std::string grouped(uint64_t Number);
/// "12.3 %".
std::string percentText(double Percent);
/// "-12.3 %"; empty if there was nothing.
std::string changeText(uint64_t Before, uint64_t After);
/// Names of bins: "< 8"; "5-8", "> 1024".
std::string openLabel(const ShareBin &Bin);
std::string closedLabel(const ShareBin &Bin, uint64_t LastBound);

} // namespace graupel

#endif // GRAUPEL_REPORT_TABLE_H
