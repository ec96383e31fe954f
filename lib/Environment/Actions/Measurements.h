//===- Actions/Measurements.h - Times before and after -------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs of one command in rounds: the original, the optimized versions, and the
// original again, whose difference from the first is what chance does (A/A).
// Within a round they are compared; what slows a whole round down does not
// matter.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_MEASUREMENTS_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_MEASUREMENTS_H

#include "Environment/Environment.h"
#include "llvm/Support/JSON.h"

namespace graupel::environment {

/// Seconds of one run.
struct RunTime {
  double Wall = 0;
  double Processor = 0; ///< User and system, of all its processes.
};

struct Round {
  RunTime Original, Optimized, Again;
};

/// Fewer say nothing: of less than six values no interval holds the median in
/// 95 % of all cases.
constexpr unsigned LeastRounds = 6;

/// One time over another.
struct Ratio {
  double Middle; ///< The median over all rounds.
  /// In 95 % of all cases, or more, the true median is between these, whatever
  /// the distribution (order statistics).
  double Low, High;

  bool isOne() const { return Low <= 1 && 1 <= High; }
};

/// One kind of time.
struct Comparison {
  double OriginalSeconds, OptimizedSeconds; ///< Medians.
  Ratio Change;                             ///< Optimized over original.
  Ratio Control;                            ///< The original over itself.
};

struct Measurement {
  std::string Command;
  int64_t At = 0;
  std::string Versions; ///< The versions that ran, as versionsOf names them.
  std::vector<Round> Rounds;
  int Status = 0; ///< With which all runs ended; not kept.
  /// To run it again: what Command joins, and where it ran. Empty if it cannot
  /// be repeated as it was.
  std::vector<std::string> Arguments;
  std::string Folder;

  /// At least LeastRounds have been made.
  Comparison compare(double RunTime::*Field) const;
};

/// The result of a measurement for the versions that ran.
enum class Verdict { Better, Unclear, Worse };
/// Better or worse only if the bounds of the change are beyond all that the
/// original differs from itself, in one kind of time. If both are, and
/// contrary, the larger change decides.
Verdict verdictOf(const Measurement &M);

/// "6.9 % less (5.6 to 8.0)", and what stands against it.
std::string sentence(const Comparison &C);

/// A name for the versions that are in place of an application's images: files
/// of the store, in any order.
std::string versionsOf(std::vector<std::string> Stores);

llvm::Error addMeasurement(Environment &E, const Application &A,
                           const Measurement &M);
/// Measurements of one application, the newest first. Errors are in the
/// connection.
std::vector<Measurement> measurements(Connection &DB, int64_t Application,
                                      int64_t Limit);

/// For programs; docs/environment.md has the schema.
llvm::json::Object toJSON(const Measurement &M);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_MEASUREMENTS_H
