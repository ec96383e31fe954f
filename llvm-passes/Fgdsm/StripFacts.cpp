//===- StripFacts.cpp - The facts of a module that strips need ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers from the analyses that Checks uses. If they disagree with what Checks
// finds after strip-mining, it checks the access by itself.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Handshakes.h"
#include "Markers.h"
#include "PollPlan.h"
#include "StripPlan.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace graupel::fgdsm;

StripFacts::StripFacts(Module &M, ModuleAnalysisManager &MAM)
    : FAM(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager()),
      Privacy(MAM.getResult<PointerPrivacyAnalysis>(M)),
      Needs([this](const Instruction &I) { return Plain.contains(&I); }),
      Ends([this](const Instruction &I) { return mayHandshake(I); }) {
  Recursion Recursive(M);
  DenseSet<const Function *> HasOwn;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (F.hasFnAttribute(DoneAttribute) ||
        any_of(collectAccesses(F, Privacy),
               [](const Access &A) { return !A.isPrivate(); }) ||
        !planPolls(F, Recursive, FAM.getResult<LoopAnalysis>(F),
                   FAM.getResult<DominatorTreeAnalysis>(F),
                   FAM.getResult<ScalarEvolutionAnalysis>(F))
             .Before.empty())
      HasOwn.insert(&F);
  }
  HandshakePoints = std::make_unique<Handshakes>(M, HasOwn);
}

StripFacts::~StripFacts() = default;

StripQueries StripFacts::of(Function &F) {
  Library = &FAM.getResult<TargetLibraryAnalysis>(F);
  Plain.clear();
  Served.clear();
  for (const Access &A : collectAccesses(F, Privacy)) {
    if (A.isPrivate())
      continue;
    if (A.Shape == AccessShape::Plain || A.Shape == AccessShape::Masked)
      Plain.insert(A.Inst);
    else if (A.Shape == AccessShape::Dynamic)
      Served.insert(A.Inst);
  }
  return {Needs, Ends};
}

bool StripFacts::mayHandshake(const Instruction &I) const {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || Call->doesNotAccessMemory())
    return false;
  // Copies and library calls that touch shared memory become the runtime's.
  if (Served.contains(&I))
    return true;
  if (!isa<IntrinsicInst>(Call) && isQuietLibraryCall(*Call, *Library) &&
      any_of(Call->args(), [&](const Use &U) {
        return U->getType()->isPointerTy() && Privacy.whyPrivate(U).empty();
      }))
    return true;
  return HandshakePoints->endsValidity(*Call, *Library);
}
