//===- Plan.cpp -----------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop is summarized if its record can be written before it runs and tells
// the order of everything that is recorded meanwhile. Either it is a nest, all
// of whose references are affine (Nest.cpp), or it is innermost, and
//
//   1. It leaves from its latch alone, after a number of iterations that is
//      known at its entry.
//   2. Nothing that it calls records.
//   3. Each of its references is made in each iteration.
//   4. At least one has an address that is affine in the iteration.
//
// The largest nests are taken.
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include "Duplicable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace graupel::stride {

bool mayRecord(const Instruction &I, const TargetLibraryInfo &Library) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || Call->isInlineAsm() || isa<IntrinsicInst>(I))
    return false;
  // Mathematics: no callbacks, and nothing that the runtime interposes.
  LibFunc Known;
  return !Call->getCalledFunction() || !Library.getLibFunc(*Call, Known) ||
         !Library.has(Known) || !Call->doesNotThrow() ||
         !Call->getMemoryEffects()
              .getWithoutLoc(IRMemLocation::ErrnoMem)
              .onlyReadsMemory();
}

namespace {

class LoopPlanner {
public:
  LoopPlanner(const PlanInput &In, Plan &P, Loop *L)
      : In(In), P(P), L(L), Expander(In.SE, "stride") {}

  LoopPlan plan(ArrayRef<unsigned> References);

private:
  StringRef whyNoCount(LoopPlan &Result);
  StringRef whyNoOrder(ArrayRef<unsigned> References) const;
  bool isMember(const Reference &R, Member &M);
  bool findCounter(LoopPlan &Result) const;

  const PlanInput &In;
  Plan &P;
  Loop *L;
  SCEVExpander Expander;
};

} // namespace

StringRef LoopPlanner::whyNoCount(LoopPlan &Result) {
  if (!L->isLoopSimplifyForm())
    return "no preheader or several back edges";
  if (L->getExitingBlock() != L->getLoopLatch())
    return "exits elsewhere than at its end";
  Result.BackedgeTaken = In.SE.getBackedgeTakenCount(L);
  if (isa<SCEVCouldNotCompute>(Result.BackedgeTaken))
    return "unknown number of iterations";
  if (In.SE.getTypeSizeInBits(Result.BackedgeTaken->getType()) > 64 ||
      !Expander.isSafeToExpandAt(Result.BackedgeTaken,
                                 L->getLoopPreheader()->getTerminator()))
    return "number of iterations cannot be computed beforehand";
  return "";
}

StringRef LoopPlanner::whyNoOrder(ArrayRef<unsigned> References) const {
  for (BasicBlock *BB : L->blocks())
    for (Instruction &I : *BB)
      if (mayRecord(I, In.Library))
        return "calls";
  for (unsigned N : References)
    if (!In.DT.dominates(P.References[N].Inst->getParent(), L->getLoopLatch()))
      return "conditional references";
  return "";
}

bool LoopPlanner::isMember(const Reference &R, Member &M) {
  if (R.Form != Shape::Plain)
    return false;
  const SCEV *Address = In.SE.getSCEV(R.Pointer);
  M.Base = Address;
  M.Step = In.SE.getZero(In.SE.getEffectiveSCEVType(Address->getType()));
  if (auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Address);
      Recurrence && Recurrence->getLoop() == L) {
    if (!Recurrence->isAffine())
      return false;
    M.Base = Recurrence->getStart();
    M.Step = Recurrence->getStepRecurrence(In.SE);
  }
  Instruction *At = L->getLoopPreheader()->getTerminator();
  return In.SE.isLoopInvariant(M.Base, L) && In.SE.isLoopInvariant(M.Step, L) &&
         Expander.isSafeToExpandAt(M.Base, At) &&
         Expander.isSafeToExpandAt(M.Step, At);
}

bool LoopPlanner::findCounter(LoopPlan &Result) const {
  for (PHINode &Phi : L->getHeader()->phis()) {
    if (!In.SE.isSCEVable(Phi.getType()))
      continue;
    auto *Recurrence = dyn_cast<SCEVAddRecExpr>(In.SE.getSCEV(&Phi));
    if (!Recurrence || Recurrence->getLoop() != L || !Recurrence->isAffine())
      continue;
    auto *Step = dyn_cast<SCEVConstant>(Recurrence->getStepRecurrence(In.SE));
    uint64_t Bits = In.SE.getTypeSizeInBits(Phi.getType());
    if (!Step || Step->isZero() || Bits > 64)
      continue;
    Result.CounterStep = Step->getAPInt().getSExtValue();
    bool IsOne = Result.CounterStep == 1 || Result.CounterStep == -1;
    if (Bits == 64 || IsOne || Recurrence->hasNoSelfWrap()) {
      Result.Counter = &Phi;
      return true;
    }
  }
  return false;
}

