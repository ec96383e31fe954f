//===- Statistics/Sections.h - Program statistics as tables -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables that text and HTML have in common.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STATISTICS_SECTIONS_H
#define GRAUPEL_STATISTICS_SECTIONS_H

#include "Portrait.h"
#include "Report/Table.h"

namespace graupel {

/// One figure of the statistics.
struct Section : Table {
  enum class Topic {
    Size,
    TripCounts,
    HardlyLooping,
    AllProcedures,
    Overhead,
    Transfers,
    Memory,
    Loops,
    Splitting
  };
  Topic About;
};

/// Everything that is known.
std::vector<Section> sectionsOf(const Portrait &P);

struct NamedCount {
  const char *Name;
  uint64_t Count;
};
/// The rows of figure 6.
std::vector<NamedCount> overheadRows(const Portrait &P);
/// The kinds of transfers by which control left blocks.
std::vector<NamedCount> transferRows(const TransferCounts &T);
/// Bytes, lines, pages.
std::vector<NamedCount> memoryRows(const LayoutFigures &F);

} // namespace graupel

#endif // GRAUPEL_STATISTICS_SECTIONS_H
