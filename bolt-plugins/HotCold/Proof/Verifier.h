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

/// Proves, draft by draft, that a hot version cannot be told from its original
/// (translation validation). It does not know how drafts are made, and takes
/// only the draft from the optimizations.
class Verifier {
public:
  /// Looks at all functions of \p BC, before the first has a hot version.
  Verifier(llvm::bolt::BinaryContext &BC, const MachineModel &Model)
      : Callees(BC, Model) {}

  /// The first error found in \p Hot, and its place; empty if there is none.
  std::string check(const HotCode &Hot);

private:
  const symbolic::CalleeFacts Callees;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_PROOF_VERIFIER_H
