//===- Driver/ParallelPasses.h - Passes on several functions ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some of BOLT's passes that change nothing but one function go from one to the
// next, or make what each function needs anew. These do the same to several
// functions at once. They are for -instrument, which changes all functions of a
// program and does little else.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_PARALLELPASSES_H
#define GRAUPEL_DRIVER_PARALLELPASSES_H

#include "bolt/Passes/BinaryPasses.h"
#include "bolt/Passes/ValidateInternalCalls.h"
#include "bolt/Passes/ValidateMemRefs.h"
#include "llvm/ADT/DenseSet.h"

namespace graupel {

/// Looks whether there is an internal call before BOLT's pass looks for them.
class CheckInternalCalls : public llvm::bolt::ValidateInternalCalls {
public:
  using ValidateInternalCalls::ValidateInternalCalls;
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

/// Shows BOLT's pass only the functions that it has to change.
class CheckMemRefs : public llvm::bolt::ValidateMemRefs {
public:
  using ValidateMemRefs::ValidateMemRefs;
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

/// EliminateUnreachableBlocks, which makes an assembler for each function to
/// know the size of what it removes. Most have nothing to remove.
class RemoveUnreachable : public llvm::bolt::BinaryFunctionPass {
public:
  explicit RemoveUnreachable(const llvm::cl::opt<bool> &PrintPass)
      : BinaryFunctionPass(PrintPass) {}
  const char *getName() const override { return "eliminate-unreachable"; }
  bool shouldPrint(const llvm::bolt::BinaryFunction &BF) const override {
    return BinaryFunctionPass::shouldPrint(BF) && Changed.contains(&BF);
  }
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;

private:
  llvm::DenseSet<const llvm::bolt::BinaryFunction *> Changed;
};

class FixBranches : public llvm::bolt::FixupBranches {
public:
  using FixupBranches::FixupBranches;
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

class LowerInstructions : public llvm::bolt::InstructionLowering {
public:
  using InstructionLowering::InstructionLowering;
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

/// Does nothing if there is no function with such annotations.
class LowerArgumentSizes : public llvm::bolt::LowerAnnotations {
public:
  using LowerAnnotations::LowerAnnotations;
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

} // namespace graupel

#endif // GRAUPEL_DRIVER_PARALLELPASSES_H
