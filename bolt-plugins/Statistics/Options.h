//===- Statistics/Options.h - Options of -spike-stats -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STATISTICS_OPTIONS_H
#define GRAUPEL_STATISTICS_OPTIONS_H

#include "Report/Destination.h"

namespace graupel {

/// The plan for this run. The first call must be after the command line has
/// been parsed and before BOLT's -o is redirected.
const Destination &statisticsPlan();

/// Warns if this run cannot have statistics, and fails if they could not be
/// written.
llvm::Error checkStatisticsPlan();

} // namespace graupel

#endif // GRAUPEL_STATISTICS_OPTIONS_H
