//===- NestCode.cpp -------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conditions and chosen values of the inside are computed once more, before the
// nest. Values that would not have been evaluated may be poison: they are
// selected away.
//
//===----------------------------------------------------------------------===//

#include "NestCode.h"
#include "Plan.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace graupel::stride {

namespace {

class NestExpander {
public:
  NestExpander(const PlanInput &In, const NestPlan &Nest, Instruction *At)
      : SE(In.SE), Nest(Nest), At(At), B(At), Expander(SE, "stride") {}
  SmallVector<Value *, 8> words();

private:
  Value *value(const SCEV *S);
  Value *condition(Value *V);
  Value *isTaken(const Guard::Edge &E);
  Value *isExecuted(const Guard &G);
  Value *choice(ArrayRef<NestPlan::Choice> From);
  Value *iterations(const NestItem &Item);

  ScalarEvolution &SE;
  const NestPlan &Nest;
  Instruction *At;
  IRBuilder<> B;
  SCEVExpander Expander;
  ValueToSCEVMapTy Chosen;
  DenseMap<const Guard *, Value *> Guards;
  DenseMap<Value *, Value *> Conditions;
};

} // namespace

Value *NestExpander::value(const SCEV *S) {
  return Expander.expandCodeFor(SCEVParameterRewriter::rewrite(S, SE, Chosen),
                                S->getType(), At->getIterator());
}

Value *NestExpander::condition(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Nest.L->contains(I))
    return V;
  if (Value *Known = Conditions.lookup(V))
    return Known;
  Instruction *New = I->clone();
  for (Use &Each : New->operands())
    Each.set(isa<ICmpInst>(I) ? value(SE.getSCEV(Each.get()))
                              : condition(Each.get()));
  New->dropPoisonGeneratingFlags();
  New->dropUnknownNonDebugMetadata();
  New->insertBefore(At->getIterator());
  return Conditions[V] = New;
}

Value *NestExpander::isTaken(const Guard::Edge &E) {
  Value *From = isExecuted(*E.From);
  if (!E.Condition)
    return From;
  Value *If = condition(E.Condition);
  if (E.Negated)
    If = B.CreateNot(If);
  return E.From->isAlways() ? If : B.CreateLogicalAnd(From, If);
}

Value *NestExpander::isExecuted(const Guard &G) {
  if (G.isAlways())
    return B.getTrue();
  if (Value *Known = Guards.lookup(&G))
    return Known;
  Value *Any = nullptr;
  for (const Guard::Edge &E : G.AnyOf) {
    Value *Taken = isTaken(E);
    Any = Any ? B.CreateLogicalOr(Any, Taken) : Taken;
  }
  return Guards[&G] = Any;
}

/// One of the edges is taken if the value is used.
Value *NestExpander::choice(ArrayRef<NestPlan::Choice> From) {
  Value *V = value(From.back().Value);
  for (const NestPlan::Choice &Each : From.drop_back())
    V = B.CreateSelect(isTaken(Each.If), value(Each.Value), V);
  return V;
}

Value *NestExpander::iterations(const NestItem &Item) {
  Type *I64 = B.getInt64Ty();
  Value *Count = B.getInt64(1);
  if (Item.L)
    Count = value(SE.getAddExpr(SE.getNoopOrZeroExtend(Item.BackedgeTaken, I64),
                                SE.getOne(I64)));
  if (Item.When->isAlways())
    return Count;
  return B.CreateSelect(isExecuted(*Item.When), Count, B.getInt64(0));
}

SmallVector<Value *, 8> NestExpander::words() {
  // The operands of a choice were chosen before.
  for (const auto &[Phi, From] : Nest.Choices)
    Chosen[Phi] = SE.getUnknown(choice(From));
  SmallVector<Value *, 8> Words;
  for (const NestItem &Each : Nest.Items)
    if (Each.hasWord())
      Words.push_back(iterations(Each));
  for (const SCEV *Base : Nest.Bases)
    Words.push_back(value(Base));
  for (const NestItem &Each : Nest.Items)
    if (Each.Bytes)
      Words.push_back(B.CreateZExtOrTrunc(value(Each.Bytes), B.getInt64Ty()));
  for (const NestItem &Each : Nest.Items)
    for (const SCEV *Step : Each.Steps)
      if (!isa<SCEVConstant>(Step))
        Words.push_back(value(Step));
  for (const SCEV *Word : Nest.TermWords)
    Words.push_back(value(Word));
  return Words;
}

SmallVector<Value *, 8> expandNest(const PlanInput &In, const NestPlan &Nest,
                                   Instruction *At) {
  return NestExpander(In, Nest, At).words();
}

} // namespace graupel::stride
