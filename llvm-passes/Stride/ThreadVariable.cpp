//===- ThreadVariable.cpp -------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps a variable of the thread in registers, or in memory, of a function.
//
// 1. Find or make the variable in memory (sharedVariable): an initial-exec
//    declaration in code of libraries, a weak local-exec definition in
//    executables.
// 2. The constructor makes an alloca for the value. get and set access it, or
//    memory after stayInMemory.
// 3. keep: spill the value before calls that may record and reload it behind
//    them, at the normal destination of an invoke and at landing pads. Spill it
//    before the function is left.
// 4. promote: make registers of the alloca. Erase spills of values that come
//    from reloads only, and reloads that are not used.
// 5. callRuntime, apart from these: make a cold call of the runtime that
//    preserves registers.
//
//===----------------------------------------------------------------------===//

#include "ThreadVariable.h"
#include "Plan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace graupel::stride {

// Code of executables has a definition of its own, which is the process's then:
// its distance from the thread pointer is a constant, nothing is loaded.
static GlobalVariable *sharedVariable(Module &M, Constant *Initial,
                                      StringRef Name) {
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return Known;
  if (M.getPICLevel() != PICLevel::NotPIC &&
      M.getPIELevel() == PIELevel::Default)
    return new GlobalVariable(M, Initial->getType(), false,
                              GlobalValue::ExternalLinkage, nullptr, Name,
                              nullptr, GlobalValue::InitialExecTLSModel);
  auto *Own = new GlobalVariable(M, Initial->getType(), false,
                                 GlobalValue::WeakAnyLinkage, Initial, Name,
                                 nullptr, GlobalValue::LocalExecTLSModel);
  Own->setDSOLocal(true);
  return Own;
}

ThreadVariable::ThreadVariable(Function &F, Constant *Initial, StringRef Name)
    : F(F), T(Initial->getType()),
      Shared(sharedVariable(*F.getParent(), Initial, Name)) {
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  Local = B.CreateAlloca(T, nullptr, Name);
}

void ThreadVariable::stayInMemory() {
  Local->eraseFromParent();
  Local = nullptr;
}

Value *ThreadVariable::place(IRBuilderBase &B) const {
  if (Local)
    return Local;
  return B.CreateThreadLocalAddress(Shared);
}

LoadInst *ThreadVariable::get(IRBuilderBase &B) const {
  return B.CreateLoad(T, place(B));
}

void ThreadVariable::set(IRBuilderBase &B, Value *V) const {
  B.CreateStore(V, place(B));
}

void ThreadVariable::spill(Instruction *Before) {
  IRBuilder<> B(Before);
  Value *Address = B.CreateThreadLocalAddress(Shared);
  Spills.push_back(B.CreateStore(get(B), Address));
}

void ThreadVariable::reload(BasicBlock::iterator Before) {
  if (!Local)
    return;
  IRBuilder<> B(Before->getParent(), Before);
  if (F.getSubprogram())
    B.SetCurrentDebugLocation(
        DILocation::get(F.getContext(), 0, 0, F.getSubprogram()));
  LoadInst *Load = B.CreateLoad(T, B.CreateThreadLocalAddress(Shared));
  Reloads.insert(Load);
  set(B, Load);
}

static bool isRuntime(const CallInst *Call) {
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName().starts_with("graupel_stride_");
}

void ThreadVariable::keep(ArrayRef<BasicBlock *> Blocks,
                          const TargetLibraryInfo &Library) {
  if (!Local)
    return;
  SmallVector<Instruction *, 16> Calls, Ends;
  SmallVector<BasicBlock *, 4> Pads;
  for (BasicBlock *BB : Blocks) {
    if (BB->isLandingPad())
      Pads.push_back(BB);
    for (Instruction &I : *BB) {
      if (mayRecord(I, Library) && !isRuntime(dyn_cast<CallInst>(&I)))
        Calls.push_back(&I);
      if (isa<ReturnInst, ResumeInst>(I))
        Ends.push_back(&I);
    }
  }
  for (Instruction *I : Calls) {
    auto *Call = dyn_cast<CallInst>(I);
    spill(I);
    if (Call && !Call->isMustTailCall()) {
      reload(std::next(I->getIterator()));
    } else if (auto *Invoke = dyn_cast<InvokeInst>(I)) {
      BasicBlock *To = Invoke->getNormalDest();
      if (!To->getSinglePredecessor())
        To = SplitEdge(Invoke->getParent(), To);
      reload(To->getFirstInsertionPt());
    }
  }
  for (BasicBlock *Pad : Pads)
    reload(Pad->getFirstInsertionPt());
  for (Instruction *I : Ends)
    if (!I->getParent()->getTerminatingMustTailCall())
      spill(I);
}

// A value that was loaded from memory and not moved is in memory already.
bool ThreadVariable::isReload(Value *V, SmallPtrSetImpl<Value *> &Seen) const {
  if (!Seen.insert(V).second)
    return true;
  if (auto *Phi = dyn_cast<PHINode>(V))
    return all_of(Phi->incoming_values(),
                  [&](Value *In) { return isReload(In, Seen); });
  auto *Load = dyn_cast<LoadInst>(V);
  return Load && Reloads.contains(Load);
}

template <class Access> static void eraseAccess(Access *A) {
  auto *Address = cast<Instruction>(A->getPointerOperand());
  A->eraseFromParent();
  if (Address->use_empty())
    Address->eraseFromParent();
}

void ThreadVariable::promote(DominatorTree &DT) {
  if (!Local)
    return;
  PromoteMemToReg({Local}, DT);
  for (StoreInst *S : Spills) {
    SmallPtrSet<Value *, 8> Seen;
    if (isReload(S->getValueOperand(), Seen))
      eraseAccess(S);
  }
  for (LoadInst *L : Reloads)
    if (L->use_empty())
      eraseAccess(L);
}

CallInst *callRuntime(IRBuilderBase &B, StringRef Name,
                      ArrayRef<Value *> Arguments) {
  Function &Caller = *B.GetInsertBlock()->getParent();
  SmallVector<Type *, 3> Types;
  for (const Value *Each : Arguments)
    Types.push_back(Each->getType());
  FunctionCallee Runtime = Caller.getParent()->getOrInsertFunction(
      Name, FunctionType::get(B.getPtrTy(), Types, false));
  auto *Callee = cast<Function>(Runtime.getCallee());
  Callee->setCallingConv(CallingConv::PreserveAll);
  Callee->setDoesNotThrow();
  Callee->addFnAttr(Attribute::Cold);
  // The dynamic linker's lazy binding preserves less.
  Callee->addFnAttr(Attribute::NonLazyBind);
  CallInst *Call = B.CreateCall(Runtime, Arguments);
  Call->setCallingConv(CallingConv::PreserveAll);
  if (DISubprogram *P = Caller.getSubprogram(); P && !Call->getDebugLoc())
    Call->setDebugLoc(DILocation::get(Caller.getContext(), 0, 0, P));
  return Call;
}

} // namespace graupel::stride
