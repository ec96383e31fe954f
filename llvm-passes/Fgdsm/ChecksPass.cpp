//===- ChecksPass.cpp -----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs classification, planning and insertion of checks for a module.
//
// 1. Collect the functions that are defined here, are not naked and have no
//    checks yet (ModuleWork).
// 2. prepare: publish own functions with names of the library, and replace
//    addresses of library functions by those of wrappers. Then, in each
//    function that is to be checked: flatten address spaces (AddressSpaces.h),
//    doubt alignments, refuse intrinsics, wrap
//    library calls, end argument lists, guard unknown calls.
// 3. prepare, in every function: guard the result, mark the function, simplify
//    its loops, defer tests, sink loads.
// 4. plan: plan the polls of all functions. Calls of functions with polls or
//    shared accesses end validity (Handshakes).
// 5. Plan the checks of each function and hand the plan on: ChecksPass emits
//    remarks and inserts the code, PlanPrinterPass prints the plan.
// 6. finish: keep annotations of accesses as metadata for the verifier, remove
//    all markers, and note that the functions have their checks.
//
//===----------------------------------------------------------------------===//

#include "ChecksPass.h"
#include "Access.h"
#include "AddressSpaces.h"
#include "Alignments.h"
#include "ArgumentLists.h"
#include "CallGuards.h"
#include "CheckPlan.h"
#include "DeferredTests.h"
#include "Handshakes.h"
#include "Instrumentation.h"
#include "LibraryCalls.h"
#include "LoadSinking.h"
#include "Markers.h"
#include "Options.h"
#include "OwnNames.h"
#include "PollPlan.h"
#include "Remarks.h"
#include "StripMining.h"
#include "TargetIntrinsics.h"
#include "ValueTests.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace graupel::fgdsm {

namespace {

/// The steps of the pass; each is done for all functions before the next.
class ModuleWork {
public:
  ModuleWork(Module &M, ModuleAnalysisManager &MAM)
      : M(M),
        FAM(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager()),
        Privacy(MAM.getResult<PointerPrivacyAnalysis>(M)) {
    for (Function &F : M)
      if (isToDo(F))
        Functions.push_back(&F);
  }

  bool empty() const { return Functions.empty(); }
  /// Library calls, loops in the form that plans want.
  void prepare();
  template <class Consumer> void plan(Consumer Consume);
  void finish();

private:
  static bool isToDo(const Function &F);

  Module &M;
  FunctionAnalysisManager &FAM;
  const PointerPrivacy &Privacy;
  SmallVector<Function *, 0> Functions;
};

} // namespace

bool ModuleWork::isToDo(const Function &F) {
  return !F.isDeclaration() && !F.hasAvailableExternallyLinkage() &&
         !F.hasFnAttribute(DoneAttribute) &&
         !F.hasFnAttribute(Attribute::Naked);
}

void ModuleWork::prepare() {
  publishOwnNames(M);
  wrapAddresses(M);
  for (Function *F : Functions) {
    auto &Library = FAM.getResult<TargetLibraryAnalysis>(*F);
    auto &LI = FAM.getResult<LoopAnalysis>(*F);
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(*F);
    if (!F->hasFnAttribute(NoCheckAttribute)) {
      flattenAddressSpaces(*F, Privacy);
      forgetInvariance(*F, Privacy);
      doubtAlignments(*F, Privacy);
      refuseIntrinsics(*F, Privacy);
      wrapLibraryCalls(*F, Privacy);
      endLists(*F, Privacy);
      DomTreeUpdater DTU(DT, DomTreeUpdater::UpdateStrategy::Eager);
      for (const UnknownCall &U : findUnknownCalls(*F, Privacy, Library))
        guardCall(U, DTU, LI);
    }
    guardOwnResult(*F, Privacy);
    markFunction(*F);
    for (Loop *L : LI)
      simplifyLoop(L, &DT, &LI, nullptr, nullptr, nullptr, false);
    if (CheckModeOption == CheckMode::Default)
      deferTests(*F, Privacy, LI, DT);
    if (plansAsByDefault())
      sinkLoads(*F, Privacy);
    PreservedAnalyses Kept;
    Kept.preserve<LoopAnalysis>();
    Kept.preserve<DominatorTreeAnalysis>();
    FAM.invalidate(*F, Kept);
  }
}

