//===- Stride/Report/Comparison.h - Two runs, by data and line --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two runs are compared by data and by line. Lines are the same if their text
// is, in functions of the same name, since numbers move when a file is edited;
// where there is no source, if the number is. If one line of a function is gone
// and one is new that refers to the same data, that line was edited. A heap
// object is the same if what it is assigned to is.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_REPORT_COMPARISON_H
#define GRAUPEL_STRIDE_REPORT_COMPARISON_H

#include "Report.h"
#include <set>
#include <tuple>

namespace graupel::stride {

/// References of one side of a comparison.
struct Side {
  Pattern P;
  Code Made;
  std::set<Line> Lines;
  bool Bulk = false; ///< Also by calls of memcpy and the like.
  MissCounts Misses;
  bool any() const { return P.References != 0; }
};

struct Pair {
  std::string Name; ///< Name of the data.
  bool Store = false;
  std::string Text; ///< Text of the line, if there is one.
  Side Before, After;
  /// The changes by the compiler, or by an edit of the source, in words.
  std::vector<std::string> claims() const;
  bool isSame() const;
  /// "grid, loads"
  std::string title() const { return Name + (Store ? ", stores" : ", loads"); }
  uint64_t most() const {
    return std::max(Before.P.References, After.P.References);
  }
};

class Comparison {
public:
  Comparison(Report &Before, Report &After) {
    add(Before, &Pair::Before);
    add(After, &Pair::After);
    addBulk(Before, &Pair::Before);
    addBulk(After, &Pair::After);
    joinEdited();
  }
  std::vector<const Pair *> data() const { return sorted(ByData); }
  std::vector<const Pair *> lines() const { return sorted(ByLine); }

private:
  using DataKey = std::pair<std::string, bool>;
  using LineKey = std::tuple<std::string, std::string, std::string, bool>;

  void add(Report &R, Side Pair::*Which);
  void addBulk(Report &R, Side Pair::*Which);
  void joinEdited();
  template <class Map>
  static std::vector<const Pair *> sorted(const Map &From) {
    std::vector<const Pair *> Result;
    for (auto &[Key, P] : From)
      Result.push_back(&P);
    std::stable_sort(
        Result.begin(), Result.end(),
        [](const Pair *A, const Pair *B) { return A->most() > B->most(); });
    return Result;
  }

  std::map<DataKey, Pair> ByData;
  std::map<LineKey, Pair> ByLine;
};

} // namespace graupel::stride

#endif
