//===- ProgramArguments.cpp -----------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows all uses of an array that main gets, also into functions of the
// module. Each use has to be one that is known to store nothing but private
// pointers; what is not known ends the search.
//
//===----------------------------------------------------------------------===//

#include "ProgramArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace graupel::fgdsm {

using PointerTest = function_ref<bool(const Value *)>;
using Places = SmallVectorImpl<const Value *>;

static bool isHarmlessValue(const Value *V, PointerTest IsPrivate) {
  return V->getType()->isPtrOrPtrVectorTy() ? IsPrivate(V)
                                            : isa<ConstantData>(V);
}

// Functions that only read the array, or change the order of what it holds.
static bool isHarmlessName(StringRef Name, unsigned Index) {
  Name.consume_front("graupel_dsm_");
  return StringSwitch<bool>(Name)
      .Cases({"getopt", "getopt_long", "getopt_long_only"}, Index == 1)
      .Cases({"memcpy", "memmove", "mempcpy"}, Index == 1)
      .Case("guard", true)
      .Default(false);
}

static bool followCall(const CallBase &Call, const Use &U, Places &Next) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Call.isArgOperand(&U))
    return Callee && Call.isBundleOperand(&U);
  unsigned Index = Call.getArgOperandNo(&U);
  if (isa<AnyMemTransferInst>(Call))
    return Index == 1;
  if (auto *Fill = dyn_cast<AnyMemSetInst>(&Call))
    return isa<ConstantInt>(Fill->getValue());
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call);
      Intrinsic && Intrinsic->isAssumeLikeIntrinsic())
    return true;
  if (Callee->hasExactDefinition() && Index < Callee->arg_size()) {
    Next.push_back(Callee->getArg(Index));
    return true;
  }
  return (Call.doesNotCapture(Index) && Call.onlyReadsMemory(Index)) ||
         (Callee->isDeclaration() && isHarmlessName(Callee->getName(), Index));
}

static bool follow(const Use &U, PointerTest IsPrivate, Places &Next) {
  const User *By = U.getUser();
  if (isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst>(By) ||
      isa<PHINode, SelectInst, FreezeInst>(By)) {
    Next.push_back(By);
    return true;
  }
  if (auto *Store = dyn_cast<StoreInst>(By))
    return U.getOperandNo() == StoreInst::getPointerOperandIndex() &&
           isHarmlessValue(Store->getValueOperand(), IsPrivate);
  if (auto *Call = dyn_cast<CallBase>(By))
    return followCall(*Call, U, Next);
  return isa<LoadInst, ICmpInst>(By);
}

bool holdsOnlyPrivate(const Argument &Array, PointerTest IsPrivate) {
  SmallVector<const Value *, 8> Worklist{&Array};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Worklist.empty()) {
    const Value *V = Worklist.pop_back_val();
    if (Seen.insert(V).second && !all_of(V->uses(), [&](const Use &U) {
          return follow(U, IsPrivate, Worklist);
        }))
      return false;
  }
  return true;
}

} // namespace graupel::fgdsm
