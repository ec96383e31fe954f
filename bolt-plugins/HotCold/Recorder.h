//===- HotCold/Recorder.h - Watches hot-cold optimization -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_RECORDER_H
#define GRAUPEL_HOTCOLD_RECORDER_H

#include "Explanation.h"
#include "HotVersion.h"
#include <map>
#include <memory>

namespace graupel {

/// The functions of -hco-explain.
class Explainer;

/// Collects what -hco-report and -hco-explain show. The pass tells it what it
/// does to one function after another; it changes nothing that is in the
/// output.
class HotColdRecorder {
public:
  using BlockTest =
      llvm::function_ref<bool(const llvm::bolt::BinaryBasicBlock &)>;
  enum class Part { Hot, Cold, Stub };

  HotColdRecorder();
  ~HotColdRecorder();

  /// Called before any change. Ends the process if a function to explain is
  /// not there.
  void start(llvm::bolt::BinaryContext &BC);

  /// True if what is shown of \p BF needs a draft that is made behind begin().
  bool watches(const llvm::bolt::BinaryFunction &BF) const;

  /// Called before \p BF is read; \p IsHot knows its frequent blocks.
  void begin(llvm::bolt::BinaryFunction &BF, BlockTest IsHot);
  /// A finished draft, be it kept or not, and the optimizations that were not
  /// possible. The last one counts unless an earlier one was kept.
  void draft(const HotVersion &Hot, const HotColdGain &Gain,
             llvm::ArrayRef<std::string> Notes);
  /// The last draft took the function's place. There may be others, on top of
  /// it, even after end(): when something was inlined, say. Explanations end
  /// with end().
  void commit(const HotVersion &Hot);
  void end(llvm::bolt::BinaryFunction &BF, HotColdCategory Category,
           llvm::StringRef Reason);

  /// For optimizations across functions, any time before finish(): the gain of
  /// \p BF, for example as a caller, and the part of its new block.
  void add(const llvm::bolt::BinaryFunction &BF, const HotColdGain &Gain);
  void mark(const llvm::bolt::BinaryBasicBlock &Block, Part P) {
    Parts[&Block] = P;
  }

  /// Called after the last function.
  void finish(llvm::bolt::BinaryContext &BC);
  /// Measures sizes. Called when branches are final.
  void measureSizes(llvm::bolt::BinaryContext &BC);

  HotColdReport &report() { return Report; }
  /// Some lines that sum it up.
  void printSummary(llvm::raw_ostream &OS) const;

private:
  HotColdReport Report;
  std::map<const llvm::bolt::BinaryFunction *, size_t> IndexOf;
  llvm::DenseMap<const llvm::bolt::BinaryBasicBlock *, Part> Parts;
  std::unique_ptr<Explainer> Explained;
  /// The function between begin() and end(), its last draft and its frequent
  /// blocks.
  const llvm::bolt::BinaryFunction *Current = nullptr;
  ProcedureRecord Draft;
  llvm::BitVector Frequent;

  bool isCommitted(const llvm::bolt::BinaryFunction &BF) const;
  SizeSteps stepsOf(const HotVersion &Hot) const;
  CodePart &partOf(ProcedureRecord &P,
                   const llvm::bolt::BinaryBasicBlock &Block) const;
};

/// The recorder of this run.
HotColdRecorder &hotColdRecorder();

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_RECORDER_H