template <class Consumer> void ModuleWork::plan(Consumer Consume) {
  Recursion Recursive(M);
  DenseMap<const Function *, PollPlan> Polls;
  DenseSet<const Function *> HasOwn;
  for (Function *F : Functions) {
    auto &LI = FAM.getResult<LoopAnalysis>(*F);
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(*F);
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(*F);
    Polls[F] = planPolls(*F, Recursive, LI, DT, SE);
    if (!Polls[F].Before.empty() ||
        any_of(collectAccesses(*F, Privacy),
               [](const Access &A) { return !A.isPrivate(); }))
      HasOwn.insert(F);
  }
  refuseOwnNames(M, HasOwn);
  // Functions that were instrumented in another module.
  for (Function &F : M)
    if (F.hasFnAttribute(DoneAttribute))
      HasOwn.insert(&F);

  Handshakes HandshakePoints(M, HasOwn);
  for (Function *F : Functions) {
    PlanInput In{*F,
                 Privacy,
                 HandshakePoints,
                 Polls[F],
                 FAM.getResult<TargetLibraryAnalysis>(*F),
                 FAM.getResult<LoopAnalysis>(*F),
                 FAM.getResult<DominatorTreeAnalysis>(*F),
                 FAM.getResult<ScalarEvolutionAnalysis>(*F)};
    Consume(*F, planChecks(In));
  }
}

// Checks compute addresses of an index and a base that may be in any register.
// For processors that nobody has named, code generation makes two instructions
// of one if that is R13 or RBP.
static void tuneAddresses(Function &F) {
  if (F.getFnAttribute("tune-cpu").getValueAsString() != "generic")
    return;
  std::string Features =
      F.getFnAttribute("target-features").getValueAsString().str();
  F.addFnAttr("target-features",
              Features + (Features.empty() ? "" : ",") + "-slow-3ops-lea");
}

// Removes what was only for us.
void ModuleWork::finish() {
  for (Function *F : Functions) {
    // The verifier cannot find these out any more.
    for (const Access &A : collectAccesses(*F, Privacy))
      if (A.WhyPrivate == "annotation")
        A.Inst->setMetadata(NoCheckMetadata, MDNode::get(F->getContext(), {}));
    for (Instruction &I : make_early_inc_range(instructions(*F))) {
      // The verifier is to find out by itself.
      I.setMetadata(DeferredMetadataName, nullptr);
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee)
        continue;
      if (Callee->getName() == PrivateMarkerName ||
          Callee->getName() == SharedMarkerName)
        Call->replaceAllUsesWith(Call->getArgOperand(0));
      else if (Callee->getName() != RangeMarkerName &&
               Callee->getName() != PollMarkerName)
        continue;
      Call->eraseFromParent();
    }
    F->addFnAttr(DoneAttribute);
    if (!F->hasFnAttribute(NoCheckAttribute))
      tuneAddresses(*F);
  }
  for (StringRef Name : {PrivateMarkerName, SharedMarkerName, RangeMarkerName,
                         RefusedMarkerName, PollMarkerName})
    if (Function *F = M.getFunction(Name); F && F->use_empty())
      F->eraseFromParent();
}

PreservedAnalyses ChecksPass::run(Module &M, ModuleAnalysisManager &MAM) {
  ModuleWork Work(M, MAM);
  if (Work.empty())
    return PreservedAnalyses::all();
  Work.prepare();
  Work.plan([&](Function &F, CheckPlan Plan) {
    OptimizationRemarkEmitter Remarks(&F);
    emitRemarks(F, Plan, Remarks);
    instrument(F, Plan);
  });
  Work.finish();
  // clang does not ask LLVM's verifier. What it refuses may compute anything.
  std::string Fault;
  raw_string_ostream OS(Fault);
  if (verifyModule(M, &OS))
    reportFatalInternalError("graupel fgdsm: checks made IR that is not valid; "
                             "please report this with the source: " +
                             Twine(Fault));
  return PreservedAnalyses::none();
}

PreservedAnalyses PlanPrinterPass::run(Module &M, ModuleAnalysisManager &MAM) {
  ModuleWork Work(M, MAM);
  Work.prepare();
  Work.plan([&](Function &F, const CheckPlan &Plan) {
    OS << "plan of " << F.getName() << ":\n";
    Plan.print(OS);
  });
  return PreservedAnalyses::none();
}

} // namespace graupel::fgdsm
