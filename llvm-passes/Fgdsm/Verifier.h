//===- Verifier.h - Proves that checks are complete -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the instrumented code as if nobody knew where it came from, and proves
// of each reachable access to memory that may be shared that
//
//  - on every path to it there is a passed test of tags, or a call of the
//    runtime that names the range, with no handshake point behind that which
//    does not name it again; or
//  - the loaded value is tested before it is used, and loaded again if need be.
//
// It shares with the passes the classification of accesses and the layout of
// tags, not what they know about their checks. One thing it believes: that an
// access with !graupel.covered lies within the strip range of that number.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_VERIFIER_H
#define GRAUPEL_FGDSM_VERIFIER_H

#include "Pass.h"

namespace graupel::fgdsm {

/// An error for each access that is not proven.
class VerifierPass : public RequiredPass<VerifierPass> {
public:
  /// If not All, only functions that were compiled with -fgdsm-verify.
  explicit VerifierPass(bool All) : All(All) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);

private:
  bool All;
};

} // namespace graupel::fgdsm

#endif
