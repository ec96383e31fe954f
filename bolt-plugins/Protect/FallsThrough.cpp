//===- Protect/FallsThrough.cpp - Control that runs past the end ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assembly may run from one function into the next, and so does what clang
// makes of undefined behaviour. BOLT puts other code behind such a function,
// and forgets a condition if the branch is the function's last instruction.
//
//===----------------------------------------------------------------------===//

#include "Driver/BoltInternals.h"
#include "Protected.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static DenseSet<const BinaryFunction *> FallThrough;

/// Control does not come behind \p Inst, or not as far as anyone can tell: the
/// last call of a function is one that does not return, and so is the last system
/// call (exit, sigreturn).
static bool endsFlow(const BinaryContext &BC, const MCInst &Inst) {
  if (BC.MIB->isConditionalBranch(Inst))
    return false;
  if (BC.MIB->isCall(Inst) || BC.MIB->isReturn(Inst) ||
      BC.MIB->isUnconditionalBranch(Inst) || BC.MIB->isIndirectBranch(Inst))
    return true;
  return StringSwitch<bool>(BC.MII->getName(Inst.getOpcode()))
      .Cases({"TRAP", "HLT", "INT3", "SYSCALL"}, true)
      .StartsWith("UD1", true)
      .Default(false);
}

void graupel::noteEnd(const BinaryFunction &BF) {
  const BinaryContext &BC = BF.getBinaryContext();
  const auto &Instructions = BF.*member(internals::InstructionsTag());
  for (const auto &[Offset, Inst] : llvm::reverse(Instructions)) {
    if (BC.MIB->isNoop(Inst) || BC.MIB->isPseudo(Inst))
      continue; // Padding.
    if (!endsFlow(BC, Inst))
      FallThrough.insert(&BF);
    return;
  }
}

bool graupel::fallsThrough(const BinaryFunction &BF) {
  return FallThrough.contains(&BF);
}
