//===- Align/KeptAlignment.h - Alignment that programs rely on --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ALIGN_KEPTALIGNMENT_H
#define GRAUPEL_ALIGN_KEPTALIGNMENT_H

#include "bolt/Core/BinaryContext.h"
#include "bolt/Passes/BinaryPasses.h"

namespace graupel {

/// Gives functions whose addresses are taken the alignment that they had: the
/// low bits of such an address may hold something else.
class KeptAlignment : public llvm::bolt::BinaryFunctionPass {
public:
  /// \p FoldsSafely: identical code folding has found whose addresses are
  /// taken.
  explicit KeptAlignment(bool FoldsSafely)
      : BinaryFunctionPass(/*PrintPass=*/false), FoldsSafely(FoldsSafely) {}

  const char *getName() const override { return "graupel-kept-alignment"; }
  bool shouldPrint(const llvm::bolt::BinaryFunction &) const override {
    return false;
  }

  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;

private:
  const bool FoldsSafely;
};

/// The alignment of a function at \p Address, as far as the padding behind the
/// code before it tells, which ends at \p PreviousEnd. At least 16.
uint64_t alignmentOnPurpose(uint64_t Address, uint64_t PreviousEnd);

} // namespace graupel

#endif // GRAUPEL_ALIGN_KEPTALIGNMENT_H
