//===- HotCold/Proof/FaultInjection.h - Broken drafts -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROOF_FAULTINJECTION_H
#define GRAUPEL_HOTCOLD_PROOF_FAULTINJECTION_H

#include "Verifier.h"

namespace graupel {

/// The ways to break one instruction of a draft.
enum class Fault {
  None,
  Drop,     ///< Leave it out.
  Swap,     ///< Exchange it with the next.
  Register, ///< Name another register.
  Constant, ///< Another displacement or immediate operand.
  Unwind,   ///< Leave out what unwinding has to know.
  State,    ///< Begin a block with another state of unwinding.
  Edge,     ///< Exchange the edges out of a block.
};

/// Breaks \p Hot in each place that it can be broken in by \p Kind, one at a
/// time, and mends it again. Tells which faults \p V does not find.
void injectFaults(HotCode &Hot, const MachineModel &Model, Verifier &V,
                  Fault Kind, llvm::raw_ostream &OS);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_PROOF_FAULTINJECTION_H
