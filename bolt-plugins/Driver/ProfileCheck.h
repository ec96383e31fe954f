//===- Driver/ProfileCheck.h - Can the profile be true? ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks at the counts that BOLT has made of a profile, whatever its format,
// before any pass uses them. Impossible counts are an error, counts that do not
// add up a warning (Profile/FlowBalance).
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_PROFILECHECK_H
#define GRAUPEL_DRIVER_PROFILECHECK_H

#include "bolt/Passes/BinaryPasses.h"

namespace graupel {

class ProfileCheck : public llvm::bolt::BinaryFunctionPass {
public:
  ProfileCheck() : BinaryFunctionPass(/*PrintPass=*/false) {}
  const char *getName() const override { return "graupel-profile-check"; }
  bool shouldPrint(const llvm::bolt::BinaryFunction &) const override {
    return false;
  }
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

} // namespace graupel

#endif // GRAUPEL_DRIVER_PROFILECHECK_H
