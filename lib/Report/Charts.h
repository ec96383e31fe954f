//===- Report/Charts.h - Charts as inline SVG -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three kinds of charts, drawn as SVG elements for a page that styles them: the
// classes fill0, line0 and so on carry the colors, so that the page can follow
// the reader's light or dark scheme.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_REPORT_CHARTS_H
#define GRAUPEL_REPORT_CHARTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <string>
#include <vector>

namespace graupel {

/// \p Text with the characters replaced that mean something in HTML.
std::string escapeHTML(llvm::StringRef Text);

/// Cumulative percentages over bins.
struct CurveChart {
  struct Series {
    std::string Name;
    std::vector<double> Percent; ///< One for each bin.
  };
  std::string Title; ///< For readers who hear the page.
  std::string XTitle, YTitle;
  std::vector<std::string> Bins;
  std::vector<Series> Curves; ///< One or two.

  void draw(llvm::raw_ostream &OS) const;
};

/// Horizontal bars; with two series in pairs.
struct BarChart {
  struct Row {
    std::string Label;
    std::vector<double> Values; ///< One for each series.
    std::vector<std::string> Texts;
  };
  std::string Title;
  std::string XTitle;
  std::vector<std::string> Series; ///< Names; none if there is one only.
  std::vector<Row> Rows;
  /// Room for labels, of the 420 that there are.
  double LabelWidth = 144;

  void draw(llvm::raw_ostream &OS) const;
};

/// Cells whose color says how much; groups of rows below each other.
struct HeatMap {
  struct Group {
    std::string Name;
    unsigned Series; ///< Its color, 0 to 2.
    /// One for each row label, all of the same length.
    std::vector<std::vector<uint64_t>> Rows;
  };
  std::string Title;
  std::string XTitle; ///< Below the columns.
  std::vector<std::string> RowLabels;
  std::vector<std::string> ColumnNames; ///< For who points at a cell.
  std::vector<Group> Groups;
  /// Cells are figures instead of counts: light is the group's least, and few
  /// columns show their figures. Cells are in thousandths then; 0 is none.
  bool Figures = false;
  /// Names are below the columns, too.
  bool NamedColumns = false;
  /// Width of the drawing, in units of which text is 12 high.
  double Width = 420;

  /// Light is little, from 1 on, and full is the most of the group; each step
  /// of color is a multiple.
  void draw(llvm::raw_ostream &OS) const;

private:
  /// The least and the most that a group's cells count.
  struct Extent {
    uint64_t Least = ~uint64_t(0), Most = 0;
  };
  static Extent extentOf(const Group &Shown);
  void drawRow(const Group &Shown, Extent Values, size_t Row, double Left,
               double Y, double Height, llvm::raw_ostream &OS) const;
  void drawNames(double Left, double Y, llvm::raw_ostream &OS) const;
  std::string textOf(uint64_t Cell) const;
};

} // namespace graupel

#endif // GRAUPEL_REPORT_CHARTS_H
