//===- CallGuards.cpp -----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallGuards.h"
#include "Markers.h"
#include "graupel/dsm_checks.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#define DEBUG_TYPE "fgdsm-guards"

using namespace llvm;

STATISTIC(NumDirect, "Direct calls with a guard");
STATISTIC(NumIndirect, "Indirect calls with a guard");
STATISTIC(NumAssembly, "Inline assembly with a guard");
STATISTIC(NumMarked, "Functions with a mark");

namespace graupel::fgdsm {

//===-- Records -----------------------------------------------------------===//

/// Of graupel_dsm_call.
enum Field { Callee, Text, Line, Unknown, Kind };

// In the function itself, not in what was inlined.
static const DILocation *locationOf(const Instruction &I) {
  const DILocation *At = I.getDebugLoc();
  while (At && At->getInlinedAt())
    At = At->getInlinedAt();
  return At;
}

// Templates have names that leave no room for anything else.
static std::string nameOf(const Function &F) {
  constexpr size_t Longest = 160;
  std::string Name = demangle(F.getName());
  if (Name.size() > Longest)
    Name.replace(Longest, std::string::npos, "...");
  return Name;
}

// Callee, caller, file and remedy, each with its end.
static std::string textOf(const Instruction &I, const Function *Callee,
                          StringRef Remedy) {
  const Function &Caller = *I.getFunction();
  std::string Text;
  auto Add = [&](StringRef Part) {
    Text += Part;
    Text += '\0';
  };
  Add(Callee ? nameOf(*Callee) : "");
  Add(nameOf(Caller));
  const DILocation *At = locationOf(I);
  Add(At ? At->getFilename()
         : StringRef(Caller.getParent()->getSourceFileName()));
  Text += Remedy;
  return Text;
}

static GlobalVariable *makeString(Module &M, StringRef Text) {
  Constant *Bytes = ConstantDataArray::getString(M.getContext(), Text);
  auto *G =
      new GlobalVariable(M, Bytes->getType(), true, GlobalValue::PrivateLinkage,
                         Bytes, "gdsm.call.text");
  G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  G->setAlignment(Align(1));
  return G;
}

static GlobalVariable *makeRecord(Instruction &I, uint8_t RecordKind,
                                  Function *Direct, StringRef Remedy) {
  Function &F = *I.getFunction();
  Module &M = *F.getParent();
  LLVMContext &C = M.getContext();
  Type *I8 = Type::getInt8Ty(C), *I32 = Type::getInt32Ty(C);
  auto *Ptr = PointerType::getUnqual(C);
  const DILocation *At = locationOf(I);
  Constant *Null = ConstantPointerNull::get(Ptr);
  auto *Type = StructType::get(C, {Ptr, Ptr, I32, I8, I8});
  Constant *Fields[] = {
      Direct ? Direct : Null, makeString(M, textOf(I, Direct, Remedy)),
      ConstantInt::get(I32, At ? At->getLine() : 0), ConstantInt::get(I8, 1),
      ConstantInt::get(I8, RecordKind)};
  auto *G = new GlobalVariable(M, Type, false, GlobalValue::PrivateLinkage,
                               ConstantStruct::get(Type, Fields), "gdsm.call");
  G->setSection("gdsm_calls");
  G->setAlignment(Align(8));
  // They go if the function goes.
  G->setMetadata(LLVMContext::MD_associated,
                 MDNode::get(C, ValueAsMetadata::get(&F)));
  if (Comdat *Group = F.getComdat())
    G->setComdat(Group);
  return G;
}

//===-- Guards ------------------------------------------------------------===//

static void leaveUnchecked(Instruction *I) {
  I->setMetadata(NoCheckMetadata, MDNode::get(I->getContext(), {}));
}

// Whether the callee may be unknown code.
static Value *emitTest(IRBuilder<> &B, const UnknownCall &U,
                       GlobalVariable *Record) {
  LoadInst *Load;
  Value *Known;
  if (U.Kind == UnknownCall::Indirect) {
    Load = B.CreateAlignedLoad(B.getInt32Ty(), U.Callee, Align(1));
    Known = B.getInt32(GRAUPEL_DSM_MARK);
  } else {
    Load = B.CreateAlignedLoad(
        B.getInt8Ty(),
        B.CreateStructGEP(Record->getValueType(), Record, Unknown), Align(1));
    Known = B.getInt8(0);
  }
  leaveUnchecked(Load);
  return B.CreateICmpNE(Load, Known);
}

static FunctionCallee guardEntry(Module &M) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  return M.getOrInsertFunction(
      GuardEntry,
      FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr, Type::getInt32Ty(C)},
                        /*isVarArg=*/true));
}

