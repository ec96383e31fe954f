//===- Dsm/Report/Writers.h - The report as text, JSON and HTML -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_REPORT_WRITERS_H
#define GRAUPEL_DSM_REPORT_WRITERS_H

#include "Dsm/Analysis/Advice.h"
#include "Report/Table.h"

namespace graupel::dsm {

/// The data to show.
struct Report {
  const Profile &P;
  const AdviceList &Advices;
  const std::vector<std::string> &Warnings;
  unsigned Top; ///< Rows and objects.
};

void writeText(const Report &, llvm::raw_ostream &);
void writeJSON(const Report &, llvm::raw_ostream &);
void writeHTML(const Report &, llvm::raw_ostream &);
/// Hints for the compiler (docs/dsm.md).
void writeHints(const Report &, const Accesses &, llvm::raw_ostream &);

// --- Common to text and pages.

Table nodesTable(const Profile &);
Table missesTable(const Report &);
Table objectsTable(const Report &);
Table pollsTable(const Profile &);
Table messagesTable(const Profile &);
Table peersTable(const Profile &);
std::string summary(const Profile &);
/// "3,300 to 3,400".
std::string limits(uint64_t Least, uint64_t Most);
/// The predicted gain of all advice together.
std::string sumOf(const AdviceList &);
/// "misses 88,000 -> 3,300 to 3,400, messages 352,000 -> 13,000"; "" if nothing
/// is predicted.
std::string predicted(const Advice &);
/// "blocks of 128 bytes, home round robin".
std::string describe(const Object &);

/// Poll intervals in bins of a doubling each.
struct PollBin {
  std::string Label;
  uint64_t Count;
};
std::vector<PollBin> pollBins(const Profile &);

/// "1.234": of nanoseconds.
std::string milliseconds(uint64_t Nanoseconds);
std::string microseconds(uint64_t Nanoseconds);

} // namespace graupel::dsm

#endif
