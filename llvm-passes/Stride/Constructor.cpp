//===- Constructor.cpp ----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not llvm.global_ctors: what flang makes of it (.ctors) is not called.
//
//===----------------------------------------------------------------------===//

#include "Constructor.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace graupel::stride {

void addConstructor(Module &M, StringRef Name, bool IsShared, StringRef Callee,
                    ArrayRef<Constant *> Arguments) {
  LLVMContext &C = M.getContext();
  auto Linkage =
      IsShared ? GlobalValue::LinkOnceODRLinkage : GlobalValue::InternalLinkage;
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), false),
                             Linkage, Name, M);
  auto *Slot =
      new GlobalVariable(M, F->getType(), true, Linkage, F, Name + ".slot");
  Slot->setSection(".init_array.0");
  if (IsShared)
    for (GlobalObject *G :
         {static_cast<GlobalObject *>(F), static_cast<GlobalObject *>(Slot)}) {
      G->setVisibility(GlobalValue::HiddenVisibility);
      G->setComdat(M.getOrInsertComdat(Name));
    }
  appendToCompilerUsed(M, Slot);

  IRBuilder<> B(BasicBlock::Create(C, "", F));
  SmallVector<Type *, 2> Types;
  for (Constant *Each : Arguments)
    Types.push_back(Each->getType());
  SmallVector<Value *, 2> Values(Arguments.begin(), Arguments.end());
  B.CreateCall(M.getOrInsertFunction(
                   Callee, FunctionType::get(B.getVoidTy(), Types, false)),
               Values);
  B.CreateRetVoid();
}

} // namespace graupel::stride