static void emitSlowPath(IRBuilder<> &B, const UnknownCall &U,
                         GlobalVariable *Record) {
  Type *Ptr = B.getPtrTy();
  SmallVector<Value *, 8> Arguments = {
      Record,
      U.Kind == UnknownCall::Assembly ? ConstantPointerNull::get(B.getPtrTy())
                                      : U.Callee,
      B.getInt32(U.Pointers.size() + U.Slots.size())};
  append_range(Arguments, U.Pointers);
  for (const UnknownCall::Slot &S : U.Slots) {
    LoadInst *Held = B.CreateAlignedLoad(
        Ptr, B.CreateConstGEP1_64(B.getInt8Ty(), S.Object, S.Offset), Align(1));
    leaveUnchecked(Held);
    Arguments.push_back(Held);
  }
  B.CreateCall(guardEntry(*Record->getParent()), Arguments);
}

void guardCall(const UnknownCall &U, DomTreeUpdater &DTU, LoopInfo &LI) {
  GlobalVariable *Record = makeRecord(
      *U.Call, U.Kind,
      U.Kind == UnknownCall::Direct ? U.Call->getCalledFunction() : nullptr,
      U.Remedy);
  IRBuilder<> B(U.Call);
  MDNode *Unlikely = MDBuilder(B.getContext()).createUnlikelyBranchWeights();
  switch (U.Kind) {
  case UnknownCall::Direct:
    ++NumDirect;
    break;
  case UnknownCall::Indirect:
    ++NumIndirect;
    break;
  case UnknownCall::Assembly:
    ++NumAssembly;
    // There is nothing that could be known.
    return emitSlowPath(B, U, Record);
  }
  Value *Test = emitTest(B, U, Record);
  B.SetInsertPoint(SplitBlockAndInsertIfThen(Test, U.Call->getIterator(), false,
                                             Unlikely, &DTU, &LI));
  B.SetCurrentDebugLocation(U.Call->getDebugLoc());
  emitSlowPath(B, U, Record);
}

void guardResult(ReturnInst &Return) {
  IRBuilder<> B(&Return);
  GlobalVariable *Record =
      makeRecord(Return, GRAUPEL_DSM_CALL_RESULT, nullptr, "");
  B.CreateCall(guardEntry(*Record->getParent()),
               {Record, ConstantPointerNull::get(B.getPtrTy()), B.getInt32(1),
                Return.getReturnValue()});
}

//===-- Marks -------------------------------------------------------------===//

// Guards look where pointers are passed.
static bool mayGetPointer(const Function &F) {
  return F.isVarArg() || any_of(F.args(), [](const Argument &A) {
           Type *T = A.getType();
           return !T->isFPOrFPVectorTy() &&
                  !(T->isIntegerTy() && T->getIntegerBitWidth() < 64);
         });
}

// A function without checks because the program says so is marked, too.
void markFunction(Function &F) {
  if ((F.hasLocalLinkage() && !F.hasAddressTaken()) || !mayGetPointer(F))
    return;
  ++NumMarked;
  LLVMContext &C = F.getContext();
  // test $0x4d534447, %eax
  Constant *Mark =
      ConstantDataArray::getString(C, "\xa9GDSM", /*AddNull=*/false);
  if (F.hasPrologueData())
    Mark = ConstantStruct::getAnon({Mark, F.getPrologueData()}, true);
  F.setPrologueData(Mark);
}

} // namespace graupel::fgdsm
