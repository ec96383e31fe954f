//===- Writers.h - The report as text, JSON and HTML -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_DSMREPORT_WRITERS_H
#define GRAUPEL_TOOLS_DSMREPORT_WRITERS_H

#include "Advice.h"
#include "Report/Table.h"

namespace graupel::dsm {

/// What is to be shown.
struct Report {
  const Profile &P;
  const std::vector<Advice> &Advices;
  const std::vector<std::string> &Warnings;
  unsigned Top; ///< Rows and objects.
};

void writeText(const Report &, llvm::raw_ostream &);
void writeJSON(const Report &, llvm::raw_ostream &);
void writeHTML(const Report &, llvm::raw_ostream &);

// --- What text and pages have in common.

Table nodesTable(const Profile &);
Table missesTable(const Report &);
Table objectsTable(const Report &);
Table pollsTable(const Profile &);
Table messagesTable(const Profile &);
Table peersTable(const Profile &);
std::string summary(const Profile &);
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
