//===- Handover.cpp -------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two values of a pair are two variables. A crossing that one is alive at
// stores it, and defines the other by a load; the accesses are volatile, or the
// code generator would take the value instead.
//
//===----------------------------------------------------------------------===//

#include "Handover.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/SSAUpdaterBulk.h"

using namespace llvm;

namespace graupel::stride {

Handover::Handover(Function &F, Blocks Plain, Blocks Bursts, Blocks Overs)
    : F(F) {
  for (BasicBlock *BB : Bursts)
    Crossings[BB] = false;
  for (BasicBlock *BB : Overs)
    Crossings[BB] = true;
  SmallVector<BasicBlock *, 32> Work(Plain);
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if (IsPlain.insert(BB).second && !Crossings.contains(BB))
      append_range(Work, successors(BB));
  }
}

static BasicBlock *blockOf(const Use &U) {
  auto *User = cast<Instruction>(U.getUser());
  auto *Phi = dyn_cast<PHINode>(User);
  return Phi ? Phi->getIncomingBlock(U) : User->getParent();
}

/// Where both copies' variable, taken for one, is alive in a crossing's end.
bool Handover::crosses(const Uses &Of, const Pair &P,
                       SmallVectorImpl<BasicBlock *> &Where) const {
  SmallPtrSet<BasicBlock *, 16> AtEnd;
  SmallVector<BasicBlock *, 16> Work;
  auto NeedAtEnd = [&](BasicBlock *BB) {
    if (!AtEnd.insert(BB).second)
      return;
    if (Crossings.contains(BB))
      Where.push_back(BB);
    if (BB != P.first->getParent() && BB != P.second->getParent())
      Work.push_back(BB);
  };
  for (Use *U : Of) {
    if (isa<PHINode>(U->getUser()))
      NeedAtEnd(blockOf(*U));
    else
      Work.push_back(blockOf(*U));
  }
  SmallPtrSet<BasicBlock *, 16> AtStart;
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if (AtStart.insert(BB).second)
      for (BasicBlock *From : predecessors(BB))
        NeedAtEnd(From);
  }
  return !Where.empty();
}

/// What a crossing hands over belongs to where it leads.
bool Handover::belongsToPlain(const Use &U) const {
  BasicBlock *At = blockOf(U);
  if (auto Found = Crossings.find(At);
      Found != Crossings.end() && isa<PHINode>(U.getUser()))
    return Found->second;
  return IsPlain.contains(At);
}

AllocaInst *Handover::place(BasicBlock *At, Type *T) {
  auto &OfType = Places[T];
  unsigned Which = Taken[{At, T}]++;
  if (Which == OfType.size())
    OfType.push_back(new AllocaInst(T, F.getDataLayout().getAllocaAddrSpace(),
                                    nullptr, "handover",
                                    F.getEntryBlock().begin()));
  return OfType[Which];
}

void Handover::add(SSAUpdaterBulk &Updater, const Pair &P) {
  Uses All;
  for (Instruction *Each : {P.first, P.second})
    for (Use &U : Each->uses())
      if (blockOf(U) != Each->getParent())
        All.push_back(&U);
  if (All.empty())
    return;
  Type *T = P.first->getType();
  unsigned Recorded = Updater.AddVariable(P.first->getName(), T);
  unsigned Plain = Updater.AddVariable(P.second->getName(), T);
  Updater.AddAvailableValue(Recorded, P.first->getParent(), P.first);
  Updater.AddAvailableValue(Plain, P.second->getParent(), P.second);
  SmallVector<BasicBlock *, 8> Where;
  crosses(All, P, Where);
  for (Use *U : All)
    Updater.AddUse(belongsToPlain(*U) ? Plain : Recorded, U);
  for (BasicBlock *At : Where) {
    bool Back = Crossings.lookup(At);
    AllocaInst *Place = place(At, T);
    IRBuilder<> B(At->getTerminator());
    StoreInst *Store = B.CreateStore(Back ? P.first : P.second, Place, true);
    Updater.AddUse(Back ? Recorded : Plain, &Store->getOperandUse(0));
    Updater.AddAvailableValue(Back ? Plain : Recorded, At,
                              B.CreateLoad(T, Place, true, P.first->getName()));
  }
}

void Handover::run(ArrayRef<Pair> Pairs, DominatorTree &DT) {
  SSAUpdaterBulk Updater;
  for (const Pair &P : Pairs)
    add(Updater, P);
  Updater.RewriteAllUses(&DT);
}

} // namespace graupel::stride
