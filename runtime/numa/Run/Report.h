//===- numa/Run/Report.h - Report of a placement -------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports errors on standard error, and with $GRAUPEL_NUMA_REPORT successes,
// too. With $GRAUPEL_NUMA_JSON, a folder, writes all of it as a JSON array to a
// file there, which is named by this process's number.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_REPORT_H
#define GRAUPEL_NUMA_REPORT_H

#include "Numa/PlacementFile/Statements.h"
#include "graupel/numa.h"

namespace graupel::numa {

/// Whether successes are reported, too.
bool isReportWanted();

/// Something a statement asks for cannot be.
void complain(const Statement &S, const char *Message);
/// Reports the nodes of its pages.
void tellPages(const Statement &S, const graupel_numa_report &R);
/// Reports its units that have copies.
void tellCopies(const Statement &S, const graupel_numa_replica_counts &C);

/// Writes the file, with all statements and their reports. Called at the end.
void writeReport(const std::vector<Statement> &Statements);

} // namespace graupel::numa

#endif
