//===- Copies/CopyGain.h - Which copies are worth their jump ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_COPIES_COPYGAIN_H
#define GRAUPEL_COPIES_COPYGAIN_H

#include "bolt/Passes/BinaryPasses.h"

namespace graupel {

/// How often the copies were entered by way of their originals: by an address,
/// or by code that stays. \p IsCopied says which functions have copies.
llvm::DenseMap<const llvm::bolt::BinaryFunction *, uint64_t> entriesByOriginal(
    llvm::bolt::BinaryContext &BC,
    llvm::function_ref<bool(const llvm::bolt::BinaryFunction &)> IsCopied);

/// Notes how many branches each function takes as the compiler laid it out.
class NoteOriginalBranches : public llvm::bolt::BinaryFunctionPass {
public:
  NoteOriginalBranches() : BinaryFunctionPass(/*PrintPass=*/false) {}
  const char *getName() const override { return "note-original-branches"; }
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

/// Leaves functions as they are whose copies would take as many branches, with
/// the jump to the copy, as the original. Blocks have their new order.
class LeaveGainless : public llvm::bolt::BinaryFunctionPass {
public:
  LeaveGainless() : BinaryFunctionPass(/*PrintPass=*/false) {}
  const char *getName() const override { return "leave-gainless"; }
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

/// Functions that LeaveGainless has left.
const std::vector<llvm::bolt::BinaryFunction *> &gainlessFunctions();

} // namespace graupel

#endif // GRAUPEL_COPIES_COPYGAIN_H
