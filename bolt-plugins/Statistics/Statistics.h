//===- Statistics/Statistics.h - Interface for the driver -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STATISTICS_STATISTICS_H
#define GRAUPEL_STATISTICS_STATISTICS_H

#include "Options.h"
#include "graupel/BoltPassPlugin.h"

namespace graupel {

/// Registers the passes that measure the program before and after the others,
/// if -spike-stats asks for it. To be called after the other registrations.
void registerStatisticsPasses(BoltPassRegistry &Registry);

/// Writes what was asked for; nothing if nothing was. To be called when the
/// code has its final addresses.
llvm::Error writeStatistics(const llvm::bolt::BinaryContext &BC);

} // namespace graupel

#endif // GRAUPEL_STATISTICS_STATISTICS_H
