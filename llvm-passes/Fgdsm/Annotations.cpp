//===- Annotations.cpp ----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces annotations of the program by markers, attributes and metadata.
//
// 1. Apply hints to calls of gdsm_alloc and gdsm_malloc (Hints).
// 2. Look in each function for annotations of variables and fields with the
//    text "fgdsm.private" or "fgdsm.shared" (lowerLocal).
// 3. Mark the pointers that an annotated field yields when it is loaded. Mark
//    the pointers that are stored into an annotated variable, unless they are
//    based on the variable's own value. In optnone functions the variable stays
//    in memory, so its loads are marked. The annotation is erased.
// 4. Add attributes for -fgdsm-verify and -fgdsm-unaligned to the function.
// 5. Read llvm.global.annotations (lowerGlobal). Loads of annotated globals are
//    marked. Annotations of functions become attributes; nopoll functions are
//    not inlined, nocheck functions only if they are alwaysinline, and the
//    instructions of nocheck functions that access memory get metadata.
//
//===----------------------------------------------------------------------===//

#include "Annotations.h"
#include "Hints.h"
#include "Markers.h"
#include "Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace graupel::fgdsm {

static StringRef textOf(const Value *Annotation) {
  StringRef Text;
  getConstantStringInfo(Annotation, Text);
  return Text;
}

static StringRef markerFor(StringRef Text) {
  if (Text == "fgdsm.private")
    return PrivateMarkerName;
  return Text == "fgdsm.shared" ? SharedMarkerName : StringRef();
}

static CallInst *mark(IRBuilder<> &B, Value *Pointer, StringRef Marker) {
  Module &M = *B.GetInsertBlock()->getModule();
  Type *Ptr = B.getPtrTy();
  FunctionCallee Callee = M.getOrInsertFunction(Marker, Ptr, Ptr);
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotAccessMemory();
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setNoSync();
  F->addFnAttr(Attribute::NoCallback);
  F->addFnAttr(Attribute::Speculatable);
  // Not `returned`: the optimizers would forget the call.
  return B.CreateCall(Callee, {Pointer});
}

static void markLoads(Value *Slot, StringRef Marker) {
  for (User *U : make_early_inc_range(Slot->users()))
    if (auto *Load = dyn_cast<LoadInst>(U);
        Load && Load->getType()->isPointerTy()) {
      IRBuilder<> B(Load->getNextNode());
      CallInst *Marked = mark(B, Load, Marker);
      Load->replaceUsesWithIf(
          Marked, [&](Use &Other) { return Other.getUser() != Marked; });
    }
}

// Values on their way into a variable, but not those made of what was in it.
static void markStores(Value *Variable, StringRef Marker) {
  for (User *U : make_early_inc_range(Variable->users())) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || Store->getPointerOperand() != Variable ||
        !Store->getValueOperand()->getType()->isPointerTy())
      continue;
    auto *Origin =
        dyn_cast<LoadInst>(getUnderlyingObject(Store->getValueOperand()));
    if (Origin && Origin->getPointerOperand() == Variable)
      continue;
    IRBuilder<> B(Store);
    Store->setOperand(0, mark(B, Store->getValueOperand(), Marker));
  }
}

static bool lowerLocal(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call || (Call->getIntrinsicID() != Intrinsic::var_annotation &&
                  Call->getIntrinsicID() != Intrinsic::ptr_annotation))
      continue;
    StringRef Marker = markerFor(textOf(Call->getArgOperand(1)));
    if (Marker.empty())
      continue;
    Value *Slot = Call->getArgOperand(0);
    if (Call->getIntrinsicID() == Intrinsic::ptr_annotation) {
      markLoads(Call, Marker);
      Call->replaceAllUsesWith(Slot);
    } else if (F.hasOptNone()) {
      // The variable stays in memory.
      markLoads(Slot, Marker);
    } else {
      markStores(Slot, Marker);
    }
    Call->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

static bool lowerGlobal(GlobalValue &G, StringRef Text) {
  if (auto *F = dyn_cast<Function>(&G)) {
    if (Text == "fgdsm.nopoll") {
      F->addFnAttr(NoPollAttribute);
      // Inlined, its loops would poll.
      F->addFnAttr(Attribute::NoInline);
      F->removeFnAttr(Attribute::AlwaysInline);
      return true;
    }
    if (Text == "fgdsm.unchecked" || Text == "fgdsm.fetches") {
      F->addFnAttr(Text == "fgdsm.fetches" ? FetchesAttribute
                                           : UncheckedAttribute);
      return true;
    }
    if (Text != "fgdsm.nocheck")
      return false;
    F->addFnAttr(NoCheckAttribute);
    // Inlined, its accesses would seem to be those of code with checks.
    if (!F->hasFnAttribute(Attribute::AlwaysInline))
      F->addFnAttr(Attribute::NoInline);
    for (Instruction &I : instructions(*F))
      if (I.mayReadOrWriteMemory())
        I.setMetadata(NoCheckMetadata, MDNode::get(F->getContext(), {}));
    return true;
  }
  StringRef Marker = markerFor(Text);
  if (Marker.empty() || !isa<GlobalVariable>(G))
    return false;
  markLoads(&G, Marker);
  return true;
}

PreservedAnalyses AnnotationsPass::run(Module &M, ModuleAnalysisManager &MAM) {
  bool Changed = VerifyOption || UnalignedOption;
  Changed |= Hints::get(M.getContext()).applyToAllocations(M);
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    Changed |= lowerLocal(F);
    if (VerifyOption)
      F.addFnAttr(VerifyAttribute);
    if (UnalignedOption)
      F.addFnAttr(UnalignedAttribute);
  }
  if (GlobalVariable *All = M.getGlobalVariable("llvm.global.annotations"))
    if (auto *List = dyn_cast<ConstantArray>(All->getInitializer()))
      for (Value *Operand : List->operands()) {
        auto *Entry = dyn_cast<ConstantStruct>(Operand);
        if (!Entry || Entry->getNumOperands() < 2)
          continue;
        if (auto *G = dyn_cast<GlobalValue>(
                Entry->getOperand(0)->stripPointerCasts()))
          Changed |= lowerGlobal(*G, textOf(Entry->getOperand(1)));
      }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace graupel::fgdsm
