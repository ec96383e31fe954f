//===- NestTerms.cpp - Values that change in a nest -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes terms, which the runtime evaluates, of values that change in a nest.
// Numbers of iterations, conditions and beginnings of inner loops may depend on
// the iterations of outer ones.
//
// 1. add: enter a term once, with the levels of the nest that it depends on.
// 2. term of an expression (termOf): a constant is one. An expression that does
//    not change in the nest is a word of the record. Sums, products, casts,
//    minimum and maximum are terms of their operands, division only by an
//    invariant value.
// 3. A recurrence of an enclosing loop is start + iteration * step
//    (recurrence). A phi within an iteration selects between its values by the
//    edges into it.
// 4. term of a condition: and, or, xor, select and comparisons of integers.
// 5. term of a guard: the or of its edges, each the and of its source's guard
//    and its condition.
// 6. iterations: a loop's number of iterations as 64 bits, 0 if its guard is
//    false. enter, when a loop begins, forgets the values that had no term
//    outside of it.
//
//===----------------------------------------------------------------------===//

#include "NestPlanner.h"

using namespace llvm;

namespace graupel::stride {

NestPlanner::Term NestPlanner::add(NestTerm New) {
  auto Levels = [&](unsigned Operand) { return Nest.Terms[Operand].Levels; };
  switch (New.Kind) {
  case GRAUPEL_STRIDE_TERM_CONSTANT:
  case GRAUPEL_STRIDE_TERM_WORD:
    break;
  case GRAUPEL_STRIDE_TERM_ITERATION:
    New.Levels = 1u << New.A;
    break;
  case GRAUPEL_STRIDE_TERM_SELECT:
    New.Levels = Levels(New.A) | Levels(New.B) | Levels(New.C);
    break;
  case GRAUPEL_STRIDE_TERM_TRUNCATE:
  case GRAUPEL_STRIDE_TERM_ZERO_EXTEND:
  case GRAUPEL_STRIDE_TERM_SIGN_EXTEND:
  case GRAUPEL_STRIDE_TERM_NOT:
    New.Levels = Levels(New.A);
    break;
  default:
    New.Levels = Levels(New.A) | Levels(New.B);
  }
  for (auto [N, T] : enumerate(Nest.Terms))
    if (T.Kind == New.Kind && T.Bits == New.Bits && T.A == New.A &&
        T.B == New.B && T.C == New.C && T.Value == New.Value)
      return N;
  Nest.Terms.push_back(New);
  return Nest.Terms.size() - 1;
}

NestPlanner::Term NestPlanner::binary(graupel_stride_term_kind Kind,
                                      unsigned Bits, Term A, Term B) {
  if (!A || !B)
    return std::nullopt;
  return add({Kind, Bits, *A, *B});
}

NestPlanner::Term NestPlanner::negation(Term A) {
  return A ? add({GRAUPEL_STRIDE_TERM_NOT, 1, *A}) : A;
}

NestPlanner::Term NestPlanner::extend(Term From, unsigned Bits, bool Signed) {
  if (!From || Nest.Terms[*From].Bits == Bits)
    return From;
  return add({Signed ? GRAUPEL_STRIDE_TERM_SIGN_EXTEND
                     : GRAUPEL_STRIDE_TERM_ZERO_EXTEND,
              Bits, *From, Nest.Terms[*From].Bits});
}

NestPlanner::Term NestPlanner::combine(graupel_stride_term_kind Kind,
                                       const SCEVNAryExpr *S) {
  Term Result = term(S->getOperand(0));
  for (const SCEV *Each : drop_begin(S->operands()))
    Result =
        binary(Kind, In.SE.getTypeSizeInBits(S->getType()), Result, term(Each));
  return Result;
}

NestPlanner::Term NestPlanner::least(const SCEVNAryExpr *S, bool Signed,
                                     bool Most) {
  Term Result;
  for (const SCEV *Each : S->operands()) {
    Term Next = term(Each);
    if (!Next)
      return std::nullopt;
    if (!Result) {
      Result = Next;
      continue;
    }
    unsigned Bits = Nest.Terms[*Next].Bits;
    Term IsLess = add(
        {Signed ? GRAUPEL_STRIDE_TERM_LESS_SIGNED : GRAUPEL_STRIDE_TERM_LESS, 1,
         *Next, *Result, Bits});
    Result =
        Most ? add({GRAUPEL_STRIDE_TERM_SELECT, Bits, *IsLess, *Result, *Next})
             : add({GRAUPEL_STRIDE_TERM_SELECT, Bits, *IsLess, *Next, *Result});
  }
  return Result;
}

/// The value of a recurrence of a nest's loop in the current iteration.
NestPlanner::Term NestPlanner::recurrence(const SCEVAddRecExpr *S) {
  auto Found = find(Around, S->getLoop());
  if (Found == Around.end() || !S->isAffine())
    return std::nullopt;
  const unsigned Bits = In.SE.getTypeSizeInBits(S->getType());
  Term Start = term(S->getStart());
  Term Step = term(S->getStepRecurrence(In.SE));
  if (!Start || !Step || Nest.Terms[*Step].Levels)
    return std::nullopt;
  Term Iteration = add({GRAUPEL_STRIDE_TERM_ITERATION, Bits,
                        static_cast<unsigned>(Found - Around.begin())});
  return binary(GRAUPEL_STRIDE_TERM_ADD, Bits, Start,
                binary(GRAUPEL_STRIDE_TERM_MULTIPLY, Bits, Iteration, Step));
}

NestPlanner::Term NestPlanner::term(const SCEV *S) {
  auto [Found, New] = Terms.try_emplace(S, std::nullopt);
  if (!New)
    return Found->second;
  Term Result = termOf(S);
  return Terms[S] = Result;
}

/// Expressions that could not be terms may be in the loop that begins.
void NestPlanner::enter(const Loop *L) {
  Around.push_back(L);
  auto Forget = [](auto &Known) {
    for (auto Each = Known.begin(); Each != Known.end(); ++Each)
      if (!Each->second)
        Known.erase(Each);
  };
  Forget(Terms);
  Forget(ConditionTerms);
}

NestPlanner::Term NestPlanner::termOf(const SCEV *S) {
  if (isa<SCEVCouldNotCompute>(S) || In.SE.getTypeSizeInBits(S->getType()) > 64)
    return std::nullopt;
  const unsigned Bits = In.SE.getTypeSizeInBits(S->getType());
  if (auto *Constant = dyn_cast<SCEVConstant>(S))
    return add({GRAUPEL_STRIDE_TERM_CONSTANT, Bits, 0, 0, 0,
                Constant->getAPInt().getSExtValue()});
  if (const SCEV *Known = known(S)) {
    unsigned Word = find(Nest.TermWords, Known) - Nest.TermWords.begin();
    if (Word == Nest.TermWords.size())
      Nest.TermWords.push_back(Known);
    return add({GRAUPEL_STRIDE_TERM_WORD, Bits, Word});
  }
  switch (S->getSCEVType()) {
  case scAddExpr:
    return combine(GRAUPEL_STRIDE_TERM_ADD, cast<SCEVNAryExpr>(S));
  case scMulExpr:
    return combine(GRAUPEL_STRIDE_TERM_MULTIPLY, cast<SCEVNAryExpr>(S));
  case scUDivExpr: {
    auto *Division = cast<SCEVUDivExpr>(S);
    Term By = term(Division->getRHS());
    if (!By || Nest.Terms[*By].Levels)
      return std::nullopt;
    return binary(GRAUPEL_STRIDE_TERM_DIVIDE, Bits, term(Division->getLHS()),
                  By);
  }
  case scTruncate:
    if (Term Operand = term(cast<SCEVCastExpr>(S)->getOperand()))
      return add({GRAUPEL_STRIDE_TERM_TRUNCATE, Bits, *Operand});
    return std::nullopt;
  case scZeroExtend:
    return extend(term(cast<SCEVCastExpr>(S)->getOperand()), Bits);
  case scSignExtend:
    return extend(term(cast<SCEVCastExpr>(S)->getOperand()), Bits, true);
  case scPtrToInt:
    return term(cast<SCEVCastExpr>(S)->getOperand());
  case scUMaxExpr:
    return least(cast<SCEVNAryExpr>(S), false, true);
  case scSMaxExpr:
    return least(cast<SCEVNAryExpr>(S), true, true);
  case scUMinExpr:
  case scSequentialUMinExpr:
    return least(cast<SCEVNAryExpr>(S), false, false);
  case scSMinExpr:
    return least(cast<SCEVNAryExpr>(S), true, false);
  case scAddRecExpr:
    return recurrence(cast<SCEVAddRecExpr>(S));
  case scUnknown:
    if (auto *Phi = dyn_cast<PHINode>(cast<SCEVUnknown>(S)->getValue()))
      return term(Phi);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// The term of a phi where paths of the same iteration meet.
NestPlanner::Term NestPlanner::term(PHINode *Phi) {
  BasicBlock *BB = Phi->getParent();
  const Loop *L = In.LI.getLoopFor(BB);
  if (!L || !Outermost->contains(L) || BB == L->getHeader())
    return std::nullopt;
  Term Result;
  for (auto [V, From] : zip(Phi->incoming_values(), Phi->blocks())) {
    std::optional<Guard::Edge> If = edge(From, BB, L);
    Term Value = term(In.SE.getSCEVAtScope(V.get(), L));
    Term Taken = If ? term(*If) : std::nullopt;
    if (!Value || !Taken)
      return std::nullopt;
    Result = Result ? add({GRAUPEL_STRIDE_TERM_SELECT, Nest.Terms[*Value].Bits,
                           *Taken, *Value, *Result})
                    : Value;
  }
  return Result;
}

NestPlanner::Term NestPlanner::compare(CmpPredicate Predicate, Term A, Term B) {
  if (!A || !B)
    return std::nullopt;
  const unsigned Bits = Nest.Terms[*A].Bits;
  const auto Less = ICmpInst::isSigned(Predicate)
                        ? GRAUPEL_STRIDE_TERM_LESS_SIGNED
                        : GRAUPEL_STRIDE_TERM_LESS;
  switch (Predicate) {
  case ICmpInst::ICMP_EQ:
    return add({GRAUPEL_STRIDE_TERM_EQUAL, 1, *A, *B, Bits});
  case ICmpInst::ICMP_NE:
    return negation(add({GRAUPEL_STRIDE_TERM_EQUAL, 1, *A, *B, Bits}));
  case ICmpInst::ICMP_ULT:
  case ICmpInst::ICMP_SLT:
    return add({Less, 1, *A, *B, Bits});
  case ICmpInst::ICMP_UGT:
  case ICmpInst::ICMP_SGT:
    return add({Less, 1, *B, *A, Bits});
  case ICmpInst::ICMP_UGE:
  case ICmpInst::ICMP_SGE:
    return negation(add({Less, 1, *A, *B, Bits}));
  case ICmpInst::ICMP_ULE:
  case ICmpInst::ICMP_SLE:
    return negation(add({Less, 1, *B, *A, Bits}));
  default:
    return std::nullopt;
  }
}

NestPlanner::Term NestPlanner::term(Value *Condition) {
  auto [Found, New] = ConditionTerms.try_emplace(Condition, std::nullopt);
  if (!New)
    return Found->second;
  Term Result = termOf(Condition);
  return ConditionTerms[Condition] = Result;
}

NestPlanner::Term NestPlanner::termOf(Value *Condition) {
  if (auto *Constant = dyn_cast<ConstantInt>(Condition))
    return add(
        {GRAUPEL_STRIDE_TERM_CONSTANT, 1, 0, 0, 0, Constant->isZero() ? 0 : 1});
  auto *I = dyn_cast<Instruction>(Condition);
  // One that does not change is a word.
  if (!I || !Outermost->contains(I))
    return Condition->getType()->isIntegerTy(1) ? term(In.SE.getSCEV(Condition))
                                                : std::nullopt;
  if (!I->getType()->isIntegerTy(1))
    return std::nullopt;
  auto Operand = [&](unsigned N) { return term(I->getOperand(N)); };
  const Loop *L = In.LI.getLoopFor(I->getParent());
  auto Number = [&](unsigned N) {
    Value *V = I->getOperand(N);
    return In.SE.isSCEVable(V->getType()) ? term(In.SE.getSCEVAtScope(V, L))
                                          : std::nullopt;
  };
  switch (I->getOpcode()) {
  case Instruction::And:
    return binary(GRAUPEL_STRIDE_TERM_AND, 1, Operand(0), Operand(1));
  case Instruction::Or:
    return binary(GRAUPEL_STRIDE_TERM_OR, 1, Operand(0), Operand(1));
  case Instruction::Xor: {
    Term A = Operand(0), B = Operand(1);
    return A && B ? negation(add({GRAUPEL_STRIDE_TERM_EQUAL, 1, *A, *B, 1}))
                  : std::nullopt;
  }
  case Instruction::Freeze:
    return Operand(0);
  case Instruction::Select: {
    Term A = Operand(0), B = Operand(1), C = Operand(2);
    return A && B && C ? add({GRAUPEL_STRIDE_TERM_SELECT, 1, *A, *B, *C})
                       : std::nullopt;
  }
  case Instruction::ICmp:
    return compare(cast<ICmpInst>(I)->getCmpPredicate(), Number(0), Number(1));
  default:
    return std::nullopt;
  }
}

NestPlanner::Term NestPlanner::term(const Guard::Edge &E) {
  Term From = term(*E.From);
  if (!E.Condition || !From)
    return From;
  Term If = term(E.Condition);
  if (E.Negated)
    If = negation(If);
  return E.From->isAlways() ? If : binary(GRAUPEL_STRIDE_TERM_AND, 1, From, If);
}

NestPlanner::Term NestPlanner::term(const Guard &G) {
  if (G.isAlways())
    return add({GRAUPEL_STRIDE_TERM_CONSTANT, 1, 0, 0, 0, 1});
  auto [Found, New] = GuardTerms.try_emplace(&G, std::nullopt);
  if (!New)
    return Found->second;
  Term Any;
  for (const Guard::Edge &E : G.AnyOf) {
    Term Taken = term(E);
    if (!Taken)
      return std::nullopt;
    Any = Any ? binary(GRAUPEL_STRIDE_TERM_OR, 1, Any, Taken) : Taken;
  }
  return GuardTerms[&G] = Any;
}

/// The number of iterations of a loop or guard, as 64 bits.
NestPlanner::Term NestPlanner::iterations(const NestItem &Item) {
  Term If = term(*Item.When);
  if (!Item.L)
    return extend(If, 64);
  Term Count = extend(term(Item.BackedgeTaken), 64);
  if (!Count || !If)
    return std::nullopt;
  Count = binary(GRAUPEL_STRIDE_TERM_ADD, 64, Count,
                 add({GRAUPEL_STRIDE_TERM_CONSTANT, 64, 0, 0, 0, 1}));
  if (Item.When->isAlways())
    return Count;
  return add({GRAUPEL_STRIDE_TERM_SELECT, 64, *If, *Count,
              *add({GRAUPEL_STRIDE_TERM_CONSTANT, 64})});
}

} // namespace graupel::stride
