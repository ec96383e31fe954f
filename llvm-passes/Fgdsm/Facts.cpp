//===- Facts.cpp ----------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Facts.h"
#include "StripMining.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace graupel::fgdsm {

// Takes the constant part out of an address.
static const SCEV *splitConstant(const SCEV *S, int64_t &Constant,
                                 ScalarEvolution &SE) {
  if (auto *C = dyn_cast<SCEVConstant>(S)) {
    if (C->getAPInt().getSignificantBits() > 48)
      return S;
    Constant += C->getAPInt().getSExtValue();
    return SE.getZero(S->getType());
  }
  if (auto *Add = dyn_cast<SCEVAddExpr>(S)) {
    SmallVector<const SCEV *, 4> Rest;
    for (const SCEV *Operand : Add->operands())
      if (isa<SCEVConstant, SCEVMulExpr, SCEVAddRecExpr>(Operand))
        Rest.push_back(splitConstant(Operand, Constant, SE));
      else
        Rest.push_back(Operand);
    return SE.getAddExpr(Rest);
  }
  // Scalar evolution leaves 16 * (1 + a + b) as it is.
  if (auto *Mul = dyn_cast<SCEVMulExpr>(S); Mul && Mul->getNumOperands() == 2) {
    auto *Factor = dyn_cast<SCEVConstant>(Mul->getOperand(0));
    if (!Factor || Factor->getAPInt().getSignificantBits() > 32)
      return S;
    int64_t Inner = 0;
    const SCEV *Rest = splitConstant(Mul->getOperand(1), Inner, SE);
    if (Inner == 0 || Inner != int32_t(Inner))
      return S;
    Constant += Inner * Factor->getAPInt().getSExtValue();
    return SE.getMulExpr(Factor, Rest);
  }
  if (auto *Rec = dyn_cast<SCEVAddRecExpr>(S)) {
    const SCEV *Start = splitConstant(Rec->getStart(), Constant, SE);
    if (Start == Rec->getStart())
      return S;
    SmallVector<const SCEV *, 4> Operands(Rec->operands());
    Operands[0] = Start;
    return SE.getAddRecExpr(Operands, Rec->getLoop(), SCEV::FlagAnyWrap);
  }
  return S;
}

static void findRedefinitions(AddressBase &Base) {
  struct Visitor {
    AddressBase &Base;
    bool follow(const SCEV *S) {
      if (auto *Rec = dyn_cast<SCEVAddRecExpr>(S))
        Base.Loops.push_back(Rec->getLoop());
      else if (auto *Unknown = dyn_cast<SCEVUnknown>(S))
        if (auto *I = dyn_cast<Instruction>(Unknown->getValue()))
          Base.Definitions.push_back(I);
      return true;
    }
    bool isDone() const { return false; }
  } V{Base};
  visitAll(Base.Expression, V);
}

FactTable::FactTable(ArrayRef<Access> Accesses, ScalarEvolution &SE,
                     bool Free) {
  DenseMap<const SCEV *, unsigned> BaseOf;
  for (unsigned Index = 0; Index != Accesses.size(); ++Index) {
    const Access &A = Accesses[Index];
    if (A.isPrivate() || A.Bytes == 0)
      continue;
    if (A.Shape == AccessShape::Lanes) {
      LanesAt[A.Inst] = Index;
      continue;
    }
    int64_t Offset = 0;
    Value *Pointer = A.pointer();
    const SCEV *Expression = splitConstant(SE.getSCEV(Pointer), Offset, SE);
    auto [I, New] = BaseOf.try_emplace(Expression, Bases.size());
    if (New) {
      Bases.emplace_back().Expression = Expression;
      findRedefinitions(Bases.back());
    }
    AddressBase &Base = Bases[I->second];
    if (!is_contained(Base.Pointers, std::pair(Pointer, Offset)))
      Base.Pointers.emplace_back(Pointer, Offset);
    bool IsFree = Free && A.Shape != AccessShape::Volatile &&
                  A.Shape != AccessShape::Atomic;
    Base.Needs.push_back(Needs.size());
    NeedsOf[A.Inst].push_back(Needs.size());
    Needs.push_back({Index, I->second, Offset, A.Bytes, A.Store, IsFree, {}});
  }
}

Value *AddressBase::pointerAt(const Instruction *At, const DominatorTree &DT,
                              int64_t &Offset) const {
  for (auto [Pointer, PointerOffset] : Pointers) {
    auto *I = dyn_cast<Instruction>(Pointer);
    if (I && !DT.dominates(I, At))
      continue;
    Offset = PointerOffset;
    return Pointer;
  }
  return nullptr;
}

} // namespace graupel::fgdsm
