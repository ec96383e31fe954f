//===- Driver/PLTBinding.h - PLT calls without eager binding ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_PLTBINDING_H
#define GRAUPEL_DRIVER_PLTBINDING_H

#include "bolt/Core/BinaryContext.h"
#include "bolt/Passes/BinaryPasses.h"

namespace graupel {

/// BOLT turns "call f@plt" into a call through f's GOT slot and then demands
/// that the loader bind all symbols at start, refusing files it cannot say so
/// in. A slot that is not bound yet leads to the lazy-binding stub, exactly as
/// the PLT's jump through it does, so the input's way of binding can stay: a
/// program with a symbol that is missing but never called keeps working.
class KeepLazyBinding : public llvm::bolt::BinaryFunctionPass {
public:
  KeepLazyBinding() : BinaryFunctionPass(/*PrintPass=*/false) {}

  const char *getName() const override { return "graupel-keep-lazy-binding"; }

  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override {
    BC.RequiresZNow = false;
    return llvm::Error::success();
  }
};

} // namespace graupel

#endif // GRAUPEL_DRIVER_PLTBINDING_H
