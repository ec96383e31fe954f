//===- TargetIntrinsics.cpp - Intrinsics that access memory ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// immintrin.h becomes plain loads and stores, LLVM's masked intrinsics, or
// intrinsics of x86 that only the code generator knows.
//
//  1. Those that access one vector at one address are checked like masked
//     loads and stores (Access.cpp).
//  2. Those that access no data (prefetches, cache lines, bounds of lifetimes)
//     need nothing.
//  3. All others are refused if their pointer may be shared: an intrinsic that
//     nobody has thought of must not be a silent hole.
//
//===----------------------------------------------------------------------===//

#include "TargetIntrinsics.h"
#include "Access.h"
#include "Markers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace graupel::fgdsm {

std::optional<TargetAccess> targetAccess(const IntrinsicInst &I) {
  StringRef Name = I.getCalledFunction()->getName();
  if (!Name.consume_front("llvm.x86."))
    return std::nullopt;
  if (Name.starts_with("avx.maskload.") || Name.starts_with("avx2.maskload.") ||
      Name == "sse3.ldu.dq" || Name == "avx.ldu.dq.256")
    return TargetAccess{0, I.getType(), false};
  if (Name.starts_with("avx.maskstore.") || Name.starts_with("avx2.maskstore."))
    return TargetAccess{0, I.getArgOperand(2)->getType(), true};
  if (Name == "sse2.maskmov.dqu")
    return TargetAccess{2, I.getArgOperand(0)->getType(), true};
  return std::nullopt;
}

static bool accessesNoData(const IntrinsicInst &I) {
  if (I.isAssumeLikeIntrinsic() || I.isLifetimeStartOrEnd())
    return true;
  switch (I.getIntrinsicID()) {
  case Intrinsic::prefetch:
  case Intrinsic::clear_cache:
  case Intrinsic::stackrestore:
  case Intrinsic::fake_use:
    return true;
  default:
    break;
  }
  StringRef Name = I.getCalledFunction()->getName();
  if (!Name.consume_front("llvm.x86."))
    return Name.starts_with("llvm.eh.");
  return Name == "sse2.clflush" || Name == "clflushopt" || Name == "clwb" ||
         Name == "cldemote";
}

static bool mayAccessThrough(const IntrinsicInst &I, unsigned Index) {
  return I.getArgOperand(Index)->getType()->isPtrOrPtrVectorTy() &&
         !I.doesNotAccessMemory(Index);
}

void refuseIntrinsics(Function &F, const PointerPrivacy &Privacy) {
  DenseSet<const Instruction *> Checked;
  for (const Access &A : collectAccesses(F, Privacy))
    Checked.insert(A.Inst);
  for (Instruction &Inst : instructions(F)) {
    auto *I = dyn_cast<IntrinsicInst>(&Inst);
    if (!I || !I->mayReadOrWriteMemory() ||
        I->onlyAccessesInaccessibleMemory() || isa<AnyMemIntrinsic>(I) ||
        Checked.contains(I) || accessesNoData(*I) ||
        I->hasMetadata(NoCheckMetadata))
      continue;
    for (unsigned Index = 0; Index != I->arg_size(); ++Index)
      if (mayAccessThrough(*I, Index) &&
          Privacy.whyPrivate(I->getArgOperand(Index)).empty()) {
        std::string Text = ("fgdsm: '" + I->getCalledFunction()->getName() +
                            "' accesses memory that may be shared and has no "
                            "check; write plain loads or stores, which the "
                            "compiler vectorises, or mark the pointer "
                            "GDSM_PRIVATE")
                               .str();
        Twine Message(Text);
        DiagnosticInfoUnsupported D(F, Message, I->getDebugLoc(), DS_Error);
        F.getContext().diagnose(D);
        break;
      }
  }
}

} // namespace graupel::fgdsm
