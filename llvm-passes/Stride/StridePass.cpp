//===- StridePass.cpp -----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StridePass.h"
#include "Commons.h"
#include "Duplication.h"
#include "Instrumentation.h"
#include "Plan.h"
#include "Tables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace graupel::stride {

static constexpr StringLiteral DoneAttribute = "graupel-stride";

static bool isToDo(const Function &F) {
  return !F.isDeclaration() && !F.hasAvailableExternallyLinkage() &&
         !F.hasFnAttribute(DoneAttribute) &&
         !F.hasFnAttribute(Attribute::Naked) &&
         !F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation);
}

/// Calls `Consume` with each function that refers to memory, and its plan.
template <class Consumer>
static void planModule(Module &M, ModuleAnalysisManager &MAM, bool Summaries,
                       Consumer Consume) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function &F : M) {
    if (!isToDo(F) || collectReferences(F).empty())
      continue;
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    for (Loop *L : LI)
      simplifyLoop(L, &DT, &LI, &SE, nullptr, nullptr, false);
    PlanInput In{F, FAM.getResult<TargetLibraryAnalysis>(F), LI, DT, SE};
    Consume(In, planFunction(In, Summaries));
  }
}

PreservedAnalyses StridePass::run(Module &M, ModuleAnalysisManager &MAM) {
  Tables T(M);
  planModule(M, MAM, Summaries, [&](const PlanInput &In, const Plan &P) {
    Tables::Addresses Addresses = T.add(In.F, P, In.LI, In.SE);
    instrument(In, P, Addresses);
    In.F.addFnAttr(DoneAttribute);
    // It writes into its thread's buffer now.
    In.F.removeFnAttr(Attribute::Memory);
  });
  bool Changed = !T.empty();
  if (Changed)
    tellCommons(M);
  T.finish();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses PlanPrinterPass::run(Module &M, ModuleAnalysisManager &MAM) {
  planModule(M, MAM, true, [&](const PlanInput &In, const Plan &P) {
    OS << "strides of " << In.F.getName() << ":\n";
    P.print(OS);
  });
  return PreservedAnalyses::none();
}

PreservedAnalyses TicksPrinterPass::run(Module &M, ModuleAnalysisManager &MAM) {
  planModule(M, MAM, true, [&](const PlanInput &In, const Plan &P) {
    if (!P.WhyNotDuplicable.empty())
      return;
    OS << "ticks of " << In.F.getName() << ":\n";
    Duplication(In, P).ticks().print(OS);
  });
  return PreservedAnalyses::none();
}

} // namespace graupel::stride
