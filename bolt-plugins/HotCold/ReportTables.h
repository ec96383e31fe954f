//===- HotCold/ReportTables.h - The report as tables ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_REPORTTABLES_H
#define GRAUPEL_HOTCOLD_REPORTTABLES_H

#include "Report.h"
#include "Report/Table.h"

namespace graupel {

/// One figure.
struct HotColdTable : Table {
  enum class Topic {
    Coverage,
    Reasons,
    PathLength,
    Leaves,
    Growth,
    Steps,
    Grown,
    Distribution,
    Procedures
  };
  Topic About;
};

/// Number of procedures that are listed by name.
constexpr size_t NumListedGrown = 10, NumListedHottest = 30;

/// Everything that is known.
std::vector<HotColdTable> tablesOf(const HotColdReport &R,
                                   const HotColdFigures &F);

/// \p Name with "..." in its middle if it has more than \p Length characters.
std::string shortened(llvm::StringRef Name, size_t Length);

/// Rows of Figure 19: the hot procedure step by step, then what is in the
/// output.
struct SizeRow {
  const char *Name;
  uint64_t Bytes, Original;
};
std::vector<SizeRow> sizeRows(const HotColdFigures &F);

/// Aligned tables.
void writeText(const HotColdReport &R, llvm::raw_ostream &OS);
/// The keys are documented in docs/hot-cold.md and do not change their
/// meaning; new ones may come.
void writeJSON(const HotColdReport &R, llvm::raw_ostream &OS);
/// One page that needs nothing but itself.
void writeHTML(const HotColdReport &R, llvm::raw_ostream &OS);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_REPORTTABLES_H
