//===- Protect/Operands.cpp - Operands that count from a label ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The linker writes S + A - P at the place P of a relocation of kind PC32. If
// the processor adds the address of the next instruction to that, the operand
// is S wherever the code is, and BOLT sees to that. Assembly also uses such a
// relocation for the distance of a table from a label,
//
//   base: lea base(%rip), %rdx
//         movzbl table-base(%rdx,%rdi), %eax
//
// since P - base is known when the file is assembled. It is right as long as
// the label stays. "movabs $_GLOBAL_OFFSET_TABLE_-base, %r11" is the same.
//
//===----------------------------------------------------------------------===//

#include "KnownPlaces.h"
#include "Protected.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInstrInfo.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Filled while BOLT disassembles, which it does in one thread.
static DenseSet<const BinaryFunction *> CountFromLabel;

/// True if the processor adds the address of the next instruction to the number
/// in \p Inst.
static bool isRelative(const BinaryContext &BC, const MCInst &Inst) {
  if (BC.MII->getName(Inst.getOpcode()).starts_with("XBEGIN"))
    return true;
  const int Memory = BC.MIB->getMemoryOperandNo(Inst);
  if (Memory != -1)
    return Inst.getOperand(Memory).isReg() &&
           Inst.getOperand(Memory).getReg() == BC.MRI->getProgramCounter();
  return BC.MIB->isCall(Inst) || BC.MIB->isBranch(Inst);
}

void graupel::noteOperands(const BinaryFunction &BF) {
  const std::vector<uint64_t> &Places = knownPlaces().DoubtfulOperands;
  auto Place = llvm::lower_bound(Places, BF.getAddress());
  const uint64_t End = BF.getAddress() + BF.getSize();
  if (Place == Places.end() || *Place >= End)
    return;
  ErrorOr<ArrayRef<uint8_t>> Code = BF.getData();
  if (!Code)
    return;
  const BinaryContext &BC = BF.getBinaryContext();
  uint64_t Size = 0;
  for (uint64_t At = BF.getAddress(); At < End; At += Size) {
    MCInst Inst;
    const bool IsCode = BC.DisAsm->getInstruction(
        Inst, Size, Code->slice(At - BF.getAddress()), At, nulls());
    // Data in code may hold what it likes; what is behind is looked at from
    // the next byte on.
    if (!IsCode)
      Size = 1;
    for (; Place != Places.end() && *Place < At + Size; ++Place)
      if (IsCode && *Place > At && !isRelative(BC, Inst))
        CountFromLabel.insert(&BF);
    if (Place == Places.end() || *Place >= End)
      return;
  }
}

bool graupel::countsFromLabel(const BinaryFunction &BF) {
  return CountFromLabel.contains(&BF);
}
