//===- EarlyFunctions.cpp -------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EarlyFunctions.h"
#include "Markers.h"
#include "OwnNames.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace graupel::fgdsm {

using FunctionSet = SmallSetVector<Function *, 8>;

// The functions that a constant names.
static void collectFunctions(Constant &C, FunctionSet &Out) {
  if (auto *F = dyn_cast<Function>(&C)) {
    Out.insert(F);
  } else if (!isa<GlobalValue>(C)) {
    for (Value *Operand : C.operands())
      if (auto *Part = dyn_cast<Constant>(Operand))
        collectFunctions(*Part, Out);
  }
}

static FunctionSet calledByLoader(Module &M) {
  FunctionSet Found;
  for (GlobalIFunc &I : M.ifuncs())
    if (Function *Resolver = I.getResolverFunction())
      Found.insert(Resolver);
  for (GlobalVariable &G : M.globals())
    if (G.getSection().starts_with(".preinit_array") && G.hasInitializer())
      collectFunctions(*G.getInitializer(), Found);
  for (Function &F : M)
    if (!F.hasLocalLinkage() &&
        (isAllocator(F.getName()) || isDeallocator(F.getName())))
      Found.insert(&F);
  Found.remove_if([](Function *F) { return F->isDeclaration(); });
  return Found;
}

static bool isOnlyCalledFrom(const FunctionSet &Callers, const Function &F) {
  return F.hasLocalLinkage() && all_of(F.uses(), [&](const Use &U) {
           auto *Call = dyn_cast<CallBase>(U.getUser());
           return Call && Call->isCallee(&U) &&
                  Callers.contains(const_cast<Function *>(Call->getFunction()));
         });
}

PreservedAnalyses EarlyFunctionsPass::run(Module &M, ModuleAnalysisManager &) {
  FunctionSet Early = calledByLoader(M);
  for (size_t Size = 0; Size != Early.size();) {
    Size = Early.size();
    for (Function &F : M)
      if (!F.isDeclaration() && !Early.contains(&F) && !F.use_empty() &&
          isOnlyCalledFrom(Early, F))
        Early.insert(&F);
  }
  for (Function *F : Early)
    if (!F->hasFnAttribute(DoneAttribute)) {
      F->addFnAttr(NoCheckAttribute);
      F->addFnAttr(NoPollAttribute);
      for (Instruction &I : instructions(*F))
        if (I.mayReadOrWriteMemory())
          I.setMetadata(NoCheckMetadata, MDNode::get(M.getContext(), {}));
    }
  return PreservedAnalyses::all();
}

} // namespace graupel::fgdsm
