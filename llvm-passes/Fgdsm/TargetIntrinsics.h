//===- TargetIntrinsics.h - Intrinsics that access memory -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_TARGETINTRINSICS_H
#define GRAUPEL_FGDSM_TARGETINTRINSICS_H

#include "PointerPrivacy.h"
#include <optional>

namespace llvm {
class IntrinsicInst;
class Type;
} // namespace llvm

namespace graupel::fgdsm {

/// The memory that an intrinsic of x86 loads or stores at one address.
struct TargetAccess {
  unsigned PointerOperand;
  llvm::Type *Accessed;
  bool Store;
};

std::optional<TargetAccess> targetAccess(const llvm::IntrinsicInst &I);

/// Errors for intrinsics that access memory which may be shared in a way that
/// no check knows.
void refuseIntrinsics(llvm::Function &F, const PointerPrivacy &Privacy);

} // namespace graupel::fgdsm

#endif
