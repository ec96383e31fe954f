//===- HotCold/ProcedureOptimizer.h - One procedure's hot part --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROCEDUREOPTIMIZER_H
#define GRAUPEL_HOTCOLD_PROCEDUREOPTIMIZER_H

#include "DraftCheck.h"
#include "HotVersion.h"
#include "Recorder.h"
#include <optional>

namespace graupel {

/// What decides whether a hot version is worth it, for the whole image.
struct HotColdLimits {
  double Total = 0;       ///< Executed instructions.
  uint64_t Threshold = 0; ///< Blocks above it are frequent.
  /// Blocks are called cold by chance, with this seed, and whatever can be done
  /// is done.
  std::optional<uint64_t> Seed;
  /// Frequent blocks are called cold, and others hot, for the same purpose.
  bool Invert = false;
  uint64_t MaxProcedures = UINT64_MAX;
  bool Print = false;
};

/// Gives procedures hot versions: chooses hot blocks, drafts, optimizes the
/// draft, and commits the best one if it is a gain.
class ProcedureOptimizer {
public:
  ProcedureOptimizer(const HotColdContext &Context, const HotColdLimits &Limits,
                     HotColdRecorder &Recorder, DraftCheck &Check)
      : Context(Context), Limits(Limits), Recorder(Recorder), Check(Check) {}

  struct Result {
    HotColdCategory Category;
    std::string Reason; ///< May be empty.
  };
  /// What was cold in a first hot version may get one of its own.
  Result optimize(llvm::bolt::BinaryFunction &BF, double Weight);

  /// Has MaxProcedures been reached? Counts one more if not.
  bool isExhausted() { return NumCommitted++ >= Limits.MaxProcedures; }

private:
  struct Draft;

  const HotColdContext &Context;
  const HotColdLimits Limits;
  HotColdRecorder &Recorder;
  DraftCheck &Check;
  uint64_t NumCommitted = 0;
  /// Of functions that were looked at, in bytes.
  llvm::DenseMap<const llvm::bolt::BinaryFunction *, uint64_t> OriginalSizes;

  /// What may be done to code is tested, not what pays.
  bool ignoresProfit() const { return Limits.Seed || Limits.Invert; }
  Result optimizeOnce(llvm::bolt::BinaryFunction &BF, double Weight);
  std::optional<Draft> chooseDraft(llvm::bolt::BinaryFunction &BF,
                                   Result &IfNone);
  std::optional<Draft> makeDraft(llvm::bolt::BinaryFunction &BF,
                                 const llvm::BitVector &Hot, Result &IfNone);
  std::vector<llvm::BitVector> candidates(llvm::bolt::BinaryFunction &BF) const;
  bool mayGrow(const HotVersion &Hot);
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_PROCEDUREOPTIMIZER_H
