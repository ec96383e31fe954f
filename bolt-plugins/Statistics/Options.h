//===- Statistics/Options.h - What the user asked of -spike-stats *- C++
//-*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STATISTICS_OPTIONS_H
#define GRAUPEL_STATISTICS_OPTIONS_H

#include "llvm/Support/Error.h"
#include <string>

namespace graupel {

enum class StatisticsFormat { None, Text, JSON, HTML };

struct StatisticsPlan {
  StatisticsFormat Format = StatisticsFormat::None;
  std::string File; ///< "-": standard output.

  bool any() const { return Format != StatisticsFormat::None; }
};

/// The plan for this run. The first call must be after the command line has
/// been parsed and before BOLT's -o is redirected.
const StatisticsPlan &statisticsPlan();

/// True if standard output is for the statistics alone.
bool statisticsTakeStdout();

/// Warns if this run cannot have statistics, and fails if they could not be
/// written: better at once than after minutes of work.
llvm::Error checkStatisticsPlan();

} // namespace graupel

#endif // GRAUPEL_STATISTICS_OPTIONS_H
