//===- Numa/Sites.cpp - Allocations say where they are --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sites.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace graupel::numa;

/// Bytes that a call allocates, before the call; null if it does not.
static Value *bytesOf(CallBase &Call, IRBuilder<> &B) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || !Call.getType()->isPointerTy())
    return nullptr;
  // The operand, and the other one that it is multiplied with.
  enum { None, First, Second, Product };
  auto Which = StringSwitch<int>(Callee->getName())
                   .Cases({"malloc", "_Znwm", "_Znam", "valloc"}, First)
                   .Cases({"_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t",
                           "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"},
                          First)
                   .Cases({"aligned_alloc", "memalign", "realloc"}, Second)
                   .Case("calloc", Product)
                   .Default(None);
  if (Which == None || Call.arg_size() < (Which == First ? 1 : 2))
    return nullptr;
  Value *Bytes = Call.getArgOperand(Which == First || Which == Product ? 0 : 1);
  if (!Bytes->getType()->isIntegerTy(64))
    return nullptr;
  return Which == Product ? B.CreateMul(Bytes, Call.getArgOperand(1)) : Bytes;
}

static bool mark(CallBase &Call, FunctionCallee Site) {
  const DebugLoc &At = Call.getDebugLoc();
  if (!At || !At.getLine() || Call.isMustTailCall())
    return false;
  IRBuilder<> B(&Call);
  Value *Bytes = bytesOf(Call, B);
  auto After = Call.getInsertionPointAfterDef();
  if (!Bytes || !After)
    return false;
  auto *Scope = cast<DIScope>(At.getScope());
  std::string Line =
      (sys::path::filename(Scope->getFilename()) + ":" + Twine(At.getLine()))
          .str();
  B.SetInsertPoint((*After)->getParent(), *After);
  B.SetCurrentDebugLocation(At);
  B.CreateCall(Site, {&Call, Bytes, B.CreateGlobalString(Line),
                      B.CreateGlobalString(Call.getFunction()->getName())});
  return true;
}

PreservedAnalyses SitesPass::run(Module &M, ModuleAnalysisManager &) {
  SmallVector<CallBase *> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        Calls.push_back(Call);
  LLVMContext &C = M.getContext();
  Type *Pointer = PointerType::getUnqual(C);
  FunctionCallee Site =
      M.getOrInsertFunction("graupel_numa_site", Type::getVoidTy(C), Pointer,
                            Type::getInt64Ty(C), Pointer, Pointer);
  bool Any = false;
  for (CallBase *Call : Calls)
    Any |= mark(*Call, Site);
  if (!Any && Site.getCallee()->use_empty())
    cast<Function>(Site.getCallee())->eraseFromParent();
  return Any ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
