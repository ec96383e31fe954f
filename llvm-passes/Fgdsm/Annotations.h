//===- Annotations.h - Annotations of pointers in the program ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An annotated variable cannot be kept in a register, and an annotated field is
// not moved out of loops: clang's intrinsics for annotations are opaque. This
// pass runs first of all and turns them into what the optimizers see through:
//
//  1. annotate("fgdsm.private" or "fgdsm.shared") on a variable, parameter or
//     field of pointer type: pointers loaded from it (fields, globals) or first
//     stored to it (variables, parameters) pass through a call of a marker that
//     touches no memory;
//  2. "fgdsm.nocheck", "fgdsm.nopoll" and "fgdsm.unchecked" on functions:
//     attributes; accesses of the first carry metadata, so that they keep it
//     where they are inlined.
//
// ChecksPass removes the markers.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_ANNOTATIONS_H
#define GRAUPEL_FGDSM_ANNOTATIONS_H

#include "Pass.h"

namespace graupel::fgdsm {

class AnnotationsPass : public RequiredPass<AnnotationsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace graupel::fgdsm

#endif
