//===- AddressSpaces.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressSpaces.h"
#include "Access.h"
#include "Markers.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace graupel::fgdsm {

bool mayReachShared(const Type &Pointer) {
  switch (Pointer.getScalarType()->getPointerAddressSpace()) {
  case 256: // GS
  case 257: // FS
  case 270: // 32 bits, signed
  case 271: // 32 bits
    return false;
  default:
    return true;
  }
}

// The types that are part of an intrinsic's name; none if that is not known.
static SmallVector<Type *, 3> typesInName(const IntrinsicInst &I) {
  auto OfArgument = [&](unsigned Index) {
    return I.getArgOperand(Index)->getType();
  };
  if (isa<AnyMemTransferInst>(I))
    return {OfArgument(0), OfArgument(1), OfArgument(2)};
  if (isa<AnyMemSetInst>(I))
    return {OfArgument(0), OfArgument(2)};
  switch (I.getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
    return {I.getType(), OfArgument(0)};
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
    return {OfArgument(0), OfArgument(1)};
  default:
    return {};
  }
}

static unsigned spaceOf(const Access &A) {
  return A.pointer()->getType()->getScalarType()->getPointerAddressSpace();
}

static void refuse(const Access &A) {
  Instruction &I = *A.Inst;
  std::string Text =
      "fgdsm: an access of address space " + std::to_string(spaceOf(A)) +
      ", which is the same memory here and may be shared, has no check; cast "
      "the pointer to an ordinary one first, or mark it GDSM_PRIVATE";
  Twine Message(Text);
  I.getContext().diagnose(DiagnosticInfoUnsupported(*I.getFunction(), Message,
                                                    I.getDebugLoc(), DS_Error));
  // Nothing more is to be done for it.
  I.setMetadata(NoCheckMetadata, MDNode::get(I.getContext(), {}));
}

static void flatten(const Access &A) {
  IRBuilder<> B(A.Inst);
  Type *Flat = A.pointer()->getType()->getWithNewType(B.getPtrTy());
  A.Inst->setOperand(A.PointerOperand,
                     B.CreateAddrSpaceCast(A.pointer(), Flat));
  if (auto *I = dyn_cast<IntrinsicInst>(A.Inst))
    I->setCalledFunction(Intrinsic::getOrInsertDeclaration(
        I->getModule(), I->getIntrinsicID(), typesInName(*I)));
}

void flattenAddressSpaces(Function &F, const PointerPrivacy &Privacy) {
  // The code generator gives a meaning of its own to spaces from here on.
  constexpr unsigned FirstSpecial = 256;
  for (const Access &A : collectAccesses(F, Privacy)) {
    if (A.isPrivate() || spaceOf(A) == 0)
      continue;
    auto *I = dyn_cast<IntrinsicInst>(A.Inst);
    bool Can = I ? !typesInName(*I).empty() : !isa<CallBase>(A.Inst);
    if (Can && spaceOf(A) < FirstSpecial)
      flatten(A);
    else
      refuse(A);
  }
}

} // namespace graupel::fgdsm
