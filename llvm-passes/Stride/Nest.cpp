//===- Nest.cpp -----------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Each loop of a nest leaves from its latch alone.
//   2. A block with references runs in each iteration of its loop, or by
//      conditions that do not change in the nest (the vectorizer's guards).
//   3. A base or step is known if it is an expression of what is known before
//      the nest, and of values that are chosen by such conditions (where a
//      remainder loop begins).
//   4. A number of iterations is known, or a term: an expression of what is
//      known and of the iterations of outer loops. So may conditions be.
//   5. The address of each reference is affine in an innermost loop. In others
//      it is affine, or affine plus a term.
//
//===----------------------------------------------------------------------===//

#include "NestPlanner.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>

using namespace llvm;

namespace graupel::stride {

namespace {

/// A step of 0 never ends a loop; so what is divided by is not 0 if the loop
/// runs, and it may be anything if it does not.
class SafeDivisions : public SCEVRewriteVisitor<SafeDivisions> {
public:
  using SCEVRewriteVisitor::SCEVRewriteVisitor;
  const SCEV *visitUDivExpr(const SCEVUDivExpr *E) {
    const SCEV *By = visit(E->getRHS());
    if (!SE.isKnownNonZero(By))
      By = SE.getUMaxExpr(By, SE.getOne(By->getType()));
    return SE.getUDivExpr(visit(E->getLHS()), By);
  }
};

} // namespace

//===--- Values known before the nest -------------------------------------===//

/// An expression of the same value that can be computed, or null.
const SCEV *NestPlanner::known(const SCEV *S) {
  bool Varies = SCEVExprContains(S, [&](const SCEV *E) {
    if (isa<SCEVCouldNotCompute>(E))
      return true;
    if (auto *Recurrence = dyn_cast<SCEVAddRecExpr>(E))
      return !Recurrence->getLoop()->contains(Outermost) ||
             Recurrence->getLoop() == Outermost;
    auto *U = dyn_cast<SCEVUnknown>(E);
    auto *I = U ? dyn_cast<Instruction>(U->getValue()) : nullptr;
    if (!I || !Outermost->contains(I))
      return false;
    auto *Phi = dyn_cast<PHINode>(I);
    const Affine *Chosen = Phi ? choice(Phi) : nullptr;
    return !Chosen || !Chosen->Steps.empty();
  });
  if (Varies)
    return nullptr;
  const SCEV *Safe = SafeDivisions(In.SE).visit(S);
  return Expander.isSafeToExpand(Safe) ? Safe : nullptr;
}

bool NestPlanner::isKnown(Value *Condition) {
  auto *I = dyn_cast<Instruction>(Condition);
  if (!I || !Outermost->contains(I))
    return true;
  switch (I->getOpcode()) {
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Select:
    return I->getType()->isIntegerTy(1) &&
           all_of(I->operand_values(), [&](Value *V) {
             return V->getType()->isIntegerTy(1) && isKnown(V);
           });
  case Instruction::ICmp:
    return all_of(I->operand_values(), [&](Value *V) {
      return In.SE.isSCEVable(V->getType()) && known(In.SE.getSCEV(V));
    });
  default:
    return false;
  }
}

/// The value of a phi, if it depends on nothing but known conditions; null
/// otherwise. Its base is chosen, its steps are the same in any case.
const Affine *NestPlanner::choice(PHINode *Phi) {
  auto [Found, New] = Chosen.try_emplace(Phi, nullptr);
  if (!New)
    return Found->second.get();
  BasicBlock *BB = Phi->getParent();
  const Loop *L = In.LI.getLoopFor(BB);
  if (BB == L->getHeader() || !In.SE.isSCEVable(Phi->getType()))
    return nullptr;
  SmallVector<NestPlan::Choice, 2> Choices;
  Affine Result;
  for (auto [V, From] : zip(Phi->incoming_values(), Phi->blocks())) {
    std::optional<Guard::Edge> If = edge(From, BB, L);
    std::optional<Affine> Value = affine(In.SE.getSCEVAtScope(V.get(), L));
    if (!If || If->varies() || !Value || Value->Rest ||
        (!Choices.empty() && !Value->hasSteps(Result)))
      return nullptr;
    Choices.push_back({*If, Value->Base});
    Result = *Value;
  }
  Nest.Choices[Phi] = std::move(Choices);
  Result.Base = In.SE.getUnknown(Phi);
  return (Chosen[Phi] = std::make_unique<Affine>(Result)).get();
}

std::optional<Affine> NestPlanner::sum(const SCEVAddExpr *S) {
  SmallVector<const SCEV *, 4> Bases;
  Affine Result;
  for (const SCEV *Each : S->operands()) {
    std::optional<Affine> Part = affine(Each);
    if (!Part)
      return std::nullopt;
    Bases.push_back(Part->Base);
    for (auto [L, Step] : Part->Steps) {
      const SCEV *&Sum = Result.Steps[L];
      Sum = Sum ? In.SE.getAddExpr(Sum, Step) : Step;
    }
    if (Part->Rest)
      Result.Rest =
          Result.Rest ? In.SE.getAddExpr(Result.Rest, Part->Rest) : Part->Rest;
  }
  Result.Base = In.SE.getAddExpr(Bases);
  return Result;
}

std::optional<Affine> NestPlanner::product(const SCEVMulExpr *S) {
  std::optional<Affine> Result;
  const SCEV *Factor = In.SE.getOne(S->getType());
  for (const SCEV *Each : S->operands())
    if (const SCEV *Known = known(Each))
      Factor = In.SE.getMulExpr(Factor, Known);
    else if (Result || !(Result = affine(Each)))
      return std::nullopt;
  if (!Result)
    return std::nullopt;
  Result->Base = In.SE.getMulExpr(Result->Base, Factor);
  for (auto &Each : Result->Steps)
    Each.second = In.SE.getMulExpr(Each.second, Factor);
  if (Result->Rest)
    Result->Rest = In.SE.getMulExpr(Result->Rest, Factor);
  return Result;
}

std::optional<Affine> NestPlanner::affine(const SCEV *S) {
  if (const SCEV *Known = known(S))
    return Affine{Known, {}};
  std::optional<Affine> Result;
  if (auto *Sum = dyn_cast<SCEVAddExpr>(S)) {
    Result = sum(Sum);
  } else if (auto *Product = dyn_cast<SCEVMulExpr>(S)) {
    Result = product(Product);
  } else if (auto *U = dyn_cast<SCEVUnknown>(S)) {
    auto *Phi = dyn_cast<PHINode>(U->getValue());
    if (const Affine *Chosen = Phi ? choice(Phi) : nullptr)
      Result = *Chosen;
  } else if (auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S);
             Recurrence && Recurrence->isAffine() &&
             Outermost->contains(Recurrence->getLoop())) {
    const SCEV *Step = known(Recurrence->getStepRecurrence(In.SE));
    Result = affine(Recurrence->getStart());
    if (Step && Result)
      Result->Steps[Recurrence->getLoop()] = Step;
    else
      Result.reset();
  }
  if (!Result && term(S))
    Result =
        Affine{In.SE.getZero(In.SE.getEffectiveSCEVType(S->getType())), {}, S};
  return Result;
}

