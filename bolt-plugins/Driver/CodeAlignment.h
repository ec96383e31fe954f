//===- Driver/CodeAlignment.h - Alignment where it pays ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_CODEALIGNMENT_H
#define GRAUPEL_DRIVER_CODEALIGNMENT_H

#include "bolt/Core/BinaryContext.h"
#include "bolt/Passes/BinaryPasses.h"

namespace graupel {

/// Aligns functions by benefit: hot ones so that their first cache line is well
/// used, cold ones not at all, since padding in code that does not run only
/// makes the file larger.
class CodeAlignment : public llvm::bolt::BinaryFunctionPass {
public:
  CodeAlignment() : BinaryFunctionPass(/*PrintPass=*/false) {}

  const char *getName() const override { return "graupel-align"; }

  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

} // namespace graupel

#endif // GRAUPEL_DRIVER_CODEALIGNMENT_H
