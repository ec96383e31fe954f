//===- Protect/TableUses.cpp - Other uses of a table's address ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT writes a switch's table anew, in another place, and changes instructions
// that take its address. Assembly may find its constants by the same register:
// "vmovdqa -16(%table), %xmm0". These do not move with the table.
//
// 1. Registers hold a table's address behind the instruction that takes it, and
//    behind copies of it, along all edges, to a fixed point. Nothing follows
//    a call that provably never returns, but its landing pad may.
// 2. Such a register may be the base of a load with an index, which is as wide
//    as an entry, and a part of a sum with another register. All else counts
//    from the table: other displacements, sums with a constant.
//
//===----------------------------------------------------------------------===//

#include "Protected.h"
#include "Support/Returns.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include <map>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

class TableAddressFlow {
public:
  explicit TableAddressFlow(BinaryFunction &BF)
      : BF(BF), BC(BF.getBinaryContext()), MIB(*BC.MIB),
        Preserved(BC.MRI->getNumRegs()), Returns(BC, ReturnFinder::By::Proof) {
    MIB.getCalleeSavedRegs(Preserved);
  }

  /// True if something but entries is found by the address of a table.
  bool run() {
    if (!BF.hasJumpTables())
      return false;
    SetVector<BinaryBasicBlock *> Worklist;
    for (BinaryBasicBlock &Block : BF)
      Worklist.insert(&Block);
    std::map<BinaryBasicBlock *, BitVector> Into;
    const BitVector None(BC.MRI->getNumRegs());
    while (!Worklist.empty()) {
      BinaryBasicBlock *Block = Worklist.pop_back_val();
      BitVector Now = Into.try_emplace(Block, None).first->second;
      BitVector AtCalls = None;
      for (const MCInst &Inst : *Block) {
        if (MIB.isPseudo(Inst) || MIB.isCFI(Inst))
          continue;
        if (step(Inst, Now))
          return true;
        if (!MIB.isCall(Inst))
          continue;
        AtCalls |= Now;
        if (Now.any() && !Returns.mayReturn(Inst))
          Now.reset();
      }
      auto flowTo = [&](BinaryBasicBlock *To, const BitVector &Tables) {
        BitVector &Known = Into.try_emplace(To, None).first->second;
        if (!Tables.test(Known)) // Nothing new.
          return;
        Known |= Tables;
        Worklist.insert(To);
      };
      for (BinaryBasicBlock *To : Block->successors())
        flowTo(To, Now);
      for (BinaryBasicBlock *To : Block->landing_pads())
        flowTo(To, AtCalls);
    }
    return false;
  }

private:
  BinaryFunction &BF;
  BinaryContext &BC;
  const MCPlusBuilder &MIB;
  BitVector Preserved; ///< By the functions that are called.
  ReturnFinder Returns;

  /// Whether \p Inst puts the address of a table into its first operand.
  bool takesAddress(const MCInst &Inst) const {
    if (none_of(MCPlus::primeOperands(Inst),
                [](const MCOperand &Op) { return Op.isExpr(); }) ||
        MIB.isCall(Inst) || MIB.isBranch(Inst) || MIB.isIndirectBranch(Inst) ||
        MIB.isReturn(Inst))
      return false;
    const auto Memory = MIB.evaluateX86MemoryOperand(Inst);
    if (Memory && !MIB.isLEA64r(Inst))
      return false;
    for (const MCOperand &Op : MCPlus::primeOperands(Inst))
      if (Op.isExpr())
        if (const MCSymbol *Symbol =
                MIB.getTargetSymbolInfo(Op.getExpr()).first)
          if (const BinaryData *Data =
                  BC.getBinaryDataByName(Symbol->getName()))
            if (BC.getJumpTableContainingAddress(Data->getAddress()))
              return true;
    return false;
  }

  /// Step 2. \p Inst is applied to the registers \p Now; true if one of them is
  /// used for something else.
  bool step(const MCInst &Inst, BitVector &Now) const {
    const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
    MCPhysReg From = 0, To = 0;
    const bool IsCopy = MIB.isRegToRegMove(Inst, From, To) && Now.test(From);
    const bool Takes = takesAddress(Inst);
    if (Now.any() && !IsCopy && !Takes && countsFromTable(Inst, Info, Now))
      return true;
    for (unsigned R : llvm::make_early_inc_range(Now.set_bits()))
      if (Info.hasDefOfPhysReg(Inst, R, *BC.MRI) ||
          (MIB.isCall(Inst) && !Preserved.test(R)))
        Now.reset(R);
    if (IsCopy)
      Now.set(To);
    if (Takes && Info.getNumDefs() && Inst.getOperand(0).isReg())
      Now.set(wide(Inst.getOperand(0).getReg()));
    return false;
  }

  /// The whole register, of which a part was written.
  MCPhysReg wide(MCPhysReg Register) const {
    for (MCPhysReg R : BC.MRI->superregs(Register))
      if (MIB.getRegSize(R) == 8)
        return R;
    return Register;
  }

  bool countsFromTable(const MCInst &Inst, const MCInstrDesc &Info,
                       const BitVector &Tables) const {
    if (const auto Memory = MIB.evaluateX86MemoryOperand(Inst))
      if (Memory->BaseRegNum < Tables.size() &&
          Tables.test(Memory->BaseRegNum) && !isEntry(Inst, Info, *Memory))
        return true;
    // add $4, %table
    const StringRef Name = BC.MII->getName(Inst.getOpcode());
    return (Name.starts_with("ADD64ri") || Name.starts_with("SUB64ri")) &&
           Inst.getOperand(0).isReg() &&
           Tables.test(Inst.getOperand(0).getReg());
  }

  /// A load that may be of an entry.
  bool isEntry(const MCInst &Inst, const MCInstrDesc &Info,
               const MCPlusBuilder::X86MemOperand &M) const {
    const StringRef Name = BC.MII->getName(Inst.getOpcode());
    const bool IsWideEnough = Name == "MOVSX64rm32" || Name == "MOV64rm" ||
                              Name == "MOV32rm" || Name == "ADD64rm" ||
                              Name == "JMP64m";
    return Info.mayLoad() && IsWideEnough && !M.DispExpr && !M.DispImm &&
           M.IndexRegNum != MIB.getNoRegister();
  }
};

} // namespace

bool graupel::usesTableForOthers(BinaryFunction &BF) {
  return TableAddressFlow(BF).run();
}
