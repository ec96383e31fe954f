//===- PollPlan.cpp -------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses where a function polls.
//
// 1. Recursion: collect the functions on cycles of the call graph, and those
//    that may both leave the module and be called from outside of it.
// 2. run: keep the calls of the poll marker as polls. A function with the
//    nopoll attribute has no polls at all.
// 3. visit: go through loops, inner ones first. A loop needs no poll if each
//    latch is dominated by one, if it is a strip, or if its iterations times
//    their cost are within Budget.
// 4. Else poll before the terminator of each latch. Note the poll as one that
//    waits if the loop does nothing but look at memory (onlyWaits).
// 5. Poll at the source of edges that go back in reverse post-order to a block
//    that does not dominate the source: irreducible cycles.
// 6. Poll at the entry of functions that may recur.
//
//===----------------------------------------------------------------------===//

#include "PollPlan.h"
#include "Markers.h"
#include "RuntimeNames.h"
#include "StripMining.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace graupel::fgdsm {

// Instructions that may pass between two polls: a few microseconds.
static constexpr uint64_t Budget = 5000;
// The assumed cost of an unknown call.
static constexpr uint64_t CallCost = 100;

//===-- Recursion ---------------------------------------------------------===//

// Functions that others might call, behind our back.
static bool mayBeCalledFromOutside(const Function &F) {
  return F.getName() != "main" && (!F.hasLocalLinkage() || F.hasAddressTaken());
}

// Calls that might lead anywhere.
static bool mayLeaveModule(const CallBase &Call,
                           const TargetLibraryInfo &Library) {
  if (Call.isInlineAsm() || isa<IntrinsicInst>(Call))
    return false;
  const Function *F = Call.getCalledFunction();
  LibFunc Known;
  return !F || (F->isDeclaration() && !Library.getLibFunc(*F, Known) &&
                !isRuntimes(F->getName()) &&
                !F->hasFnAttribute(Attribute::NoCallback));
}

Recursion::Recursion(Module &M) {
  const TargetLibraryInfoImpl Impl(M.getTargetTriple());
  const TargetLibraryInfo Library(Impl);
  // 1. Cycles within the module.
  CallGraph Graph(M);
  for (auto I = scc_begin(&Graph); !I.isAtEnd(); ++I)
    if (I.hasCycle())
      for (CallGraphNode *Node : *I)
        if (const Function *F = Node->getFunction(); F && !F->isDeclaration())
          Found.insert(F);
  // 2. Cycles through the outside: functions that lead out, and can be entered
  //    from there. It is enough that these poll.
  DenseSet<const Function *> LeadOut;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Function &F : M) {
      if (F.isDeclaration() || LeadOut.contains(&F))
        continue;
      if (any_of(instructions(F), [&](const Instruction &I) {
            auto *Call = dyn_cast<CallBase>(&I);
            return Call && (mayLeaveModule(*Call, Library) ||
                            LeadOut.contains(Call->getCalledFunction()));
          }))
        Changed |= LeadOut.insert(&F).second;
    }
  }
  for (const Function *F : LeadOut)
    if (mayBeCalledFromOutside(*F))
      Found.insert(F);
}

//===-- Loops -------------------------------------------------------------===//

namespace {

class Planner {
public:
  Planner(Function &F, LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE)
      : F(F), LI(LI), DT(DT), SE(SE) {}

  PollPlan run(bool PollAtEntry);

private:
  void visit(Loop &L);
  bool alwaysPolls(const Loop &L) const;
  uint64_t costOfIteration(const Loop &L) const;
  bool isShort(const Loop &L);

  Function &F;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  PollPlan Plan;
  /// Where polls stand or will.
  SmallPtrSet<const BasicBlock *, 8> Polling;
  /// Loops without a poll: what they cost at most.
  DenseMap<const Loop *, uint64_t> ShortCost;
};

} // namespace

static bool isPollMarker(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == PollMarkerName;
}

// Whether each path from the header to a latch passes a poll.
bool Planner::alwaysPolls(const Loop &L) const {
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  return all_of(Latches, [&](BasicBlock *Latch) {
    return any_of(Polling, [&](const BasicBlock *BB) {
      return L.contains(BB) && DT.dominates(BB, Latch);
    });
  });
}

