//===- HotCold/HotCold.h - Interface to the driver --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_HOTCOLD_H
#define GRAUPEL_HOTCOLD_HOTCOLD_H

#include "Report/Destination.h"
#include "bolt/Core/BinaryContext.h"

namespace graupel {

/// The destination of -hco-report. The first call must be after the command
/// line has been parsed and before BOLT's -o is redirected.
const Destination &hotColdReportPlan();

/// Warns if this run cannot have a report, and fails if it could not be
/// written.
llvm::Error checkHotColdReportPlan();

/// Whether a part of \p BF was inlined, so that others call the rest, or parts of
/// others were inlined into it.
bool hasInlinedParts(const llvm::bolt::BinaryFunction &BF);

/// Writes what was asked for; nothing if nothing was. To be called when the
/// code has been emitted.
llvm::Error writeHotColdReport(const llvm::bolt::BinaryContext &BC);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_HOTCOLD_H
