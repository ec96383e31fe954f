//===- numa/Run/Report.h - What is said of a placement -------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On standard error what is wrong, and with $GRAUPEL_NUMA_REPORT also what is
// right. With $GRAUPEL_NUMA_JSON, a folder, all of it as a JSON array in a file
// there, which has this process's number for a name.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_REPORT_H
#define GRAUPEL_NUMA_REPORT_H

#include "Numa/PlacementFile/Statements.h"
#include "graupel/numa.h"

namespace graupel::numa {

/// Whether somebody wants to know what is right.
bool isReportWanted();

/// Something a statement asks for cannot be.
void complain(const Statement &S, const char *What);
/// Where its pages are.
void tellPages(const Statement &S, const graupel_numa_report &R);
/// Which of them have copies.
void tellCopies(const Statement &S, const graupel_numa_replica_counts &C);

/// The file, of all statements and what has been said of them. At the end.
void writeReport(const std::vector<Statement> &Statements);

} // namespace graupel::numa

#endif
