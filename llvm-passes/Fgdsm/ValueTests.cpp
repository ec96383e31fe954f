//===- ValueTests.cpp -----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueTests.h"
#include "Access.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace graupel::fgdsm {

bool hasWord(const Type &T) {
  return T.isIntegerTy(32) || T.isIntegerTy(64) || T.isPointerTy() ||
         T.isFloatTy() || T.isDoubleTy();
}

// Vectors of other sizes, and of other elements, are loaded in pieces.
bool isLoadedAtOnce(Type &T, const DataLayout &DL) {
  auto *Vector = dyn_cast<FixedVectorType>(&T);
  if (!Vector)
    return hasWord(T);
  const Type &Element = *Vector->getElementType();
  const uint64_t Bytes = DL.getTypeStoreSize(Vector);
  return (Bytes == 4 || Bytes == 8 || Bytes == 16) && !Element.isPointerTy() &&
         (hasWord(Element) || Element.isIntegerTy(8) ||
          Element.isIntegerTy(16));
}

static constexpr unsigned OfInvariance[] = {LLVMContext::MD_invariant_load,
                                            LLVMContext::MD_invariant_group};
// Memory that a pointer points to is there wherever the pointer is known.
static constexpr unsigned OfValue[] = {LLVMContext::MD_dereferenceable,
                                       LLVMContext::MD_dereferenceable_or_null};

void forgetValue(Instruction &Load) {
  Load.dropPoisonGeneratingAnnotations();
  for (unsigned Kind : OfValue)
    Load.setMetadata(Kind, nullptr);
  if (auto *Gather = dyn_cast<CallBase>(&Load))
    Gather->removeRetAttr(Attribute::NoFPClass);
}

bool assumesValue(const Instruction &Load) {
  auto Has = [&](unsigned Kind) { return Load.hasMetadata(Kind); };
  auto *Gather = dyn_cast<CallBase>(&Load);
  return (Gather && Gather->hasRetAttr(Attribute::NoFPClass)) ||
         Load.hasPoisonGeneratingAnnotations() || any_of(OfValue, Has) ||
         any_of(OfInvariance, Has);
}

// A type whose objects never change.
static bool isConstantType(const MDNode *Tag) {
  if (!Tag || Tag->getNumOperands() < 4)
    return false;
  auto *Flag = mdconst::dyn_extract<ConstantInt>(
      Tag->getOperand(Tag->getNumOperands() - 1));
  return isa<MDNode>(Tag->getOperand(0)) && Flag && Flag->isOne();
}

void forgetInvariance(Function &F, const PointerPrivacy &Privacy) {
  for (const Access &A : collectAccesses(F, Privacy)) {
    if (A.isPrivate() || A.Store)
      continue;
    for (unsigned Kind : OfInvariance)
      A.Inst->setMetadata(Kind, nullptr);
    if (isConstantType(A.Inst->getMetadata(LLVMContext::MD_tbaa)))
      A.Inst->setMetadata(LLVMContext::MD_tbaa, nullptr);
  }
}

} // namespace graupel::fgdsm