uint64_t Planner::costOfIteration(const Loop &L) const {
  uint64_t Cost = 0;
  for (const BasicBlock *BB : L.blocks()) {
    if (LI.getLoopFor(BB) != &L)
      continue;
    for (const Instruction &I : *BB) {
      bool IsCall = isa<CallBase>(I) && !isa<IntrinsicInst>(I);
      Cost += IsCall ? CallCost : 1;
    }
  }
  for (const Loop *Inner : L)
    // A loop that polls bounds what passes between polls, not what passes
    // without one: it might not be entered.
    if (auto I = ShortCost.find(Inner); I != ShortCost.end())
      Cost = SaturatingAdd(Cost, I->second);
  return Cost;
}

bool Planner::isShort(const Loop &L) {
  if (findOptionMDForLoop(&L, StripLoopMetadataName))
    return true;
  unsigned Trips = SE.getSmallConstantMaxTripCount(&L);
  if (Trips == 0)
    return false;
  uint64_t Cost = SaturatingMultiply(uint64_t(Trips), costOfIteration(L));
  if (Cost > Budget)
    return false;
  ShortCost[&L] = Cost;
  return true;
}

// Assembly that is no more than a pause between two looks.
static bool isPause(const CallBase &Call) {
  auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Assembly)
    return Call.getIntrinsicID() == Intrinsic::x86_sse2_pause;
  StringRef Text = StringRef(Assembly->getAsmString()).trim();
  return Call.arg_empty() && Call.getType()->isVoidTy() &&
         (Text.empty() || Text == "pause" || Text == "rep; nop" ||
          Text == "rep;nop" || Text == "rep nop");
}

// Whether a loop that only waits may contain I: loads, and the exchange of a
// lock. No value is kept from one iteration for the next, so another thread has
// to change the condition that ends the loop.
static bool onlyLooks(const Instruction &I) {
  if (isa<PHINode>(I) || isa<StoreInst>(I))
    return false;
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getOperation() == AtomicRMWInst::Xchg;
  if (auto *Call = dyn_cast<CallBase>(&I))
    return I.isDebugOrPseudoInst() || isPause(*Call) ||
           (isa<IntrinsicInst>(I) && !I.mayWriteToMemory());
  return true;
}

static bool onlyWaits(const Loop &L) {
  bool Looks = false;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      if (!onlyLooks(I))
        return false;
      Looks |= I.mayReadFromMemory() && !isa<CallBase>(I);
    }
  return Looks && L.isInnermost();
}

void Planner::visit(Loop &L) {
  for (Loop *Inner : L)
    visit(*Inner);
  if (alwaysPolls(L) || isShort(L))
    return;
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  bool Waits = onlyWaits(L);
  for (BasicBlock *Latch : Latches)
    if (Polling.insert(Latch).second) {
      Plan.Before.push_back(Latch->getTerminator());
      if (Waits)
        Plan.Waits.insert(Latch->getTerminator());
    }
}

PollPlan Planner::run(bool PollAtEntry) {
  for (Instruction &I : instructions(F))
    if (isPollMarker(I)) {
      Polling.insert(I.getParent());
      Plan.Before.push_back(&I);
    }
  for (Loop *L : LI)
    visit(*L);
  // Irreducible cycles are no loops: whatever jumps back in the order of a
  // depth-first walk and is not the latch of one polls.
  ReversePostOrderTraversal<Function *> Order(&F);
  DenseMap<const BasicBlock *, unsigned> Number;
  for (BasicBlock *BB : Order)
    Number.try_emplace(BB, Number.size());
  for (BasicBlock *BB : Order)
    for (BasicBlock *Next : successors(BB))
      if (Number.lookup(Next) <= Number.lookup(BB) && !DT.dominates(Next, BB) &&
          Polling.insert(BB).second)
        Plan.Before.push_back(BB->getTerminator());
  if (PollAtEntry)
    Plan.Before.push_back(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  return std::move(Plan);
}

PollPlan planPolls(Function &F, const Recursion &Recursive, LoopInfo &LI,
                   DominatorTree &DT, ScalarEvolution &SE) {
  if (F.hasFnAttribute(NoPollAttribute))
    return {};
  return Planner(F, LI, DT, SE).run(Recursive.mayRecur(F));
}

void PollPlan::print(raw_ostream &OS) const {
  for (const Instruction *I : Before) {
    OS << (Waits.contains(I) ? "  wait in " : "  poll in ");
    I->getParent()->printAsOperand(OS, false);
    OS << " before" << *I << '\n';
  }
}

} // namespace graupel::fgdsm
