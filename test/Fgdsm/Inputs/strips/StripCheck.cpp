//===- StripCheck.cpp - Strips made to prove themselves -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass for tests: markers become calls of runtime.c, and so does each access
// that StripMining says is covered, before it is made.
//
//===----------------------------------------------------------------------===//

#include "StripMining.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;
using namespace graupel::fgdsm;

namespace {

class StripCheckPass : public PassInfoMixin<StripCheckPass> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace

static void checkAccess(Instruction &I, uint64_t FunctionID) {
  Module &M = *I.getModule();
  Value *Pointer = getLoadStorePointerOperand(&I);
  Type *Ty = Pointer ? getLoadStoreType(&I) : nullptr;
  bool Store = isa<StoreInst>(I);
  IRBuilder<> B(&I);
  if (auto *Call = dyn_cast<IntrinsicInst>(&I)) {
    Store = Call->getIntrinsicID() == Intrinsic::masked_store;
    if (Store || Call->getIntrinsicID() == Intrinsic::masked_load) {
      Pointer = Call->getArgOperand(Store);
      Ty = (Store ? Call->getArgOperand(0) : Call)->getType();
    }
  }
  if (!Pointer)
    return;
  uint64_t Bytes = M.getDataLayout().getTypeStoreSize(Ty);
  MDNode *Covered = I.getMetadata(CoveredMetadataName);
  uint64_t ID = Covered ? mdconst::extract<ConstantInt>(Covered->getOperand(0))
                              ->getZExtValue()
                        : 0;
  B.CreateCall(M.getOrInsertFunction(
                   "strip_access", B.getVoidTy(), B.getPtrTy(), B.getInt64Ty(),
                   B.getInt1Ty(), B.getInt64Ty(), B.getInt64Ty()),
               {Pointer, B.getInt64(Bytes), B.getInt1(Store), B.getInt64(ID),
                B.getInt64(FunctionID)});
}

PreservedAnalyses StripCheckPass::run(Module &M, ModuleAnalysisManager &) {
  uint64_t FunctionID = 0;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    ++FunctionID;
    SmallVector<Instruction *> Work;
    for (BasicBlock &BB : F)
      for (Instruction &I : BB)
        Work.push_back(&I);
    for (Instruction *I : Work) {
      IRBuilder<> B(I);
      auto *Call = dyn_cast<CallInst>(I);
      Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Callee && Callee->getName() == RangeMarkerName) {
        B.CreateCall(M.getOrInsertFunction("strip_range", B.getVoidTy(),
                                           B.getPtrTy(), B.getInt64Ty(),
                                           B.getInt1Ty(), B.getInt64Ty(),
                                           B.getInt64Ty()),
                     {Call->getArgOperand(0), Call->getArgOperand(1),
                      Call->getArgOperand(2), Call->getArgOperand(3),
                      B.getInt64(FunctionID)});
        Call->eraseFromParent();
      } else if (Callee && Callee->getName() == RefusedMarkerName) {
        Call->replaceAllUsesWith(B.CreateCall(
            M.getOrInsertFunction("strip_refused", B.getInt1Ty(), B.getPtrTy(),
                                  B.getInt64Ty(), B.getInt1Ty(), B.getInt64Ty(),
                                  B.getInt64Ty()),
            {Call->getArgOperand(0), Call->getArgOperand(1),
             Call->getArgOperand(2), Call->getArgOperand(3),
             B.getInt64(FunctionID)}));
        Call->eraseFromParent();
      } else if (Callee && Callee->getName() == PollMarkerName) {
        B.CreateCall(M.getOrInsertFunction("strip_poll", B.getVoidTy()));
        Call->eraseFromParent();
      } else {
        checkAccess(*I, FunctionID);
      }
    }
  }
  return PreservedAnalyses::none();
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "strip-check", "1", [](PassBuilder &PB) {
            PB.registerPipelineParsingCallback(
                [](StringRef Name, ModulePassManager &MPM,
                   ArrayRef<PassBuilder::PipelineElement>) {
                  if (Name != "strip-check")
                    return false;
                  MPM.addPass(StripCheckPass());
                  return true;
                });
          }};
}
