//===- HotCold/SwitchTables.cpp - Jump tables of hot copies ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SwitchTables.h"
#include "bolt/Core/JumpTable.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace opts {
extern cl::opt<JumpTableSupportLevel> JumpTables;
} // namespace opts

static const MCInst *lastInstruction(const BinaryBasicBlock &Block) {
  return const_cast<BinaryBasicBlock &>(Block).getLastNonPseudoInstr();
}

bool graupel::endsWithSwitch(const BinaryBasicBlock &Block) {
  const MCPlusBuilder &MIB = *Block.getFunction()->getBinaryContext().MIB;
  const MCInst *Last = lastInstruction(Block);
  return Last && MIB.isIndirectBranch(*Last) && !MIB.isTailCall(*Last);
}

static bool refersTo(const MCInst &Inst, const JumpTable &Table,
                     const MCPlusBuilder &MIB) {
  if (MIB.isPseudo(Inst))
    return false;
  const auto Memory = MIB.evaluateX86MemoryOperand(Inst);
  return Memory && Memory->DispExpr &&
         MIB.getTargetSymbol(Memory->DispExpr) == Table.getFirstLabel();
}

/// The jump that uses \p Table is the only one.
static bool isPrivate(const BinaryFunction &BF, const JumpTable &Table) {
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  unsigned Jumps = 0, References = 0;
  for (const BinaryBasicBlock &Block : BF)
    for (const MCInst &Inst : Block) {
      Jumps += MIB.isIndirectBranch(Inst) && BF.getJumpTable(Inst) == &Table;
      References += refersTo(Inst, Table, MIB);
    }
  return Jumps == 1 && References == 1;
}

/// True if something behind \p Block may read \p Register as it is there: the
/// address of \p Table. That it is still in the register of a second result on
/// return makes it none, here and in functions that are called on. Distances from
/// the table, which no language can express, are a compiler's, and it tells nobody
/// of them: in the register of a parameter, the address is left over.
static bool isReadBehind(const BinaryBasicBlock &Block, RegisterSet Register,
                         const JumpTable &Table, const Liveness &Live) {
  const MCPlusBuilder &MIB = *Block.getFunction()->getBinaryContext().MIB;
  SetVector<const BinaryBasicBlock *> Reached(Block.succ_begin(),
                                              Block.succ_end());
  for (unsigned I = 0; I < Reached.size(); ++I) {
    const BinaryBasicBlock &Next = *Reached[I];
    bool IsThere = true;
    for (const MCInst &Inst : Next) {
      IsThere = IsThere && !MIB.isReturn(Inst);
      if (!IsThere)
        break;
      const RegisterSet Read = Table.Type == JumpTable::JTT_PIC
                                   ? Live.readBy(Next, Inst)
                                   : Live.before(Next, Inst, /*After=*/0);
      if (Read & Register)
        return true;
      IsThere = Live.before(Next, Inst, Register) & Register;
    }
    if (IsThere)
      Reached.insert(Next.succ_begin(), Next.succ_end());
  }
  return false;
}

bool graupel::canCopySwitch(const BinaryBasicBlock &Block,
                            const RegisterModel &Registers,
                            const Liveness &Live) {
  const BinaryFunction &BF = *Block.getFunction();
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  const JumpTable *Table = BF.getJumpTable(*lastInstruction(Block));
  if (!Table || opts::JumpTables <= JTS_BASIC || Table->IsSplit ||
      Table->Parents.size() != 1 || Table->Labels.size() != 1 ||
      Table->Labels.begin()->first != 0 || !isPrivate(BF, *Table))
    return false;
  for (const MCInst &Inst : Block)
    if (refersTo(Inst, *Table, MIB))
      // The address must not get any further.
      return !isReadBehind(Block, Registers.effects(Inst).Writes & reg::General,
                           *Table, Live);
  return false;
}

void graupel::retargetSwitch(BinaryBasicBlock &Copy,
                             ArrayRef<const MCSymbol *> Old,
                             ArrayRef<MCSymbol *> New, bool SharesTable) {
  BinaryFunction &BF = *Copy.getFunction();
  BinaryContext &BC = BF.getBinaryContext();
  MCInst &Jump = *Copy.getLastNonPseudoInstr();
  JumpTable *Table = BF.getJumpTable(Jump);
  uint64_t Id = BC.MIB->getJumpTable(Jump);
  if (SharesTable) {
    const MCSymbol *Label;
    JumpTable *const Original = Table;
    std::tie(Id, Label) =
        BC.duplicateJumpTable(BF, Table, Table->getFirstLabel());
    for (MCInst &Inst : Copy)
      if (refersTo(Inst, *Original, *BC.MIB))
        BC.MIB->replaceMemOperandDisp(Inst, Label, BC.Ctx.get());
    BC.MIB->setJumpTable(Jump, Id, 0);
    Table = BF.getJumpTable(Jump);
  }
  // Not one after the other: what is new to one may be old to another.
  DenseMap<const MCSymbol *, MCSymbol *> NewOf;
  for (unsigned I = 0; I < Old.size(); ++I)
    NewOf[Old[I]] = New[I];
  for (MCSymbol *&Entry : Table->Entries)
    if (MCSymbol *To = NewOf.lookup(Entry))
      Entry = To;
}
