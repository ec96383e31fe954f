//===- Numa/ReadCopies.cpp - Loads read the nearest copy ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadCopies.h"
#include "graupel/numa_copies.h"
#include "llvm/ADT/MapVector.h"
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

/// What an address is computed from, or null if that is a variable.
static Value *baseOf(Value *Address) {
  Value *Base = Address->getType()->isVectorTy()
                    ? Address
                    : getUnderlyingObject(Address, /*MaxLookup=*/0);
  return isa<AllocaInst, Constant>(Base) ? nullptr : Base;
}

namespace {

class Rewriter {
public:
  explicit Rewriter(Function &F) : F(F) {}
  bool run();

private:
  Value *distance();
  /// What is to be added to addresses with that base; null if there is no place
  /// to compute it.
  Value *addedTo(Value *Base);

  Function &F;
  Value *Distance = nullptr;
  DenseMap<Value *, Value *> Added;
};

} // namespace

Value *Rewriter::distance() {
  if (Distance)
    return Distance;
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  Module &M = *F.getParent();
  auto *Variable = cast<GlobalVariable>(
      M.getOrInsertGlobal(GRAUPEL_NUMA_DISTANCE, B.getInt64Ty()));
  Variable->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
  return Distance =
             B.CreateLoad(B.getInt64Ty(), B.CreateThreadLocalAddress(Variable));
}

Value *Rewriter::addedTo(Value *Base) {
  auto [Found, New] = Added.try_emplace(Base);
  if (!New)
    return Found->second;
  Value *By = distance();
  BasicBlock::iterator Where = F.getEntryBlock().getFirstInsertionPt();
  if (auto *I = dyn_cast<Instruction>(Base)) {
    auto After = I->getInsertionPointAfterDef();
    if (!After)
      return nullptr;
    Where = *After;
    // The distance is loaded where the function begins.
    auto *Loaded = cast<Instruction>(By);
    if (I->getParent() == Loaded->getParent() &&
        Where != Loaded->getParent()->end() && Where->comesBefore(Loaded))
      Where = std::next(Loaded->getIterator());
  } else {
    Where = std::next(cast<Instruction>(By)->getIterator());
  }
  IRBuilder<> B(Where->getParent(), Where);
  Type *Whole = B.getInt64Ty();
  if (auto *Lanes = dyn_cast<VectorType>(Base->getType())) {
    Whole = VectorType::get(Whole, Lanes->getElementCount());
    By = B.CreateVectorSplat(Lanes->getElementCount(), By);
  }
  Value *Window =
      B.CreateLShr(B.CreatePtrToInt(Base, Whole),
                   ConstantInt::get(Whole, GRAUPEL_NUMA_WINDOW_SHIFT));
  Value *Is = B.CreateICmpEQ(
      Window, ConstantInt::get(Whole, GRAUPEL_NUMA_WINDOW_NUMBER));
  // B may have moved the map.
  return Added[Base] = B.CreateSelect(Is, By, Constant::getNullValue(Whole));
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

PreservedAnalyses ReadCopiesPass::run(Function &F, FunctionAnalysisManager &) {
  if (F.hasFnAttribute(Attribute::Naked) || !Rewriter(F).run())
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}