/// The edge from what runs in an iteration of `L`, which may be an inner loop.
std::optional<Guard::Edge> NestPlanner::edge(BasicBlock *From, BasicBlock *To,
                                             const Loop *L) {
  const Loop *Inner = In.LI.getLoopFor(From);
  if (Inner != L) {
    while (Inner && Inner->getParentLoop() != L)
      Inner = Inner->getParentLoop();
    // It is left there, and nowhere else.
    if (!Inner || Inner->getExitingBlock() != From ||
        !Inner->getLoopPreheader())
      return std::nullopt;
    const Guard *G = guardOf(Inner->getLoopPreheader(), L);
    return G ? std::optional(Guard::Edge{G, nullptr, false, false})
             : std::nullopt;
  }
  const Guard *G = guardOf(From, L);
  auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  if (!G || !Branch)
    return std::nullopt;
  if (Branch->isUnconditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return Guard::Edge{G, nullptr, false, false};
  const bool Varies = !isKnown(Branch->getCondition());
  if (Varies && !term(Branch->getCondition()))
    return std::nullopt;
  return Guard::Edge{G, Branch->getCondition(), Branch->getSuccessor(0) != To,
                     Varies};
}

/// When a block runs in an iteration of the loop that it is in; null if that is
/// not known.
const Guard *NestPlanner::guardOf(BasicBlock *BB, const Loop *L) {
  auto [Found, New] = Guards.try_emplace(BB, nullptr);
  if (!New)
    return Found->second;
  auto G = std::make_unique<Guard>();
  if (!In.DT.dominates(BB, L->getLoopLatch()))
    for (BasicBlock *From : predecessors(BB)) {
      std::optional<Guard::Edge> Way = edge(From, BB, L);
      if (!Way)
        return nullptr;
      G->Varies |= Way->varies();
      G->AnyOf.push_back(*Way);
    }
  // A single edge without a condition: the predecessor's guard.
  if (G->AnyOf.size() == 1 && !G->AnyOf[0].Condition)
    return Guards[BB] = G->AnyOf[0].From;
  Nest.Guards.push_back(std::move(G));
  return Guards[BB] = Nest.Guards.back().get();
}

//===--- Loops and references ---------------------------------------------===//

bool NestPlanner::hasReferences(const Loop *L) const {
  return any_of(L->blocks(),
                [&](BasicBlock *BB) { return Order.ByBlock.contains(BB); });
}

/// Bases at constant distances are one in the record.
void NestPlanner::shareBase(NestItem &Item) {
  for (auto [N, Base] : enumerate(Nest.Bases))
    if (std::optional<APInt> D =
            Item.Base->getType() != Base->getType()
                ? std::nullopt
                : In.SE.computeConstantDifference(Item.Base, Base)) {
      Item.BaseNumber = N;
      Item.Offset = D->getSExtValue();
      return;
    }
  Item.BaseNumber = Nest.Bases.size();
  Nest.Bases.push_back(Item.Base);
}

StringRef NestPlanner::addReference(unsigned N) {
  const Reference &R = References[N];
  NestItem New{R.Form == Shape::Bulk ? GRAUPEL_STRIDE_NEST_BULK
                                     : GRAUPEL_STRIDE_NEST_REFERENCE,
               static_cast<unsigned>(Around.size())};
  New.Reference = N;
  if (R.Form != Shape::Plain && R.Form != Shape::Bulk)
    return "lanes of their own";
  const SCEV *Pointer =
      In.SE.getSCEVAtScope(R.Pointer, In.LI.getLoopFor(R.Inst->getParent()));
  std::optional<Affine> Address = affine(Pointer);
  if (!Address)
    return "references that are not affine";
  New.Base = Address->Base;
  for (const Loop *L : Around) {
    const SCEV *Step = Address->Steps.lookup(L);
    New.Steps.push_back(
        Step ? Step
             : In.SE.getZero(In.SE.getEffectiveSCEVType(Pointer->getType())));
    Address->Steps.erase(L);
  }
  if (!Address->Steps.empty())
    return "references that are not affine";
  if (Address->Rest) {
    New.Term = extend(term(Address->Rest), 64, true);
    // An innermost loop's references are counted together.
    const Loop *Inner = In.LI.getLoopFor(R.Inst->getParent());
    const unsigned Level = find(Around, Inner) - Around.begin();
    if (New.Term && Inner->isInnermost() &&
        Nest.Terms[*New.Term].Levels >> Level)
      New.Term.reset();
    if (!New.Term)
      return "references that are not affine";
  }
  if (R.Form == Shape::Bulk) {
    New.Bytes = known(In.SE.getSCEV(R.Length));
    if (!New.Bytes)
      return "copies of unknown length";
  }
  shareBase(New);
  Nest.Items.push_back(std::move(New));
  return "";
}

StringRef NestPlanner::addBlock(BasicBlock *BB, Loop *L, unsigned Level) {
  auto Found = Order.ByBlock.find(BB);
  if (Found == Order.ByBlock.end())
    return "";
  const Guard *When = guardOf(BB, L);
  if (!When)
    return "conditional references";
  unsigned Begin = Nest.Items.size();
  if (!When->isAlways()) {
    Nest.Items.push_back({GRAUPEL_STRIDE_NEST_GUARD, Level});
    Nest.Items.back().When = When;
    if (When->varies() &&
        !(Nest.Items.back().Term = iterations(Nest.Items.back())))
      return "conditional references";
    Around.push_back(nullptr);
    ++Level;
  }
  for (unsigned N : Found->second)
    if (StringRef Why = addReference(N); !Why.empty())
      return Why;
  if (!When->isAlways()) {
    Nest.Items[Begin].Inside = Nest.Items.size() - Begin - 1;
    Around.pop_back();
  }
  return "";
}

StringRef NestPlanner::addLoop(Loop *L, unsigned Level, const Guard *When) {
  if (!When)
    return "conditional loops";
  if (!L->isLoopSimplifyForm())
    return "no preheader or several back edges";
  if (L->getExitingBlock() != L->getLoopLatch())
    return "exits elsewhere than at its end";
  const SCEV *Count = In.SE.getBackedgeTakenCount(L);
  if (isa<SCEVCouldNotCompute>(Count))
    return "unknown number of iterations";
  const bool Varies = !known(Count);
  if (!Varies)
    Count = known(Count);
  if (In.SE.getTypeSizeInBits(Count->getType()) > 64)
    return "number of iterations cannot be computed beforehand";
  if (Level + 2 > GRAUPEL_STRIDE_NEST_LEVELS)
    return "too deep";
  unsigned Begin = Nest.Items.size();
  Nest.Items.push_back({GRAUPEL_STRIDE_NEST_LOOP, Level});
  Nest.Items[Begin].When = When;
  Nest.Items[Begin].L = L;
  Nest.Items[Begin].BackedgeTaken = Count;
  if ((Varies || When->varies()) &&
      !(Nest.Items[Begin].Term = iterations(Nest.Items[Begin])))
    return "number of iterations cannot be computed beforehand";
  // L's own blocks and the headers of inner loops, in the order of the program.
  SmallVector<BasicBlock *, 16> Blocks;
  for (BasicBlock *BB : L->blocks()) {
    Loop *BlockLoop = In.LI.getLoopFor(BB);
    if (BlockLoop == L ||
        (BlockLoop->getParentLoop() == L && BlockLoop->getHeader() == BB))
      Blocks.push_back(BB);
  }
  sort(Blocks, [&](BasicBlock *A, BasicBlock *B) {
    return Order.Number.lookup(A) < Order.Number.lookup(B);
  });
  enter(L);
  for (BasicBlock *BB : Blocks) {
    Loop *BlockLoop = In.LI.getLoopFor(BB);
    StringRef Why;
    if (BlockLoop == L)
      Why = addBlock(BB, L, Level + 1);
    else if (hasReferences(BlockLoop))
      Why = BlockLoop->getLoopPreheader()
                ? addLoop(BlockLoop, Level + 1,
                          guardOf(BlockLoop->getLoopPreheader(), L))
                : "no preheader or several back edges";
    if (!Why.empty())
      return Why;
  }
  Around.pop_back();
  Nest.Items[Begin].Inside = Nest.Items.size() - Begin - 1;
  return "";
}

NestPlan NestPlanner::plan() {
  static const Guard Always;
  for (BasicBlock *BB : Outermost->blocks())
    for (Instruction &I : *BB)
      if (mayRecord(I, In.Library)) {
        Nest.WhyNot = "calls";
        return std::move(Nest);
      }
  Nest.WhyNot = addLoop(Outermost, 0, &Always);
  unsigned Words =
      1 + Nest.Bases.size() + Nest.dynamicSteps() + Nest.TermWords.size();
  for (const NestItem &Each : Nest.Items)
    Words += Each.hasWord() + (Each.Bytes != nullptr);
  if (Nest.WhyNot.empty() && (8 * (Words + 1) > GRAUPEL_STRIDE_GROUP_BYTES ||
                              Nest.Items.size() > GRAUPEL_STRIDE_NEST_ITEMS ||
                              Nest.Terms.size() > GRAUPEL_STRIDE_NEST_TERMS))
    Nest.WhyNot = "too many references";
  return std::move(Nest);
}

BlockOrder::BlockOrder(const PlanInput &In, ArrayRef<Reference> References) {
  ReversePostOrderTraversal<Function *> Blocks(&In.F);
  for (auto [N, BB] : enumerate(Blocks))
    Number[BB] = N;
  for (auto [N, R] : enumerate(References))
    ByBlock[R.Inst->getParent()].push_back(N);
}

NestPlan planNest(const PlanInput &In, ArrayRef<Reference> References,
                  const BlockOrder &Order, Loop *L) {
  return NestPlanner(In, References, Order, L).plan();
}

unsigned NestPlan::dynamicSteps() const {
  unsigned N = 0;
  for (const NestItem &Each : Items)
    N += count_if(Each.Steps,
                  [](const SCEV *S) { return !isa<SCEVConstant>(S); });
  return N;
}

// Ways that meet again and again make long expressions.
static void printGuard(raw_ostream &OS, const Guard &G, unsigned Depth = 0) {
  constexpr unsigned Most = 6;
  if (Depth == Most) {
    OS << " ...";
    return;
  }
  for (auto [N, E] : enumerate(G.AnyOf)) {
    OS << (N ? " or " : " ");
    if (E.Condition) {
      OS << (E.Negated ? "not " : "");
      E.Condition->printAsOperand(OS, false);
    }
    if (!E.From->isAlways()) {
      OS << (E.Condition ? " and (" : "(");
      printGuard(OS, *E.From, Depth + 1);
      OS << ')';
    }
  }
}

void NestPlan::print(raw_ostream &OS, ArrayRef<Reference> References) const {
  for (const auto &[Phi, From] : Choices) {
    OS << "  ";
    Phi->printAsOperand(OS, false);
    OS << ':';
    for (const Choice &Each : From)
      OS << ' ' << *Each.Value;
    OS << '\n';
  }
  for (const NestItem &Each : Items) {
    OS.indent(2 + 2 * Each.Level);
    if (Each.refers()) {
      References[Each.Reference].print(OS);
      OS << " at " << *Each.Base << " steps";
      for (const SCEV *Step : Each.Steps)
        OS << ' ' << *Step;
      if (Each.Term)
        OS << " plus a term";
      OS << '\n';
      continue;
    }
    if (Each.L) {
      OS << (Each.Level ? "loop " : "nest ");
      Each.L->getHeader()->printAsOperand(OS, false);
      OS << ": " << *Each.BackedgeTaken << " + 1 iterations";
    } else {
      OS << "guard";
    }
    if (!Each.When->isAlways()) {
      OS << " if";
      printGuard(OS, *Each.When);
    }
    OS << '\n';
  }
}

} // namespace graupel::stride
