//===- HotCold/Proof/Verifier.h - Proofs of hot versions --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROOF_VERIFIER_H
#define GRAUPEL_HOTCOLD_PROOF_VERIFIER_H

#include "HotCold/Machine/Machine.h"

namespace graupel {

/// Proves, draft by draft, that nobody can tell a hot version from its original
/// (translation validation). It knows nothing of how drafts are made.
class Verifier {
public:
  explicit Verifier(const HotColdContext &Context) : Sizes(Context.BC) {}

  /// What is wrong with \p Hot: empty, or the first thing found, and where.
  std::string check(const HotVersion &Hot);

private:
  AccessSizes Sizes;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_PROOF_VERIFIER_H
