//===- Numa/Bench/Table.h - Tables to fill, and filled -------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_TABLE_H
#define GRAUPEL_NUMA_BENCH_TABLE_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace graupel::numa::bench {

/// A place in a table that is to be filled with what cases yield.
struct Cell {
  enum Kind {
    Empty,      ///< Has no meaning here, or cannot be measured.
    Number,     ///< Known beforehand, as a node's number.
    Text,       ///< Likewise.
    Mean,       ///< The mean of the figures A.
    Difference, ///< Mean of A less mean of B.
    Ratio,      ///< Mean of A by mean of B.
    Increase,   ///< Mean of A over mean of B, in per cent.
  } Content = Empty;
  double Known = 0;
  std::string Words = {};
  std::vector<size_t> A = {}, B = {}; ///< Numbers of cases.

  static Cell number(double Value) { return {Number, Value}; }
  static Cell text(std::string Value) { return {Text, 0, std::move(Value)}; }
  static Cell mean(std::vector<size_t> A) {
    return {A.empty() ? Empty : Mean, 0, {}, std::move(A)};
  }
  static Cell of(Kind K, std::vector<size_t> A, std::vector<size_t> B) {
    return {
        A.empty() || B.empty() ? Empty : K, 0, {}, std::move(A), std::move(B)};
  }
};

/// The best presentation of a table.
enum class Shape { Plain, Heat };

/// The common part of planned and filled tables.
struct TableHead {
  std::string Name;  ///< The name in the JSON.
  std::string Unit;  ///< Unit of the cells, unless the column has another one.
  std::string About; ///< Its content and the method, in sentences.
  std::vector<std::string> Columns;
  Shape As = Shape::Plain;
};

struct PlannedTable : TableHead {
  std::vector<std::vector<Cell>> Rows;
};

/// Nothing, a number or words.
struct Entry {
  std::optional<double> Value = {};
  std::string Words = {};
};

struct FilledTable : TableHead {
  bool Published = false;
  std::vector<std::vector<Entry>> Rows;
  /// For each row, why it is not stable, or nothing.
  std::vector<std::string> Unstable;

  bool stable() const {
    for (const std::string &Why : Unstable)
      if (!Why.empty())
        return false;
    return true;
  }
};

} // namespace graupel::numa::bench

#endif
