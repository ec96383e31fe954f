//===- LoadSinking.cpp ----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//  1. Candidates are simple loads of one use in their block that need no check:
//     they are private, or a strip's range covers them.
//  2. The use must be able to take them as its second operand, or commute.
//  3. One moves if what stands between has an access that may get a check, and
//     nothing that writes memory or might not go on.
//
//===----------------------------------------------------------------------===//

#include "LoadSinking.h"
#include "Access.h"
#include "StripMining.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace graupel::fgdsm {

// The use of V behind it in its block, if it is the only one.
static Instruction *onlyUse(Instruction &V) {
  auto *Use = V.hasOneUse() ? cast<Instruction>(V.user_back()) : nullptr;
  return Use && Use->getParent() == V.getParent() && !isa<PHINode>(Use)
             ? Use
             : nullptr;
}

// The negation between a load and the arithmetic that uses it, which can take
// the sign in.
static UnaryOperator *signOf(LoadInst &Load) {
  return dyn_cast_or_null<UnaryOperator>(onlyUse(Load));
}

// The arithmetic that might take the load as a memory operand.
static Instruction *useOf(LoadInst &Load) {
  Instruction *Operand = &Load;
  if (UnaryOperator *Sign = signOf(Load))
    Operand = Sign;
  Instruction *Use = Load.isSimple() ? onlyUse(*Operand) : nullptr;
  if (auto *Call = dyn_cast_or_null<IntrinsicInst>(Use))
    return Call->getIntrinsicID() == Intrinsic::fmuladd ? Use : nullptr;
  auto *Operator = dyn_cast_or_null<BinaryOperator>(Use);
  bool CanTake = Operator && !Operator->isShift() && !Operator->isIntDivRem() &&
                 (Operator->isCommutative() || Use->getOperand(1) == Operand);
  return CanTake ? Use : nullptr;
}

// Whether Load may pass what stands between, and is to.
static bool maySink(const LoadInst &Load, const Instruction &Use,
                    const DenseSet<const Instruction *> &Checked) {
  bool Passes = false;
  for (const Instruction &I :
       make_range(std::next(Load.getIterator()), Use.getIterator())) {
    if (I.mayWriteToMemory() || !isGuaranteedToTransferExecutionToSuccessor(&I))
      return false;
    Passes |= Checked.contains(&I);
  }
  return Passes;
}

void sinkLoads(Function &F, const PointerPrivacy &Privacy) {
  DenseSet<const Instruction *> Checked;
  SmallVector<LoadInst *, 16> Candidates;
  for (const Access &A : collectAccesses(F, Privacy)) {
    auto *Load = dyn_cast<LoadInst>(A.Inst);
    if (A.isPrivate() || A.Inst->hasMetadata(CoveredMetadataName)) {
      if (Load && useOf(*Load))
        Candidates.push_back(Load);
    } else {
      Checked.insert(A.Inst);
    }
  }
  for (LoadInst *Load : Candidates) {
    Instruction *Use = useOf(*Load);
    if (!Use || !maySink(*Load, *Use, Checked))
      continue;
    UnaryOperator *Sign = signOf(*Load);
    Load->moveBefore(Use->getIterator());
    if (Sign)
      Sign->moveBefore(Use->getIterator());
  }
}

} // namespace graupel::fgdsm
