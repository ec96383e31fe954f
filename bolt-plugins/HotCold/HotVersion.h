//===- HotCold/HotVersion.h - A procedure's frequent part -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_HOTVERSION_H
#define GRAUPEL_HOTCOLD_HOTVERSION_H

#include "FlowPrediction.h"
#include "Gain.h"
#include "HotCold/Machine/MachineModel.h"
#include "HotCold/Model/HotCode.h"
#include "Liveness.h"
#include "llvm/ADT/BitVector.h"

namespace graupel {

/// Data that the optimizations of one run share. Immutable.
struct HotColdContext : MachineModel {
  const RegisterSummaries &Summaries;

  /// Registers that may differ behind \p Inst, including the effects of its
  /// callee.
  RegisterSet writtenBy(const llvm::MCInst &Inst) const;
};

/// A draft of the hot version of one procedure (Cohn, Goodwin, Lowney 1997, on
/// hot-cold optimization): copies of its frequent blocks and, on each edge out
/// of them, a stub that leads into the original, which stays complete and never
/// comes back. Optimizations change the draft; nothing of the function itself
/// changes before commit().
class HotVersion : public HotCode {
public:
  /// \p Hot has a bit for each block of \p BF. Those that cannot be reached
  /// through hot ones are left out.
  /// \p Live is that of \p BF, for all its drafts.
  HotVersion(llvm::bolt::BinaryFunction &BF, const llvm::BitVector &Hot,
             const HotColdContext &Context,
             std::shared_ptr<const Liveness> Live);

  /// Fills in all execution counts. \p Counts are by the blocks' indices.
  void setCounts(const std::vector<double> &Counts);
  /// Fills in the depths of the stack. False if one is not known.
  bool setDepths(const StackDepth &Depth);

  const HotColdContext &context() const { return Context; }
  const Liveness &original() const { return *Original; }

  /// Number of edges from hot blocks to hot block \p Index.
  unsigned predecessors(unsigned Index) const;
  /// Registers live into each hot block: those that hot blocks need and, with
  /// \p Stubs, those that stubs and the code behind them need, too.
  std::vector<RegisterSet> liveInto(bool Stubs) const;
  RegisterSet liveInto(const Stub &S) const;
  RegisterSet liveBehind(const Block &B, const std::vector<RegisterSet> &LiveIn,
                         bool Stubs) const;

  /// A new rule for unwinding, for code of the draft.
  llvm::MCInst newUnwind(llvm::MCCFIInstruction Rule) const;

  /// True if from instruction \p Index of \p B on unwinding finds the frame by
  /// its result: a frame pointer, which nothing else may need.
  bool makesFrame(const Block &B, unsigned Index) const;

  /// True if no call returns to a hot block.
  bool isLeaf() const;
  struct Sizes {
    uint64_t Original = 0; ///< The original function, in bytes.
    uint64_t Hot = 0, Stubs = 0;
    uint64_t Cold = 0; ///< The original blocks that stay.
    uint64_t total() const { return Hot + Stubs + Cold; }
  };
  /// \p Originals are the sizes of the function's blocks, by their indices.
  /// \p Emitter is the calling thread's.
  Sizes sizes(llvm::ArrayRef<uint64_t> Originals,
              const llvm::MCCodeEmitter &Emitter) const;
  /// Number of executed instructions that it saves, compared with the original
  /// doing the same work, stubs included.
  double saving() const;
  void print(llvm::raw_ostream &OS) const;

  /// Puts the draft in the function's place: hot copies before the original
  /// blocks, of which only those stay that stubs lead to, with the counts of
  /// \p Cold, by their indices.
  void commit(const std::vector<double> &Cold);

private:
  /// The blocks of the original that stubs lead to, by their indices.
  llvm::BitVector reachableCold() const;

  const HotColdContext &Context;
  const std::shared_ptr<const Liveness> Original;
};

/// Lets hot blocks read registers instead of copies of them.
void propagateCopies(HotVersion &Hot);

/// Lets stubs make the copies that only they need.
void makeCopiesInStubs(HotVersion &Hot, HotColdGain &Gain);

/// Moves what only stubs need into them (partial dead code elimination).
void sinkIntoStubs(HotVersion &Hot, HotColdGain &Gain);

/// Takes the frame away if the hot version needs none. Says why not otherwise.
const char *removeFrame(HotVersion &Hot, HotColdGain &Gain);

/// Leaves saves out that the hot version does not need. Says why not otherwise.
const char *slimFrame(HotVersion &Hot, HotColdGain &Gain);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_HOTVERSION_H
