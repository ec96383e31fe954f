//===- Stride/Plugin.cpp - GraupelStride.so ---------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plugin of its own, because lld has no options for plugins: what is done to
// a program is decided by which one is loaded.
//
//===----------------------------------------------------------------------===//

#include "StridePass.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;
using namespace graupel;

static void registerPasses(PassBuilder &PB) {
  // Before linking there is more optimization to come.
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase Phase) {
        if (Phase != ThinOrFullLTOPhase::ThinLTOPreLink &&
            Phase != ThinOrFullLTOPhase::FullLTOPreLink)
          MPM.addPass(stride::StridePass());
      });
  PB.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(stride::StridePass());
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "graupel-stride")
          MPM.addPass(stride::StridePass());
        else if (Name == "graupel-stride<single>")
          MPM.addPass(stride::StridePass(/*Summaries=*/false));
        else if (Name == "print<stride>")
          MPM.addPass(stride::PlanPrinterPass(errs()));
        else if (Name == "print<stride-ticks>")
          MPM.addPass(stride::TicksPrinterPass(errs()));
        else
          return false;
        return true;
      });
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "GraupelStride", GRAUPEL_VERSION,
          registerPasses};
}
