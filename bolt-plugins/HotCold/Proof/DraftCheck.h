//===- HotCold/Proof/DraftCheck.h - Proved drafts only ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROOF_DRAFTCHECK_H
#define GRAUPEL_HOTCOLD_PROOF_DRAFTCHECK_H

#include "Verifier.h"
#include "llvm/Support/Error.h"

namespace graupel {

/// Runs the verifier as the options say.
class DraftCheck {
public:
  /// Looks at all functions of \p BC, before the first is changed.
  DraftCheck(llvm::bolt::BinaryContext &BC, const MachineModel &Model);

  /// True if \p Hot may take the place of its function.
  bool accept(HotCode &Hot);
  /// Reports; an error if the user asked for the verifier and it found one.
  llvm::Error finish() const;

private:
  const MachineModel Context;
  std::optional<Verifier> V; ///< If drafts are proved.
  unsigned Right = 0, Wrong = 0;
  double Seconds = 0;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_PROOF_DRAFTCHECK_H
