//===- Recover/TrapFlow.cpp - Code behind traps ---------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT takes ud1, ud2 and hlt for the end of control flow, and removes what is
// behind one if nothing else leads there. But a handler of SIGILL may step over
// the instruction: emulators, sanitizers and BUG() macros do. So control may
// fall through a trap, as it may through int3. Where the compiler meant
// "not reachable", what follows belongs to another place; mostly the frame is
// another one, too, and the edge is left out.
//
//===----------------------------------------------------------------------===//

#include "IndirectBranches.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/MC/MCInstrInfo.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Whether call frame instructions stand between \p Trap and the next block.
/// BOLT has them at the end of the trap's block.
static bool changesFrame(const BinaryBasicBlock &Block, const MCInst &Trap,
                         const BinaryBasicBlock &Next) {
  return Block.getCFIStateAtInstr(&Trap) != Next.getCFIState();
}

static bool endsInTrap(const BinaryContext &BC, BinaryBasicBlock &Block) {
  const MCInst *Last = Block.getLastNonPseudoInstr();
  if (!Last)
    return false;
  const StringRef Name = BC.MII->getName(Last->getOpcode());
  return Name == "TRAP" || Name == "HLT" || Name.starts_with("UD1");
}

void graupel::fallThroughTraps(BinaryFunction &BF) {
  if (!BF.hasCFG())
    return;
  const BinaryContext &BC = BF.getBinaryContext();
  for (auto It = BF.begin(); It != BF.end(); ++It) {
    const auto Next = std::next(It);
    if (Next != BF.end() && It->succ_empty() && endsInTrap(BC, *It) &&
        !Next->isLandingPad() &&
        !changesFrame(*It, *It->getLastNonPseudoInstr(), *Next))
      It->addSuccessor(&*Next);
  }
}
