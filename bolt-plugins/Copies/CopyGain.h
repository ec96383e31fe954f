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

/// Notes what each function executes as the compiler made it.
class NoteOriginalCost : public llvm::bolt::BinaryFunctionPass {
public:
  NoteOriginalCost() : BinaryFunctionPass(/*PrintPass=*/false) {}
  const char *getName() const override { return "note-original-cost"; }
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

/// Leaves functions as they are that cannot be copied, that never ran, or whose
/// copies would execute as much, with the jump to the copy, as the original.
/// Blocks have their new order.
class LeaveOriginals : public llvm::bolt::BinaryFunctionPass {
public:
  /// \p IsCalledInside says which copies have callers of places in them. Unless
  /// \p AsksForGain, only functions that cannot be copied are left.
  LeaveOriginals(
      bool AsksForGain,
      std::function<bool(const llvm::bolt::BinaryFunction &)> IsCalledInside)
      : BinaryFunctionPass(/*PrintPass=*/false), AsksForGain(AsksForGain),
        IsCalledInside(std::move(IsCalledInside)) {}
  const char *getName() const override { return "leave-originals"; }
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;

private:
  const bool AsksForGain;
  const std::function<bool(const llvm::bolt::BinaryFunction &)> IsCalledInside;
};

/// Functions that LeaveOriginals has left for want of gain.
const std::vector<llvm::bolt::BinaryFunction *> &gainlessFunctions();

} // namespace graupel

#endif // GRAUPEL_COPIES_COPYGAIN_H
