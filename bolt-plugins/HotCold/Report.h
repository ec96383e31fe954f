//===- HotCold/Report.h - Results for each procedure ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures by which Cohn, Goodwin and Lowney (1997) judge hot-cold
// optimization (their Figures 15 to 20), as plain data: the recorder fills in
// one record for each procedure, the writers show what follows from them.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_REPORT_H
#define GRAUPEL_HOTCOLD_REPORT_H

#include "Gain.h"
#include "Report/ShareBins.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <string>

namespace graupel {

/// The paper's categories of Figure 15, then ours.
enum class HotColdCategory {
  Optimized,
  Infrequent,
  NoSplit,
  SPModified,
  NoAdvantage,
  Unsupported,
  Loop,
  Unproved,
};
constexpr size_t NumHotColdCategories = 8;

/// "no split" for tables; "no_split" in JSON; and in a sentence.
llvm::StringRef nameOf(HotColdCategory Category);
std::string keyOf(HotColdCategory Category);
llvm::StringRef describe(HotColdCategory Category);

/// Code and how much of the execution is in it.
struct CodePart {
  double Executed = 0; ///< Instructions.
  uint64_t Instructions = 0;
  uint64_t Bytes = 0; ///< As emitted, with long branches.
  bool Calls = false; ///< Other than by a jump.

  CodePart &operator+=(const CodePart &Other);
};

/// The hot procedure's size after each step of its making (Figure 19), with
/// short branches everywhere: only HCO makes a difference.
struct SizeSteps {
  uint64_t Original = 0;
  uint64_t Frequent = 0;  ///< Without infrequent blocks.
  uint64_t Reachable = 0; ///< Also without blocks only reached from these.
  uint64_t Optimized = 0;

  SizeSteps &operator+=(const SizeSteps &Other);
};

struct ProcedureRecord {
  std::string Name;
  HotColdCategory Category = HotColdCategory::Infrequent;
  std::string Reason; ///< May be empty.
  /// Impossible optimizations: "frame not removed: calls".
  std::vector<std::string> Notes;
  CodePart Original;
  /// Hot is all of a procedure that was not optimized.
  CodePart Hot, Cold, Stub;
  unsigned Stubs = 0;
  SizeSteps Steps;
  HotColdGain Gain;
  double Saved = 0; ///< All that was gained without what stubs cost.

  /// True if it has got new code, be it by inlining only.
  bool isChanged() const {
    return Category == HotColdCategory::Optimized || Gain.total() != 0;
  }
  uint64_t bytesAfter() const { return Hot.Bytes + Cold.Bytes + Stub.Bytes; }
};

struct HotColdReport {
  std::string Program, Profile;
  uint64_t ImageBytes = 0; ///< Size of all procedures of the input.
  /// Executed procedures that were not looked at: their flow is not known.
  uint64_t WithoutFlow = 0;
  std::vector<ProcedureRecord> Procedures; ///< All that were executed.
};

/// An internal error if a figure of \p Report cannot be: negative, or code
/// above that of the input.
llvm::Error checkFigures(const HotColdReport &Report);

/// Figures computed from the records of a report, which must outlive them.
struct HotColdFigures {
  struct Share {
    uint64_t Procedures = 0;
    double Executed = 0;
  };
  struct ReasonShare : Share {
    HotColdCategory Category;
    std::string Reason;
  };

  double Executed = 0;      ///< Instructions, before
  double ExecutedAfter = 0; ///< and after.

  std::array<Share, NumHotColdCategories> Coverage; ///< Figure 15.
  std::vector<ReasonShare> Reasons;                 ///< Most executed first.
  HotColdGain Gain;                                 ///< Figure 16.
  double Saved = 0;
  double LeafBefore = 0, LeafAfter = 0; ///< Figure 17.
  /// Figures 18 and 19, for changed procedures.
  CodePart Original, Hot, Cold, Stub;
  SizeSteps Steps; ///< For optimized ones only.
  /// By growth relative to their size, the largest first.
  std::vector<const ProcedureRecord *> Grown;
  /// Figure 20, by the number of instructions. The parts of an optimized
  /// procedure, hot and cold with stubs, are procedures of their own.
  std::vector<ShareBin> SizesBefore, SizesAfter;
  static constexpr uint64_t LargestBin = 4096;
  /// By executed instructions, the most first.
  std::vector<const ProcedureRecord *> Hottest;

  explicit HotColdFigures(const HotColdReport &Report);

  const Share &coverage(HotColdCategory Category) const {
    return Coverage[static_cast<size_t>(Category)];
  }

private:
  void addSizes(const ProcedureRecord &P, ShareBins &Before, ShareBins &After);
  void collectReasons(const HotColdReport &Report);
};

/// \p Part of \p Whole in percent; 0 if there is nothing.
inline double percentOf(double Part, double Whole) {
  return Whole > 0 ? 100 * Part / Whole : 0;
}

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_REPORT_H
