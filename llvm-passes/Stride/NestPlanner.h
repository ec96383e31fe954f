//===- NestPlanner.h - The search for nests ---------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by Nest.cpp and NestTerms.cpp only.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_NESTPLANNER_H
#define GRAUPEL_STRIDE_NESTPLANNER_H

#include "Nest.h"
#include "Plan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CmpPredicate.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>

namespace graupel::stride {

/// Base + iteration of each loop * its step + the rest.
struct Affine {
  const llvm::SCEV *Base;
  llvm::SmallMapVector<const llvm::Loop *, const llvm::SCEV *, 4> Steps;
  /// The sum of what else changes in the nest, which is a term; or null.
  const llvm::SCEV *Rest = nullptr;

  bool hasSteps(const Affine &Other) const {
    return Steps.size() == Other.Steps.size() &&
           llvm::all_of(Steps, [&](auto &S) {
             return Other.Steps.lookup(S.first) == S.second;
           });
  }
};

class NestPlanner {
public:
  NestPlanner(const PlanInput &In, llvm::ArrayRef<Reference> References,
              const BlockOrder &Order, llvm::Loop *L)
      : In(In), References(References), Order(Order), Outermost(L),
        Expander(In.SE, "stride") {
    Nest.L = L;
  }
  NestPlan plan();

private:
  llvm::StringRef addLoop(llvm::Loop *L, unsigned Level, const Guard *When);
  llvm::StringRef addBlock(llvm::BasicBlock *BB, llvm::Loop *L, unsigned Level);
  llvm::StringRef addReference(unsigned N);
  bool hasReferences(const llvm::Loop *L) const;
  void shareBase(NestItem &Item);

  const Guard *guardOf(llvm::BasicBlock *BB, const llvm::Loop *L);
  std::optional<Guard::Edge> edge(llvm::BasicBlock *From, llvm::BasicBlock *To,
                                  const llvm::Loop *L);
  bool isKnown(llvm::Value *Condition);
  const Affine *choice(llvm::PHINode *Phi);
  const llvm::SCEV *known(const llvm::SCEV *S);
  std::optional<Affine> affine(const llvm::SCEV *S);
  std::optional<Affine> sum(const llvm::SCEVAddExpr *S);
  std::optional<Affine> product(const llvm::SCEVMulExpr *S);

  // NestTerms.cpp
  using Term = std::optional<unsigned>;
  Term add(NestTerm New);
  Term term(const llvm::SCEV *S);
  Term termOf(const llvm::SCEV *S);
  Term term(llvm::Value *Condition);
  Term termOf(llvm::Value *Condition);
  void enter(const llvm::Loop *L);
  Term term(const Guard &G);
  Term term(const Guard::Edge &E);
  Term term(llvm::PHINode *Phi);
  Term iterations(const NestItem &Item);
  Term combine(graupel_stride_term_kind Kind, const llvm::SCEVNAryExpr *S);
  Term least(const llvm::SCEVNAryExpr *S, bool Signed, bool Most);
  Term extend(Term From, unsigned Bits, bool Signed = false);
  Term compare(llvm::CmpPredicate Predicate, Term A, Term B);
  Term binary(graupel_stride_term_kind Kind, unsigned Bits, Term A, Term B);
  Term negation(Term A);
  Term recurrence(const llvm::SCEVAddRecExpr *S);

  const PlanInput &In;
  llvm::ArrayRef<Reference> References;
  const BlockOrder &Order;
  llvm::Loop *Outermost;
  llvm::SCEVExpander Expander;
  NestPlan Nest;
  /// Null while not known.
  llvm::DenseMap<const llvm::BasicBlock *, const Guard *> Guards;
  llvm::DenseMap<const llvm::PHINode *, std::unique_ptr<Affine>> Chosen;
  /// Loops and guards around what is added.
  llvm::SmallVector<const llvm::Loop *, 8> Around;
  llvm::DenseMap<const llvm::SCEV *, Term> Terms;
  llvm::DenseMap<llvm::Value *, Term> ConditionTerms;
  llvm::DenseMap<const Guard *, Term> GuardTerms;
};

} // namespace graupel::stride

#endif