// Blocks that run in each iteration dominate one another in the order in which
// they run, which need not be the function's.
LoopPlan LoopPlanner::plan(ArrayRef<unsigned> References) {
  LoopPlan Result;
  Result.L = L;
  if (Result.WhyNot = whyNoCount(Result); !Result.WhyNot.empty())
    return Result;
  if (Result.WhyNot = whyNoOrder(References); !Result.WhyNot.empty())
    return Result;
  SmallVector<unsigned, 16> Ordered(References);
  stable_sort(Ordered, [&](unsigned A, unsigned B) {
    BasicBlock *X = P.References[A].Inst->getParent();
    BasicBlock *Y = P.References[B].Inst->getParent();
    return X == Y ? A < B : In.DT.dominates(X, Y);
  });
  for (auto [Order, N] : enumerate(Ordered)) {
    Member M{N, static_cast<unsigned>(Order), nullptr, nullptr};
    if (isMember(P.References[N], M))
      Result.Members.push_back(M);
    else
      ++Result.Others;
  }
  // The record and its steps fit into a group.
  if (16 * (Result.Members.size() + 2) > GRAUPEL_STRIDE_GROUP_BYTES)
    Result.WhyNot = "too many references";
  if (Result.Members.empty())
    Result.WhyNot = "no affine references";
  else if (Result.Others && !findCounter(Result))
    Result.WhyNot = "nothing counts its iterations";
  return Result;
}

// The vectorizer leaves loads of the same address in one block, which the code
// generator makes one. Users would see a stride of 0 that is not in their code.
static bool isFolded(
    const Reference &R, ScalarEvolution &SE,
    SmallDenseMap<std::pair<const SCEV *, Type *>, Instruction *> &Earlier) {
  auto *Load = dyn_cast<LoadInst>(R.Inst);
  if (!Load || !Load->isSimple())
    return false;
  auto [Found, New] =
      Earlier.try_emplace({SE.getSCEV(R.Pointer), R.Accessed}, R.Inst);
  return !New;
}

static SmallVector<Reference, 0> foldLoads(SmallVector<Reference, 0> All,
                                           const PlanInput &In) {
  if (In.F.hasOptNone())
    return All;
  SmallVector<Reference, 0> Kept;
  SmallDenseMap<std::pair<const SCEV *, Type *>, Instruction *> Earlier;
  const Reference *Next = All.begin();
  for (BasicBlock &BB : In.F) {
    Earlier.clear();
    for (Instruction &I : BB) {
      for (; Next != All.end() && Next->Inst == &I; ++Next)
        if (!isFolded(*Next, In.SE, Earlier))
          Kept.push_back(*Next);
      if (I.mayWriteToMemory())
        Earlier.clear();
    }
  }
  return Kept;
}

namespace {

class FunctionPlanner {
public:
  FunctionPlanner(const PlanInput &In, Plan &P)
      : In(In), P(P), Order(In, P.References) {}
  void plan(Loop *L);

private:
  void planInnermost(Loop *L);
  bool planNest(Loop *L);

  const PlanInput &In;
  Plan &P;
  const BlockOrder Order;
};

} // namespace

bool FunctionPlanner::planNest(Loop *L) {
  NestPlan Nest = stride::planNest(In, P.References, Order, L);
  if (!Nest.WhyNot.empty())
    return false;
  for (const NestItem &Each : Nest.Items)
    if (Each.refers())
      P.Single[Each.Reference] = false;
  P.Nests.push_back(std::move(Nest));
  return true;
}

void FunctionPlanner::planInnermost(Loop *L) {
  SmallVector<unsigned, 16> References;
  for (BasicBlock *BB : L->blocks())
    append_range(References, Order.ByBlock.lookup(BB));
  if (References.empty() || planNest(L))
    return;
  sort(References);
  LoopPlan Result = LoopPlanner(In, P, L).plan(References);
  if (!Result.WhyNot.empty())
    Result.Members.clear();
  for (const Member &M : Result.Members)
    P.Single[M.Reference] = false;
  P.Loops.push_back(std::move(Result));
}

void FunctionPlanner::plan(Loop *L) {
  if (L->isInnermost())
    planInnermost(L);
  else if (!planNest(L))
    // LoopInfo has them in reverse order.
    for (Loop *Inner : reverse(*L))
      plan(Inner);
}

Plan planFunction(const PlanInput &In, bool Summaries) {
  Plan P;
  P.References = foldLoads(collectReferences(In.F), In);
  P.Single.assign(P.References.size(), true);
  P.WhyNotDuplicable = whyNotDuplicable(In);
  if (!Summaries)
    return P;
  FunctionPlanner Planner(In, P);
  for (Loop *L : reverse(In.LI))
    Planner.plan(L);
  // Plain code would have to count what they refer to; the runtime does.
  if (any_of(P.Nests, [](const NestPlan &N) { return !N.Terms.empty(); }))
    P.WhyNotDuplicable = "nests with terms";
  return P;
}

void Plan::print(raw_ostream &OS) const {
  for (const NestPlan &Nest : Nests)
    Nest.print(OS, References);
  for (const LoopPlan &L : Loops) {
    OS << "  loop ";
    L.L->getHeader()->printAsOperand(OS, false);
    if (!L.WhyNot.empty()) {
      OS << ": " << L.WhyNot << '\n';
      continue;
    }
    OS << ": " << *L.BackedgeTaken << " + 1 iterations, " << L.Others
       << " others\n";
    for (const Member &M : L.Members) {
      OS << "    " << M.Order << ": ";
      References[M.Reference].print(OS);
      OS << " at " << *M.Base << " step " << *M.Step << '\n';
    }
  }
  if (!WhyNotDuplicable.empty())
    OS << "  not duplicated: " << WhyNotDuplicable << '\n';
  for (auto [N, R] : enumerate(References))
    if (Single[N]) {
      OS << "  ";
      R.print(OS);
      OS << '\n';
    }
}

} // namespace graupel::stride
