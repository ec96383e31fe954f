//===- Duplication.h - Code that records and code that does not -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function's blocks twice, as in (Arnold, Ryder 2001: A Framework for
// Reducing the Cost of Instrumented Code): the recording ones, and plain ones
// that only count down to the next burst. The function's entry and the loops'
// headers are where one crosses to the other.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_DUPLICATION_H
#define GRAUPEL_STRIDE_DUPLICATION_H

#include "Plan.h"
#include "ThreadVariable.h"
#include "Ticks.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace graupel::stride {

/// Steps in their order.
class Duplication {
public:
  /// 1. Gives the entry's code and the records of loops blocks of their own.
  /// Positions of the plan's references stay valid.
  Duplication(const PlanInput &In, const Plan &P);
  Duplication(const Duplication &) = delete;

  const Ticks &ticks() const { return *Count; }

  /// 2. Makes the plain copy. `Iterations` of each summarized loop are known,
  /// and the words of each nest's record; nothing is recorded yet.
  void clone(llvm::ArrayRef<llvm::Value *> Iterations,
             llvm::ArrayRef<llvm::ArrayRef<llvm::Value *>> OfNests);

  llvm::ArrayRef<llvm::BasicBlock *> recording() const { return Recording; }
  llvm::Value *plain(llvm::Value *V) const {
    llvm::Value *Copy = Plain.lookup(V);
    return Copy ? Copy : V;
  }

  /// 3. Makes the crossings, when the recording copy is what it shall be.
  void connect(ThreadVariable &Cursor);

  /// Where the plain copy leaves a loop with others for the recording one: what
  /// is left of the loop is a record before this instruction.
  struct Remainder {
    const LoopPlan *Summarized;
    llvm::Instruction *Before;
    llvm::Value *Done; ///< Iterations, 64 bits.
    llvm::BasicBlock *Enter, *Burst;
  };
  llvm::ArrayRef<Remainder> remainders() const { return Remainders; }

  /// Values that only the rest's record needs are not computed before the loop.
  static void sink(const Remainder &R);

  /// 4. Values that come from both copies; then everything is valid again.
  void repair(ThreadVariable &Cursor);

private:
  struct Crossing {
    llvm::BasicBlock *Header;
    llvm::Loop *L;            ///< Null if it has several entries.
    llvm::Instruction *Enter; ///< The only entry of the header, or null.
    const LoopPlan *Mixed;    ///< If it is summarized, with others.
  };
  struct Summary {
    llvm::BasicBlock *Preheader; ///< Nothing but the record.
    const NestPlan *Nest;        ///< Null: a loop with so many members.
    uint64_t Members;
    /// Numbers of iterations, of the nest's loops and guards in their order.
    llvm::ArrayRef<llvm::Value *> Iterations;
  };

  void findCrossings();
  void countBlocks();
  bool prefersRegister(const llvm::BlockFrequencyInfo &BFI) const;
  llvm::BasicBlock *plain(llvm::BasicBlock *BB) const {
    return llvm::cast<llvm::BasicBlock>(plain(static_cast<llvm::Value *>(BB)));
  }
  llvm::Value *references(llvm::IRBuilder<> &B, const Summary &S) const;
  llvm::Value *references(llvm::IRBuilder<> &B, llvm::ArrayRef<NestItem> Items,
                          llvm::ArrayRef<llvm::Value *> &Iterations) const;
  void countAll();
  llvm::Value *countDown(llvm::BasicBlock::iterator At, int64_t References);
  void eraseUnused();
  llvm::BasicBlock *begin(ThreadVariable &Cursor, llvm::Value *More,
                          llvm::BasicBlock *To);
  llvm::BasicBlock *connectBack(ThreadVariable &Cursor, llvm::BasicBlock *From);
  void check(llvm::Instruction *End, llvm::BasicBlock *Checked,
             llvm::BasicBlock *Cross, llvm::BasicBlock *Stay);
  llvm::Value *leftBefore(llvm::BasicBlock *Checked) const;
  void connectEntry(ThreadVariable &Cursor);
  void connectSummary(ThreadVariable &Cursor, const Summary &S);
  void connectCheck(ThreadVariable &Cursor, llvm::BasicBlock *Checked,
                    const Crossing *C);
  void connectHeader(ThreadVariable &Cursor, const Crossing &C);
  llvm::Value *iterationsDone(llvm::IRBuilder<> &B, const LoopPlan &L,
                              llvm::Value *Start, llvm::Value *Now) const;

  const PlanInput &In;
  const Plan &P;
  llvm::Function &F;
  llvm::DominatorTree &DT;
  llvm::IntegerType *I64;
  ThreadVariable Budget;
  llvm::BasicBlock *Body; ///< The first block after the entry.
  llvm::SmallVector<llvm::BasicBlock *, 16> Recording, Copies;
  llvm::ValueToValueMapTy Plain;
  /// Values that have two definitions.
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::Instruction *>, 0>
      Pairs;
  /// The header's variables: the recording one, by the plain one.
  llvm::DenseMap<llvm::Value *, llvm::Value *> Opposite;
  /// Where the recording copy is left for the plain one.
  llvm::SmallVector<Crossing, 4> Crossings;
  llvm::SmallVector<Summary, 4> Summaries;
  /// Where the plain copy is left, and the function's beginning.
  Ticks::Blocks Checks;
  /// References that blocks make, but for summarized loops.
  Ticks::Counts Counts;
  std::optional<Ticks> Count;
  llvm::SmallVector<Remainder, 2> Remainders;
};

} // namespace graupel::stride

#endif
