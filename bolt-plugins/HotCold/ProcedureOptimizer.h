//===- HotCold/ProcedureOptimizer.h - One procedure's hot part --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROCEDUREOPTIMIZER_H
#define GRAUPEL_HOTCOLD_PROCEDUREOPTIMIZER_H

#include "HotCold/Proof/DraftCheck.h"
#include "HotVersion.h"
#include "Recorder.h"
#include <mutex>
#include <optional>

namespace graupel {

/// Parameters that decide whether a hot version is worth it, for the whole
/// image.
struct HotColdLimits {
  double Total = 0;       ///< Executed instructions.
  uint64_t Threshold = 0; ///< Blocks above it are frequent.
  /// Instructions that each byte added to the image has to save.
  double MinDensity = 0;
  /// Blocks are called cold by chance, with this seed, and whatever can be done
  /// is done.
  std::optional<uint64_t> Seed;
  /// Frequent blocks are called cold, and others hot, for the same purpose.
  bool Invert = false;
  uint64_t MaxProcedures = UINT64_MAX;
  bool Print = false;

  /// True if a test applies all possible changes, profitable or not.
  bool ignoreProfit() const { return Seed || Invert; }
};

/// Gives procedures hot versions: chooses hot blocks, drafts, optimizes the
/// draft, and commits the best one if it is a gain. Code that was cold in one
/// may get one of its own.
class ProcedureOptimizer {
public:
  ProcedureOptimizer(const HotColdContext &Context, const HotColdLimits &Limits,
                     HotColdRecorder &Recorder, DraftCheck &Check)
      : Context(Context), Limits(Limits), Recorder(Recorder), Check(Check) {}

  ~ProcedureOptimizer();

  struct Procedure {
    llvm::bolt::BinaryFunction *BF;
    double Weight; ///< Executed instructions.
  };
  /// Drafts all, then commits those first that save most for what they add.
  void optimizeAll(llvm::ArrayRef<Procedure> Procedures);
  /// Repeats this for one procedure after inlining.
  void optimizeAgain(const Procedure &P);

  /// True if one more change that adds so many bytes is allowed.
  bool mayChange(int64_t Growth);

private:
  struct Analyses;
  class OwnEmitter;
  struct Draft;
  struct Plan;
  struct Result {
    HotColdCategory Category;
    std::string Reason; ///< May be empty.
  };

  const HotColdContext &Context;
  const HotColdLimits Limits;
  HotColdRecorder &Recorder;
  DraftCheck &Check;
  uint64_t NumCommitted = 0;
  /// The sizes of functions that were looked at, in bytes.
  llvm::DenseMap<const llvm::bolt::BinaryFunction *, uint64_t> OriginalSizes;
  /// Emitters that no thread uses now: each thread needs one of its own.
  std::vector<llvm::bolt::BinaryContext::IndependentCodeEmitter> Emitters;
  std::mutex Lock; ///< Held while one of these two is used.

  /// Called by several threads for different procedures.
  Plan makePlan(const Procedure &P);
  std::vector<Plan> makePlans(llvm::ArrayRef<Procedure> Procedures);
  std::unique_ptr<Draft> chooseDraft(llvm::bolt::BinaryFunction &BF,
                                     Result &IfNone);
  std::unique_ptr<Draft> makeDraft(llvm::bolt::BinaryFunction &BF,
                                   const llvm::BitVector &Hot,
                                   const Analyses &Shared, Result &IfNone);
  std::vector<llvm::BitVector> candidates(llvm::bolt::BinaryFunction &BF,
                                          const Liveness &Live) const;
  bool isTooLarge(Draft &D, const Analyses &Shared);
  Result carryOut(Plan &P);
  void optimizeFurther(const Procedure &P, unsigned Rounds);
  void report(const Plan &P, const Result &R) const;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_PROCEDUREOPTIMIZER_H
