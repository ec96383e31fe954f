//===- Recover/JumpsToSums.cpp - Jumps to computed addresses --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The address of a label that was loaded from memory or passed in by the caller
// was put there by code or data that BOLT updates. A sum was not: one of its
// parts may be the difference of two labels, which the assembler computed and
// nobody can update. A value that was loaded from the function's own frame may
// have been computed just before.
//
// 1. Begin at an indirect jump without a table, with the register it jumps to, or
//    the memory it loads from (mayBeSum).
// 2. Go back along all edges to what defines the register. Copies, pops, loads
//    from outside of the frame and addresses of one thing are whole; what a call
//    returns or preserves, too. Anything else may be a sum (definesSum).
// 3. At the function's beginning it was passed in. Where a jump may come of which
//    no edge tells, it may be a sum.
//
//===----------------------------------------------------------------------===//

#include "ComputedGotos.h"
#include "IndirectBranches.h"
#include "Support/BoltInternals.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/MC/MCInstrInfo.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// Follows the target of one indirect jump back to where it comes from, along
/// the edges that are known.
class TargetOrigin {
public:
  /// With \p HasAllEdges, code that enters at a label without an edge to it is
  /// another function, whose registers are whole.
  explicit TargetOrigin(BinaryFunction &BF, bool HasAllEdges = false)
      : BF(BF), BC(BF.getBinaryContext()),
        HasAllEdges(HasAllEdges &&
                    (BF.*member(internals::FragmentsTag())).empty()) {
    if (!this->HasAllEdges)
      for (BinaryBasicBlock *Block : blocksKnownToData(BF))
        EnteredUnseen.insert(Block);
  }

  bool mayBeSum(BinaryBasicBlock &Block, BinaryBasicBlock::iterator Jump) {
    if (MCPlus::getNumPrimeOperands(*Jump) != 1 || !Jump->getOperand(0).isReg())
      return isInFrame(*Jump);
    return mayBeSum(Block, Jump, Jump->getOperand(0).getReg());
  }

private:
  BinaryFunction &BF;
  BinaryContext &BC;
  DenseSet<std::pair<BinaryBasicBlock *, unsigned>> Seen;
  const bool HasAllEdges;
  /// Jumps lead there of which no edge tells.
  DenseSet<const BinaryBasicBlock *> EnteredUnseen;
  std::optional<bool> FramePointer;

  /// True if the frame pointer is one, and not just another register.
  bool hasFramePointer() {
    if (!FramePointer)
      FramePointer = any_of(BF.front(), [&](const MCInst &Inst) {
        MCPhysReg From, To;
        return !BC.MIB->isPseudo(Inst) &&
               BC.MIB->isRegToRegMove(Inst, From, To) &&
               From == BC.MIB->getStackPointer() &&
               To == BC.MIB->getFramePointer();
      });
    return *FramePointer;
  }

  /// True if \p Inst reads a variable of the function.
  bool isInFrame(const MCInst &Inst) {
    const auto Memory = BC.MIB->evaluateX86MemoryOperand(Inst);
    return Memory && Memory->IndexRegNum == BC.MIB->getNoRegister() &&
           (Memory->BaseRegNum == BC.MIB->getStackPointer() ||
            (Memory->BaseRegNum == BC.MIB->getFramePointer() &&
             hasFramePointer()));
  }

  /// Nops behind a jump or a return, which BOLT lets run into what follows.
  bool isPadding(const BinaryBasicBlock &Block) const {
    return !Block.isLandingPad() && all_of(Block, [&](const MCInst &Inst) {
      return BC.MIB->isNoop(Inst) || BC.MIB->isPseudo(Inst);
    });
  }

  bool isEnteredUnseen(const BinaryBasicBlock &Block) const {
    return EnteredUnseen.contains(&Block);
  }

  /// Whether \p Register may hold a sum before \p End.
  bool mayBeSum(BinaryBasicBlock &Block, BinaryBasicBlock::iterator End,
                MCPhysReg Register) {
    for (auto It = End; It != Block.begin();) {
      --It;
      if (BC.MIB->isPseudo(*It) || BC.MIB->isCFI(*It))
        continue;
      const MCInstrDesc &Info = BC.MII->get(It->getOpcode());
      if (BC.MIB->isCall(*It))
        return false; // A value that a call returns or preserves is whole.
      if (Info.hasDefOfPhysReg(*It, Register, *BC.MRI))
        return definesSum(Block, It, Register);
    }
    if (&Block == &BF.front())
      return false; // Passed in by the caller.
    if (Block.isEntryPoint() ? !HasAllEdges : isEnteredUnseen(Block))
      return true;
    if (Block.pred_empty())
      return !isPadding(Block) && !Block.isEntryPoint();
    return any_of(Block.predecessors(), [&](BinaryBasicBlock *From) {
      return Seen.insert({From, Register}).second &&
             mayBeSum(*From, From->end(), Register);
    });
  }

  /// Whether \p Def, which defines \p Register, may make a sum of it.
  bool definesSum(BinaryBasicBlock &Block, BinaryBasicBlock::iterator Def,
                  MCPhysReg Register) {
    const MCInst &Inst = *Def;
    MCPhysReg From, To;
    if (BC.MIB->isPop(Inst) || isPlainAddress(Inst))
      return false;
    if (BC.MIB->isMoveMem2Reg(Inst))
      return isInFrame(Inst);
    if (BC.MIB->isRegToRegMove(Inst, From, To))
      return BC.MIB->getRegSize(From) != 8 || mayBeSum(Block, Def, From);
    if (BC.MIB->isConditionalMove(Inst))
      return any_of(MCPlus::primeOperands(Inst), [&](const MCOperand &Op) {
        return Op.isReg() && mayBeSum(Block, Def, Op.getReg());
      });
    return true;
  }

  /// True if \p Inst takes the address of one thing.
  bool isPlainAddress(const MCInst &Inst) const {
    if (BC.MIB->isLEA64r(Inst)) {
      const auto Memory = BC.MIB->evaluateX86MemoryOperand(Inst);
      return Memory && Memory->DispExpr &&
             Memory->IndexRegNum == BC.MIB->getNoRegister() &&
             (Memory->BaseRegNum == BC.MIB->getNoRegister() ||
              Memory->BaseRegNum == BC.MRI->getProgramCounter());
    }
    return MCPlus::getNumPrimeOperands(Inst) == 2 &&
           Inst.getOperand(1).isExpr();
  }
};

} // namespace

bool graupel::jumpsToSum(BinaryBasicBlock &Block,
                         BinaryBasicBlock::iterator Jump) {
  return TargetOrigin(*Block.getFunction()).mayBeSum(Block, Jump);
}

bool graupel::jumpsToSums(BinaryFunction &BF, bool HasAllEdges) {
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  TargetOrigin Origin(BF, HasAllEdges);
  for (BinaryBasicBlock &Block : BF)
    for (auto It = Block.begin(); It != Block.end(); ++It)
      if (MIB.isIndirectBranch(*It) && !MIB.getJumpTable(*It) &&
          Origin.mayBeSum(Block, It))
        return true;
  return false;
}
