//===- StripMiner.h - Inside of StripMining ---------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_STRIPMINER_H
#define GRAUPEL_FGDSM_STRIPMINER_H

#include "StripPlan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace graupel::fgdsm {

/// Cuts the loops of a function, one after the other.
class StripMiner {
public:
  StripMiner(llvm::Function &F, llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
             llvm::DominatorTree &DT)
      : F(F), LI(LI), SE(SE), DT(DT),
        I64(llvm::Type::getInt64Ty(F.getContext())),
        Expander(SE, "strip", /*PreserveLCSSA=*/false) {}

  /// Returns the copy of the loop that is left for sizes which the plan is not
  /// made for, or null.
  llvm::Loop *mine(const LoopPlan &Plan);

private:
  // StripMining.cpp: the loop around the loop.
  llvm::Loop *keepGeneral(llvm::Loop &L, const LoopPlan &Plan);
  llvm::Loop *
  copyBeside(llvm::Loop &L, const char *Name,
             llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &)> Holds);
  void wrap(llvm::Loop &L);

  // StripBounds.cpp: where a strip ends.
  void chooseCounter(llvm::Loop &L);
  bool counts(llvm::Loop &L, llvm::Value *IV);
  void chooseWhole(llvm::Loop &L, const LoopPlan &Plan);
  void boundInner(llvm::Loop &L, const LoopPlan &Plan);
  llvm::Value *boundWhole(const LoopPlan &Plan);
  llvm::Value *boundByCount(const LoopPlan &Plan);
  llvm::Value *counted(llvm::IRBuilder<> &B, llvm::Value *End);
  llvm::Value *stripBound(llvm::IRBuilder<> &B, llvm::Value *Ahead);
  llvm::Value *stripLength(const LoopPlan &Plan);
  void splitWeights(const LoopPlan &Plan);

  // StripRanges.cpp: what a strip relies on.
  void chooseOrigins(const LoopPlan &Plan);
  bool canRestart(const llvm::Loop &L, const llvm::Value *V,
                  unsigned &Steps) const;
  llvm::Value *restart(const llvm::Loop &L, llvm::Value *V,
                       llvm::IRBuilder<> &B);
  llvm::Value *startOf(const LoopPlan &Plan, unsigned Index,
                       llvm::IRBuilder<> &B);
  llvm::Value *travel(llvm::IRBuilder<> &B, const llvm::SCEV *Step);
  void mark(const LoopPlan &Plan, llvm::Instruction *Before);
  void markRange(llvm::IRBuilder<> &B, llvm::Value *Start, llvm::Value *Bytes,
                 uint64_t MostBytes, bool Store,
                 llvm::ArrayRef<llvm::Instruction *> Covers);
  llvm::CallInst *callMarker(llvm::IRBuilder<> &B, const char *Name,
                             llvm::Type *Result, llvm::Value *Start,
                             llvm::Value *Bytes, uint64_t MostBytes,
                             bool Store);
  struct Place {
    llvm::Value *Start, *Bytes, *Looked, *Exists;
  };
  Place placeOf(const Area &A, llvm::Instruction *Before);
  void copyForAreas(llvm::Loop &L, const LoopPlan &Plan);

  llvm::Value *expand(const llvm::SCEV *S, llvm::Type *Ty,
                      llvm::Instruction *Before) {
    return Expander.expandCodeFor(S, Ty, Before->getIterator());
  }

  llvm::Function &F;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::DominatorTree &DT;
  llvm::Type *I64;
  llvm::SCEVExpander Expander;
  uint64_t NextID = 1;

  // The state of the current loop.
  llvm::BasicBlock *Preheader = nullptr, *Strip = nullptr, *Enter = nullptr,
                   *Latch = nullptr, *StripEnd = nullptr, *StripNext = nullptr,
                   *Exit = nullptr;
  llvm::DebugLoc Loc;
  llvm::PHINode *Done = nullptr;
  /// The strip's iterations after its first one, so many times.
  llvm::Value *Ahead = nullptr;
  uint64_t AheadScale = 1;
  llvm::DenseMap<llvm::PHINode *, llvm::PHINode *> Carried;
  /// The operand of the loop's last comparison: an induction variable, or one
  /// that is so many steps ahead of Phi.
  struct {
    llvm::Value *IV = nullptr;
    const llvm::SCEV *Start = nullptr;
    int64_t Step = 0;
    llvm::PHINode *Phi = nullptr;
    unsigned Ahead = 0;
  } Counter;
  /// The counter's value in the loop's last iteration, if the loop is expected
  /// to be one strip; or null.
  llvm::Value *Whole = nullptr;
  /// In such a loop: by how much a strip advances what it carries.
  llvm::DenseMap<llvm::PHINode *, const llvm::SCEVConstant *> Advances;
  /// By stream: an address in the loop's first iteration that lies so many
  /// bytes behind the stream's beginning, or null.
  struct Origin {
    llvm::Value *Pointer = nullptr;
    int64_t Behind = 0;
  };
  llvm::SmallVector<Origin, 8> Origins;
  /// The results of restart.
  llvm::DenseMap<llvm::Value *, llvm::Value *> Restarted;
};

} // namespace graupel::fgdsm

#endif
