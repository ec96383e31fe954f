//===- Samples/Samples.h - Sums of samples -------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_SAMPLES_SAMPLES_H
#define GRAUPEL_ENVIRONMENT_SAMPLES_SAMPLES_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace graupel::environment {

/// Samples of one build of an image, as graupel-bolt writes them (fdata): the
/// number of samples at a place or, with branch records, of branches from a
/// place to another.
class Samples {
public:
  Samples() = default;
  /// Lines that are no samples are left out.
  explicit Samples(llvm::StringRef Fdata);

  /// Samples without branch records are of another kind, and not to be added to
  /// those that have them.
  bool hasBranches() const { return Header.empty(); }
  bool empty() const { return Counts.empty(); }
  void add(const Samples &Other);
  /// Counts above zero stay above zero.
  void scale(double Weight);
  double total() const;
  /// Number of functions that have samples.
  size_t functions() const;
  std::string fdata() const;

  /// By place: how often a branch was mispredicted, and how often there was a
  /// sample.
  using Row = std::array<uint64_t, 2>;
  const std::map<std::string, Row> &rows() const { return Counts; }

private:
  std::string Header; ///< "no_lbr EVENT:" if there are no branches.
  std::map<std::string, Row> Counts;
};

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_SAMPLES_SAMPLES_H
