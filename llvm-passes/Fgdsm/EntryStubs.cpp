//===- EntryStubs.cpp -----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Entries are what is declared with the calling convention of slow paths.
// 2. Each gets a stub that does nothing but a tail call, so that the return
//    address stays that of the access, which reports tell. All modules of a
//    linked file share it.
// 3. Calls of the entry become calls of the stub. It is listed as a function
//    that is to have no checks.
// 4. Addresses of sets and of their descriptions are assembly, which code
//    generation does not take out of loops.
//
//===----------------------------------------------------------------------===//

#include "EntryStubs.h"
#include "Markers.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace graupel::fgdsm {

static bool isEntry(const Function &F) {
  return F.isDeclaration() && F.getCallingConv() == CallingConv::PreserveAll &&
         F.getName().starts_with("graupel_dsm_");
}

static Function *makeStub(Function &Entry) {
  Module &M = *Entry.getParent();
  std::string Name = (Entry.getName() + ".stub").str();
  if (Function *Known = M.getFunction(Name))
    return Known;
  Function *Stub = Function::Create(Entry.getFunctionType(),
                                    GlobalValue::LinkOnceODRLinkage, Name, M);
  Stub->setVisibility(GlobalValue::HiddenVisibility);
  Stub->setDSOLocal(true);
  Stub->setComdat(M.getOrInsertComdat(Name));
  Stub->setCallingConv(CallingConv::PreserveAll);
  Stub->setDoesNotThrow();
  Stub->addFnAttr(Attribute::NoInline);
  Stub->addFnAttr(Attribute::Cold);
  Stub->addFnAttr(DoneAttribute);
  Stub->addFnAttr(NoCheckAttribute);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "", Stub));
  SmallVector<Value *, 2> Arguments;
  for (Argument &A : Stub->args())
    Arguments.push_back(&A);
  CallInst *Call = B.CreateCall(&Entry, Arguments);
  Call->setCallingConv(CallingConv::PreserveAll);
  Call->setTailCallKind(CallInst::TCK_MustTail);
  B.CreateRetVoid();
  return Stub;
}

//===-- Addresses ---------------------------------------------------------===//

static constexpr char AddressText[] = "leaq ${1:a}, $0",
                      PlaceText[] = "leaq $1, $0";

bool isAddressAssembly(const InlineAsm &Assembly) {
  return Assembly.getAsmString() == AddressText ||
         Assembly.getAsmString() == PlaceText;
}

static CallInst *assemble(IRBuilder<> &B, Value *Address, const char *Text,
                          const char *Constraints) {
  Type *T = Address->getType();
  return B.CreateCall(InlineAsm::get(FunctionType::get(T, T, false), Text,
                                     Constraints, /*hasSideEffects=*/true),
                      Address);
}

// Where the words of a set are, and what they mean: a place on the stack and
// data of this module.
static void keepAddresses(CallBase &Call) {
  IRBuilder<> B(&Call);
  for (Use &U : Call.args()) {
    if (auto *Place = dyn_cast<AllocaInst>(U)) {
      CallInst *Address = assemble(B, Place, PlaceText, "=r,*m");
      Address->addParamAttr(0, Attribute::get(B.getContext(),
                                              Attribute::ElementType,
                                              Place->getAllocatedType()));
      U.set(Address);
    } else if (auto *Data = dyn_cast<GlobalVariable>(U);
               Data && Data->hasPrivateLinkage()) {
      U.set(assemble(B, Data, AddressText, "=r,i"));
    }
  }
}

//===-- All ---------------------------------------------------------------===//

PreservedAnalyses EntryStubsPass::run(Module &M, ModuleAnalysisManager &) {
  // Data may be out of reach of an instruction in other models.
  const bool IsNear =
      M.getCodeModel().value_or(CodeModel::Small) <= CodeModel::Kernel;
  SmallVector<Function *, 8> Entries;
  for (Function &F : M)
    if (isEntry(F))
      Entries.push_back(&F);
  for (Function *Entry : Entries) {
    Function *Stub = makeStub(*Entry);
    for (User *U : make_early_inc_range(Entry->users()))
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && Call->getCalledOperand() == Entry &&
          Call->getFunction() != Stub) {
        Call->setCalledFunction(Stub);
        if (IsNear)
          keepAddresses(*Call);
      }
  }
  return Entries.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace graupel::fgdsm
