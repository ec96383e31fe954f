//===- Align/AlignPass.h - Alignment where it pays --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ALIGN_ALIGNPASS_H
#define GRAUPEL_ALIGN_ALIGNPASS_H

#include "bolt/Core/BinaryContext.h"
#include "bolt/Passes/BinaryPasses.h"
#include "graupel/BoltPassPlugin.h"

namespace graupel {

/// Adds the pass that remembers, before anything is changed, which blocks the
/// compiler had aligned.
void registerAlignPasses(BoltPassRegistry &Registry);

/// Aligns functions and blocks by benefit: hot functions so that their first
/// cache line is well used, blocks of hot functions where padding saves more
/// than it costs, all else not at all, since padding in code that does not run
/// only makes the file larger.
class CodeAlignment : public llvm::bolt::BinaryFunctionPass {
public:
  CodeAlignment() : BinaryFunctionPass(/*PrintPass=*/false) {}

  const char *getName() const override { return "graupel-align"; }
  bool shouldPrint(const llvm::bolt::BinaryFunction &) const override {
    return false;
  }

  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

} // namespace graupel

#endif // GRAUPEL_ALIGN_ALIGNPASS_H
