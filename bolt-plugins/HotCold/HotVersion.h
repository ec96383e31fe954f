//===- HotCold/HotVersion.h - A procedure's frequent part -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_HOTVERSION_H
#define GRAUPEL_HOTCOLD_HOTVERSION_H

#include "Gain.h"
#include "Liveness.h"
#include "StackDepth.h"

namespace graupel {

/// What the optimizations of one run share. Immutable.
struct HotColdContext {
  const llvm::bolt::BinaryContext &BC;
  const RegisterModel &Registers;
  const StackModel &Stack;
  const RegisterSummaries &Summaries;
};

/// A draft of the hot version of one procedure (Cohn, Goodwin, Lowney 1997, on
/// hot-cold optimization): copies of its frequent blocks and, on each edge out
/// of them, a stub that leads into the original, which stays complete and never
/// comes back. Optimizations change the draft; nothing of the function itself
/// changes before commit().
class HotVersion {
public:
  struct Way {
    bool ToStub;
    unsigned To; ///< An index into blocks() or stubs().
    double Count = 0;
  };
  struct Block {
    llvm::bolt::BinaryBasicBlock *Original;
    std::vector<llvm::MCInst> Code; ///< With what unwinding needs to know.
    std::vector<Way> Ways;          ///< Parallel to the original's successors.
    double Count = 0;
    int64_t Depth = 0; ///< Of the original's stack where it begins.
    int32_t CFIState = 0; ///< Of unwinding where it begins.
    /// Set by commit().
    const llvm::bolt::BinaryBasicBlock *Copy = nullptr;
  };
  struct Stub {
    unsigned From;
    llvm::bolt::BinaryBasicBlock *Target;
    std::vector<llvm::MCInst> Replay; ///< Builds the frame; has pseudos.
    std::vector<llvm::MCInst> Code;   ///< Moved here from the hot blocks.
    double Count = 0;
    int64_t Depth = 0;
    int32_t CFIState = 0;
    const llvm::bolt::BinaryBasicBlock *Copy = nullptr; ///< Set by commit().
  };

  /// \p Hot has a bit for each block of \p BF; blocks that cannot be reached
  /// through hot ones are dropped from it.
  HotVersion(llvm::bolt::BinaryFunction &BF, const llvm::BitVector &Hot,
             const HotColdContext &Context);

  std::vector<Block> &blocks() { return Blocks; }
  const std::vector<Block> &blocks() const { return Blocks; }
  std::vector<Stub> &stubs() { return Stubs; }
  const std::vector<Stub> &stubs() const { return Stubs; }
  llvm::bolt::BinaryFunction &function() const { return BF; }
  const HotColdContext &context() const { return Context; }
  const Liveness &original() const { return Original; }

  /// Number of ways that lead to hot block \p Index from other hot blocks.
  unsigned predecessors(unsigned Index) const;
  /// Registers live into each hot block; only for the sake of hot blocks, or
  /// with \p Stubs for what stubs and the code behind them need, too.
  std::vector<RegisterSet> liveInto(bool Stubs) const;
  RegisterSet liveInto(const Stub &S) const;
  RegisterSet liveBehind(const Block &B,
                         const std::vector<RegisterSet> &LiveIn,
                         bool Stubs) const;

  /// A new rule for unwinding, for code of the draft.
  llvm::MCInst newUnwind(llvm::MCCFIInstruction Rule) const;

  /// True if no call returns to a hot block.
  bool isLeaf() const;
  void print(llvm::raw_ostream &OS) const;

  /// Puts the draft in the function's place: hot copies before the original
  /// blocks, of which only those stay that stubs lead to, with the counts of
  /// \p Cold, by their indices.
  void commit(const std::vector<double> &Cold);

private:
  llvm::bolt::BinaryFunction &BF;
  const HotColdContext &Context;
  const Liveness Original;
  std::vector<Block> Blocks;
  std::vector<Stub> Stubs;
};

/// Moves what only stubs need into them (partial dead code elimination).
void sinkIntoStubs(HotVersion &Hot, HotColdGain &Gain);

/// Takes the frame away if the hot version needs none. Says why not otherwise.
const char *removeFrame(HotVersion &Hot, HotColdGain &Gain);

/// Leaves saves out that the hot version does not need. Says why not otherwise.
const char *slimFrame(HotVersion &Hot, HotColdGain &Gain);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_HOTVERSION_H
