//===- Fgdsm/Plugin.cpp - GraupelPasses.so --------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the passes stand in clang's, lld's and opt's pipelines.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Annotations.h"
#include "ChecksPass.h"
#include "CodeTable.h"
#include "EarlyFunctions.h"
#include "EntryStubs.h"
#include "GlobalTable.h"
#include "LateUnrolling.h"
#include "Options.h"
#include "SharedGlobals.h"
#include "StripMining.h"
#include "StripPlan.h"
#include "UnknownCalls.h"
#include "Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;
using namespace graupel;

static void addLastPasses(ModulePassManager &MPM) {
  MPM.addPass(fgdsm::EarlyFunctionsPass());
  // The published systems check each access where it stands.
  if (fgdsm::minesStrips())
    MPM.addPass(fgdsm::StripMiningPass());
  MPM.addPass(fgdsm::ChecksPass());
  MPM.addPass(fgdsm::EntryStubsPass());
  MPM.addPass(fgdsm::VerifierPass(fgdsm::VerifyOption));
  MPM.addPass(fgdsm::LateUnrollingPass());
  MPM.addPass(fgdsm::CodeTablePass());
  MPM.addPass(fgdsm::GlobalTablePass());
}

static void registerPasses(PassBuilder &PB) {
  PB.registerAnalysisRegistrationCallback([](ModuleAnalysisManager &MAM) {
    MAM.registerPass([] { return fgdsm::PointerPrivacyAnalysis(); });
  });
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(fgdsm::SharedGlobalsPass());
        MPM.addPass(fgdsm::AnnotationsPass());
      });
  PB.registerVectorizerStartEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel Level) {
        if (fgdsm::minesStrips() && Level.getSpeedupLevel() > 1 &&
            Level.getSizeLevel() == 0)
          FPM.addPass(fgdsm::KeepRolledPass());
      });
  // Before linking there is more optimization to come.
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase Phase) {
        if (Phase != ThinOrFullLTOPhase::ThinLTOPreLink &&
            Phase != ThinOrFullLTOPhase::FullLTOPreLink)
          addLastPasses(MPM);
      });
  PB.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) { addLastPasses(MPM); });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "graupel-fgdsm")
          addLastPasses(MPM);
        else if (Name == "graupel-fgdsm-annotations")
          MPM.addPass(fgdsm::AnnotationsPass());
        else if (Name == "graupel-fgdsm-early-functions")
          MPM.addPass(fgdsm::EarlyFunctionsPass());
        else if (Name == "graupel-fgdsm-share-globals")
          MPM.addPass(fgdsm::SharedGlobalsPass());
        else if (Name == "graupel-fgdsm-global-table")
          MPM.addPass(fgdsm::GlobalTablePass());
        else if (Name == "graupel-fgdsm-checks")
          MPM.addPass(fgdsm::ChecksPass());
        else if (Name == "graupel-fgdsm-entry-stubs")
          MPM.addPass(fgdsm::EntryStubsPass());
        else if (Name == "graupel-fgdsm-verify")
          MPM.addPass(fgdsm::VerifierPass(true));
        else if (Name == "print<fgdsm-accesses>")
          MPM.addPass(fgdsm::AccessPrinterPass(errs()));
        else if (Name == "graupel-fgdsm-strips")
          MPM.addPass(fgdsm::StripMiningPass());
        else if (Name == "print<fgdsm-strips>")
          MPM.addPass(fgdsm::StripPlanPrinterPass(errs()));
        else if (Name == "print<fgdsm-unknown-calls>")
          MPM.addPass(fgdsm::UnknownCallPrinterPass(errs()));
        else if (Name == "print<fgdsm-plan>")
          MPM.addPass(fgdsm::PlanPrinterPass(errs()));
        else if (Name == "graupel-fgdsm-late-unrolling")
          MPM.addPass(fgdsm::LateUnrollingPass());
        else
          return false;
        return true;
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "graupel-fgdsm-keep-rolled")
          FPM.addPass(fgdsm::KeepRolledPass());
        else if (Name == "print<fgdsm-rolled>")
          FPM.addPass(fgdsm::RolledPrinterPass(errs()));
        else
          return false;
        return true;
      });
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Graupel", GRAUPEL_VERSION, registerPasses};
}
