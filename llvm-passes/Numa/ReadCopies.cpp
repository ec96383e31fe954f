//===- Numa/ReadCopies.cpp - Loads read the nearest copy ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes loads read the copy of the thread's node where there are copies.
//
// 1. Collect simple loads, sources of copies, masked loads and gathers whose
//    base may have copies: not the stack, nor constants, nor thread-local or
//    small variables (loadedThrough, baseOf).
// 2. Load the thread's distance and the range of variables with copies where
//    the function begins (load), once there is a base.
// 3. Behind each base, test whether it lies in the window of replicated memory,
//    or in the range of variables, and select the distance or 0 (addedTo).
//    Within loops a base that is no global is not compared with that range.
// 4. Add the selected number to the address of each load of the base (run). A
//    base that nothing can be inserted behind is skipped.
//
//===----------------------------------------------------------------------===//

#include "ReadCopies.h"
#include "graupel/numa_copies.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace graupel::numa;

/// The operand through which an instruction loads, if that can be another one.
static Use *loadedThrough(Instruction &I) {
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->isSimple() && L->getPointerAddressSpace() == 0
               ? &L->getOperandUse(0)
               : nullptr;
  if (auto *M = dyn_cast<MemTransferInst>(&I))
    return M->isVolatile() || M->getSourceAddressSpace()
               ? nullptr
               : &M->getRawSourceUse();
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call || (Call->getIntrinsicID() != Intrinsic::masked_load &&
                Call->getIntrinsicID() != Intrinsic::masked_gather))
    return nullptr;
  Type *Address = Call->getArgOperand(0)->getType()->getScalarType();
  return Address->getPointerAddressSpace() == 0 ? &Call->getArgOperandUse(0)
                                                : nullptr;
}

/// The size of a declaration may be unknown.
static bool mayHaveCopies(const GlobalVariable &G) {
  if (G.isThreadLocal() || G.isConstant() || G.getAddressSpace() != 0 ||
      !G.getValueType()->isSized())
    return false;
  uint64_t Bytes = G.getDataLayout().getTypeAllocSize(G.getValueType());
  return Bytes >= GRAUPEL_NUMA_LEAST_DATA || (!Bytes && G.isDeclaration());
}

/// The base from which an address is computed, or null if the base never has
/// copies.
static Value *baseOf(Value *Address) {
  Value *Base = Address->getType()->isVectorTy()
                    ? Address
                    : getUnderlyingObject(Address, /*MaxLookup=*/0);
  if (auto *G = dyn_cast<GlobalVariable>(Base))
    return mayHaveCopies(*G) ? Base : nullptr;
  return isa<AllocaInst, Constant>(Base) ? nullptr : Base;
}

namespace {

class Rewriter {
public:
  Rewriter(Function &F, const LoopInfo &LI) : F(F), LI(LI) {}
  bool run();

private:
  void load();
  Value *isInData(IRBuilder<> &B, Value *Bits);
  /// The distance to add to addresses with that base; null if there is no place
  /// to compute it.
  Value *addedTo(Value *Base);

  Function &F;
  const LoopInfo &LI;
  /// Loaded where the function begins, the last one behind the others.
  Value *Distance = nullptr, *DataStart = nullptr;
  Instruction *DataBytes = nullptr;
  DenseMap<Value *, Value *> Added;
};

} // namespace

void Rewriter::load() {
  if (Distance)
    return;
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  Module &M = *F.getParent();
  auto *Variable = cast<GlobalVariable>(
      M.getOrInsertGlobal(GRAUPEL_NUMA_DISTANCE, B.getInt64Ty()));
  Variable->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
  Distance = B.CreateLoad(B.getInt64Ty(), B.CreateThreadLocalAddress(Variable));
  Type *Range = StructType::get(B.getInt64Ty(), B.getInt64Ty());
  Constant *Data = M.getOrInsertGlobal(GRAUPEL_NUMA_DATA, Range);
  DataStart = B.CreateLoad(B.getInt64Ty(), Data);
  DataBytes = B.CreateLoad(B.getInt64Ty(), B.CreateStructGEP(Range, Data, 1));
}

Value *Rewriter::isInData(IRBuilder<> &B, Value *Bits) {
  Value *Start = DataStart, *Bytes = DataBytes;
  if (auto *Lanes = dyn_cast<VectorType>(Bits->getType())) {
    Start = B.CreateVectorSplat(Lanes->getElementCount(), Start);
    Bytes = B.CreateVectorSplat(Lanes->getElementCount(), Bytes);
  }
  return B.CreateICmpULT(B.CreateSub(Bits, Start), Bytes);
}

Value *Rewriter::addedTo(Value *Base) {
  auto [Found, New] = Added.try_emplace(Base);
  if (!New)
    return Found->second;
  load();
  Value *By = Distance;
  BasicBlock::iterator Where = F.getEntryBlock().getFirstInsertionPt();
  if (auto *I = dyn_cast<Instruction>(Base)) {
    auto After = I->getInsertionPointAfterDef();
    if (!After)
      return nullptr;
    Where = *After;
    if (I->getParent() == DataBytes->getParent() &&
        Where != DataBytes->getParent()->end() && Where->comesBefore(DataBytes))
      Where = std::next(DataBytes->getIterator());
  } else {
    Where = std::next(DataBytes->getIterator());
  }
  IRBuilder<> B(Where->getParent(), Where);
  Type *Whole = B.getInt64Ty();
  if (auto *Lanes = dyn_cast<VectorType>(Base->getType())) {
    Whole = VectorType::get(Whole, Lanes->getElementCount());
    By = B.CreateVectorSplat(Lanes->getElementCount(), By);
  }
  Value *Bits = B.CreatePtrToInt(Base, Whole);
  Value *HasCopy = nullptr;
  if (!isa<GlobalVariable>(Base)) {
    Value *Window =
        B.CreateLShr(Bits, ConstantInt::get(Whole, GRAUPEL_NUMA_WINDOW_SHIFT));
    HasCopy = B.CreateICmpEQ(
        Window, ConstantInt::get(Whole, GRAUPEL_NUMA_WINDOW_NUMBER));
  }
  // A base that changes in each iteration of a loop is hardly ever a large
  // variable: not worth another comparison.
  if (!HasCopy || !LI.getLoopFor(Where->getParent())) {
    Value *InData = isInData(B, Bits);
    HasCopy = HasCopy ? B.CreateOr(HasCopy, InData) : InData;
  }
  // B may have moved the map.
  return Added[Base] =
             B.CreateSelect(HasCopy, By, Constant::getNullValue(Whole));
}

bool Rewriter::run() {
  SmallVector<Use *> Loads;
  for (Instruction &I : instructions(F))
    if (Use *U = loadedThrough(I))
      if (baseOf(U->get()))
        Loads.push_back(U);
  for (Use *U : Loads) {
    Value *By = addedTo(baseOf(U->get()));
    if (!By)
      continue;
    IRBuilder<> B(cast<Instruction>(U->getUser()));
    U->set(B.CreateGEP(B.getInt8Ty(), U->get(), By));
  }
  return !Loads.empty();
}

PreservedAnalyses ReadCopiesPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  if (F.hasFnAttribute(Attribute::Naked) ||
      !Rewriter(F, FAM.getResult<LoopAnalysis>(F)).run())
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}
