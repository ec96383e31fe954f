//===- Support/Traps.h - Instructions that may trap -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SUPPORT_TRAPS_H
#define GRAUPEL_SUPPORT_TRAPS_H

#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/MC/MCInstrInfo.h"

namespace graupel {

/// True if the processor may find something wrong with \p Inst, so that a
/// handler of signals throws from there (-fnon-call-exceptions). Thread-safe.
inline bool mayTrap(const llvm::bolt::BinaryContext &BC,
                    const llvm::MCInst &Inst) {
  const llvm::MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
  // A jump by the GOT is a tail call (-fno-plt).
  return !BC.MIB->isNoop(Inst) && !BC.MIB->isPrefix(Inst) &&
         !BC.MIB->isLEA64r(Inst) && !BC.MIB->isIndirectBranch(Inst) &&
         (Info.mayLoad() || Info.mayStore() || Info.hasUnmodeledSideEffects());
}

} // namespace graupel

#endif // GRAUPEL_SUPPORT_TRAPS_H
