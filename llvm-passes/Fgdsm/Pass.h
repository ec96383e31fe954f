//===- Pass.h - The common base of the passes -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PASS_H
#define GRAUPEL_PASS_H

#include "llvm/IR/PassManager.h"

namespace graupel {

/// One that is no optimization: nothing may leave it out.
template <class Derived>
class RequiredPass : public llvm::PassInfoMixin<Derived> {
public:
  static bool isRequired() { return true; }
};

/// One that only tells what there is or would be.
template <class Derived> class PrinterPass : public RequiredPass<Derived> {
public:
  explicit PrinterPass(llvm::raw_ostream &OS) : OS(OS) {}

protected:
  llvm::raw_ostream &OS;
};

} // namespace graupel

#endif
