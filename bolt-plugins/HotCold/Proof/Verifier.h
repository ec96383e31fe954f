//===- HotCold/Proof/Verifier.h - Proofs of hot versions --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROOF_VERIFIER_H
#define GRAUPEL_HOTCOLD_PROOF_VERIFIER_H

#include "CalleeFacts.h"
#include "HotCold/Machine/Machine.h"
#include "HotCold/Model/HotCode.h"

namespace graupel {

/// Proves, draft by draft, that nobody can tell a hot version from its original
/// (translation validation). It knows nothing of how drafts are made,
/// and takes nothing from those who make them but the draft.
class Verifier {
public:
  /// Looks at all functions of \p BC, before the first has a hot version.
  Verifier(llvm::bolt::BinaryContext &BC, const MachineModel &Model)
      : Callees(BC, Model) {}

  /// What is wrong with \p Hot: empty, or the first thing found, and where.
  std::string check(const HotCode &Hot);

private:
  const symbolic::CalleeFacts Callees;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_PROOF_VERIFIER_H
