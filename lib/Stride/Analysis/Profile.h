//===- Stride/Analysis/Profile.h - References by place and data -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_ANALYSIS_PROFILE_H
#define GRAUPEL_STRIDE_ANALYSIS_PROFILE_H

#include "Pattern.h"
#include "Stride/Record/Objects.h"
#include <tuple>

namespace graupel::stride {

struct Line {
  std::string File; ///< Empty: unknown.
  uint32_t Number = 0;
  auto operator<=>(const Line &) const = default;
  /// "grid.c:41"
  std::string shortName() const;
};

/// The compiled form of a line's references: from all of its sites.
struct Code {
  uint32_t Sites = 0;
  uint32_t MostBytes = 0, MostLanes = 0, ElementBytes = 0;
  bool Gathered = false, Masked = false, Atomic = false, Volatile = false;
  bool NonTemporal = false;
  void add(const Site &S);
};

/// Line, function as its source names it, object of `Objects`, whether stores.
using UseKey = std::tuple<Line, std::string, uint32_t, bool>;

/// References of one kind that a line of a function makes to one object.
struct Use {
  Line Where;
  std::string Function;
  uint32_t Object; ///< Index in `Objects`.
  bool Store;
  Pattern P;
  Code Made;
  uint32_t Loop = NoNumber; ///< Loop of the site with most references.
  /// Stride per source iteration of the loop, in bytes; 0 if unknown or if the
  /// sites do not agree.
  uint64_t Step = 0;
  /// Different places in the line: references of a source iteration, if `Step`
  /// is known.
  uint32_t Columns = 0;
};

struct LineSum {
  Pattern Loads, Stores;
  Code Made;
};

struct LoopSum {
  Pattern Loads, Stores;
  uint64_t Executions = 0, Iterations = 0;
};

struct BulkSum {
  Line Where;
  std::string Function;
  uint32_t Object;
  bool Store;
  uint64_t Calls = 0, Bytes = 0;
};

/// Sums over a record's shares, whatever MAXEL and variant are shown.
class Profile {
public:
  Profile(const Record &R, const Objects &O);

  std::vector<Use> Uses; ///< Most references first.
  std::map<Line, LineSum> Lines;
  std::map<uint32_t, LoopSum> Loops; ///< By number.
  std::vector<BulkSum> Bulk;
  Pattern All;

private:
  void addShares(const Record &R, const Objects &O);
  void addBulk(const Record &R, const Objects &O);
};

/// Functions as their source names them.
std::string readableFunction(const std::string &Name);
/// Shortens a long readable name: without the arguments of templates and of the
/// function.
std::string briefFunction(const std::string &Readable);

} // namespace graupel::stride

#endif
