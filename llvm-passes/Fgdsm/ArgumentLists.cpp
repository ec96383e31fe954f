//===- ArgumentLists.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArgumentLists.h"
#include "HeldPointers.h"
#include "LibraryCalls.h"
#include "Markers.h"
#include "graupel/dsm_checks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace graupel::fgdsm {

// By va_start, or as the destination of va_copy.
static bool isBegun(const Value *Address) {
  return any_of(Address->users(), [&](const User *U) {
    if (auto *GEP = dyn_cast<GEPOperator>(U))
      return GEP->hasAllZeroIndices() && isBegun(GEP);
    auto *I = dyn_cast<IntrinsicInst>(U);
    return I && I->getArgOperand(0) == Address &&
           (I->getIntrinsicID() == Intrinsic::vastart ||
            I->getIntrinsicID() == Intrinsic::vacopy);
  });
}

static bool mayBeList(const Value *Pointer, unsigned Depth) {
  const Value *Object = getUnderlyingObject(Pointer);
  if (isa<AllocaInst>(Object))
    return isBegun(Object);
  auto *A = dyn_cast<Argument>(Object);
  return A && Depth && any_of(A->getParent()->uses(), [&](const Use &U) {
           auto *Call = dyn_cast<CallBase>(U.getUser());
           return Call && Call->isCallee(&U) &&
                  Call->arg_size() > A->getArgNo() &&
                  mayBeList(Call->getArgOperand(A->getArgNo()), Depth - 1);
         });
}

bool mayBeList(const Value *Pointer, const Module &M) {
  constexpr unsigned MostCallers = 3;
  return M.getFunction("llvm.va_start.p0") && mayBeList(Pointer, MostCallers);
}

//===-- Ends --------------------------------------------------------------===//

// Whether a callee may hand on its arguments in a list.
static bool mayMakeList(const CallBase &Call) {
  if (!Call.getFunctionType()->isVarArg() || Call.isInlineAsm() ||
      Call.isMustTailCall() || isa<CallBrInst>(Call) ||
      Call.hasMetadata(NoCheckMetadata))
    return false;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return true;
  return !Callee->isIntrinsic() &&
         !(Callee->isDeclaration() &&
           fateOf(Callee->getName()).Kind != LibraryFate::Unlisted);
}

static void endList(CallBase &Call) {
  SmallVector<Value *, 8> Arguments(Call.args());
  Arguments.push_back(ConstantInt::get(Type::getInt64Ty(Call.getContext()),
                                       GRAUPEL_DSM_LIST_END));
  SmallVector<OperandBundleDef, 1> Bundles;
  Call.getOperandBundlesAsDefs(Bundles);
  CallBase *Ended;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    Ended = InvokeInst::Create(Call.getFunctionType(), Call.getCalledOperand(),
                               Invoke->getNormalDest(), Invoke->getUnwindDest(),
                               Arguments, Bundles, "", Call.getIterator());
  } else {
    auto *Plain =
        CallInst::Create(Call.getFunctionType(), Call.getCalledOperand(),
                         Arguments, Bundles, "", Call.getIterator());
    Plain->setTailCallKind(cast<CallInst>(Call).getTailCallKind());
    Ended = Plain;
  }
  Ended->setCallingConv(Call.getCallingConv());
  Ended->setAttributes(Call.getAttributes());
  Ended->copyMetadata(Call);
  Ended->takeName(&Call);
  Call.replaceAllUsesWith(Ended);
  Call.eraseFromParent();
}

bool endLists(Function &F, const PointerPrivacy &Privacy) {
  SmallVector<CallBase *, 4> Calls;
  {
    HeldPointers Held(F, Privacy);
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && mayMakeList(*Call))
        if (any_of(drop_begin(Call->args(),
                              Call->getFunctionType()->getNumParams()),
                   [&](Value *V) { return Held.mayHold(V); }))
          Calls.push_back(Call);
  }
  for (CallBase *Call : Calls)
    endList(*Call);
  return !Calls.empty();
}

} // namespace graupel::fgdsm
