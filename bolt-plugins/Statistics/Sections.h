//===- Statistics/Sections.h - The portrait as tables -----------*- C++ -*-===//
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

namespace graupel {

/// One figure of the portrait.
struct Section {
  enum class Topic {
    Size,
    TripCounts,
    HardlyLooping,
    AllProcedures,
    Overhead,
    Transfers,
    Memory,
    Splitting
  };
  Topic About;
  std::string Title;
  std::vector<std::string> Sentences; ///< What the table says in short.
  std::vector<std::string> Columns;
  /// As many cells as columns; the first names the row.
  std::vector<std::vector<std::string>> Rows;
};

/// Everything that is known.
std::vector<Section> sectionsOf(const Portrait &P);

/// "12,345,678".
std::string grouped(uint64_t Number);
/// "12.3 %".
std::string percentText(double Percent);
/// "-12.3 %"; empty if there was nothing.
std::string changeText(uint64_t Before, uint64_t After);
/// Names of bins: "< 8"; "5-8", "> 1024".
std::string openLabel(const ShareBin &Bin);
std::string closedLabel(const ShareBin &Bin, uint64_t LastBound);

struct NamedCount {
  const char *Name;
  uint64_t Count;
};
/// The rows of figure 6.
std::vector<NamedCount> overheadRows(const Portrait &P);
/// How control left blocks.
std::vector<NamedCount> transferRows(const TransferCounts &T);
/// Bytes, lines, pages.
std::vector<NamedCount> memoryRows(const LayoutFigures &F);

} // namespace graupel

#endif // GRAUPEL_STATISTICS_SECTIONS_H
