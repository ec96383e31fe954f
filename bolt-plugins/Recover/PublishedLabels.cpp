//===- Recover/PublishedLabels.cpp - Label tables others can read ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some interpreters give the table of their labels away: JamVM and gforth copy
// the code between two labels to where it runs, others add distances to the
// first of them. Code that is rewritten is no longer what they expect. An
// interpreter that only jumps by its table keeps the table to itself.
//
// 1. The tables are the rows of places in data that hold labels.
// 2. Data that refer to one publish it.
// 3. Follow each address of a table forward through registers and the frame. It
//    is published if it is stored elsewhere, returned, or an argument of a call
//    in the block where it was taken. In other blocks what argument registers
//    hold at a call is usually left over.
//
//===----------------------------------------------------------------------===//

#include "ComputedGotos.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "bolt/Core/Relocation.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstrInfo.h"
#include <set>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// The places that may hold addresses of tables.
struct Holders {
  BitVector Registers;
  std::set<std::pair<unsigned, int64_t>> Slots; ///< Base and displacement.

  /// Returns true if that changed it.
  bool join(const Holders &Other) {
    const bool HasAll =
        !Other.Registers.test(Registers) && llvm::includes(Slots, Other.Slots);
    Registers |= Other.Registers;
    Slots.insert(Other.Slots.begin(), Other.Slots.end());
    return !HasAll;
  }
};

class LabelTables {
public:
  explicit LabelTables(BinaryFunction &BF)
      : BF(BF), BC(BF.getBinaryContext()), MIB(*BC.MIB) {
    Arguments = MIB.getRegsUsedAsParams();
    Results = none();
    for (MCPhysReg R = 1; R < BC.MRI->getNumRegs(); ++R)
      if (StringRef(BC.MRI->getName(R)) == "RAX")
        Results |= MIB.getAliases(R);
    MIB.getCalleeSavedRegs(Kept = none());
    findTables();
  }

  bool arePublished() { return isKnownToOthers() || flows(); }

private:
  BinaryFunction &BF;
  BinaryContext &BC;
  const MCPlusBuilder &MIB;
  std::map<uint64_t, uint64_t> Tables; ///< Ends by begins.
  BitVector Arguments, Results, Kept;
  DenseMap<const BinaryBasicBlock *, Holders> Before;

  BitVector none() const { return BitVector(BC.MRI->getNumRegs()); }

  /// Whether \p Address is in \p BF, and not its beginning.
  bool isLabel(uint64_t Address) const {
    return Address > BF.getAddress() &&
           Address - BF.getAddress() < BF.getSize();
  }

  // Step 1.
  void findTables() {
    std::set<uint64_t> Places(BF.getInternalRefDataRelocations().begin(),
                              BF.getInternalRefDataRelocations().end());
    for (const BinarySection &Section : BC.allocatableSections())
      for (const Relocation &R : Section.dynamicRelocations())
        if (R.isRelative() && isLabel(R.Addend))
          Places.insert(Section.getAddress() + R.Offset);
    constexpr uint64_t EntrySize = 8;
    uint64_t Begin = 0;
    for (uint64_t Place : Places) {
      if (Tables.empty() || Tables[Begin] != Place)
        Begin = Place;
      Tables[Begin] = Place + EntrySize;
    }
  }

  bool isInTable(uint64_t Address) const {
    const auto Next = Tables.upper_bound(Address);
    return Next != Tables.begin() && Address < std::prev(Next)->second;
  }

  bool isTable(const MCSymbol *Symbol, uint64_t Addend) const {
    if (!Symbol)
      return false;
    const ErrorOr<uint64_t> Address = BC.getSymbolValue(*Symbol);
    return Address && isInTable(*Address + Addend);
  }

  // Step 2.
  bool isKnownToOthers() const {
    for (const BinarySection &Section : BC.allocatableSections())
      for (const Relocation &R : Section.relocations())
        if (isTable(R.Symbol, R.Addend))
          return true;
    return false;
  }

  // Step 3.
  bool flows() {
    std::vector<BinaryBasicBlock *> Worklist;
    for (BinaryBasicBlock &Block : BF) {
      Before[&Block].Registers = none();
      Worklist.push_back(&Block);
    }
    while (!Worklist.empty()) {
      BinaryBasicBlock &Block = *Worklist.back();
      Worklist.pop_back();
      Holders Now = Before[&Block];
      Holders Taken{none(), {}};
      for (const MCInst &Inst : Block)
        if (!MIB.isPseudo(Inst) && publishes(Inst, Now, Taken))
          return true;
      auto flowTo = [&](BinaryBasicBlock *To) {
        if (Before[To].join(Now))
          Worklist.push_back(To);
      };
      for (BinaryBasicBlock *To : Block.successors())
        flowTo(To);
      for (BinaryBasicBlock *To : Block.landing_pads())
        flowTo(To);
    }
    return false;
  }

  std::optional<std::pair<unsigned, int64_t>> slotOf(const MCInst &Inst) const {
    const auto Memory = MIB.evaluateX86MemoryOperand(Inst);
    if (!Memory || Memory->IndexRegNum != MIB.getNoRegister() ||
        (Memory->BaseRegNum != MIB.getStackPointer() &&
         Memory->BaseRegNum != MIB.getFramePointer()))
      return std::nullopt;
    return std::pair(Memory->BaseRegNum, Memory->DispImm);
  }

  /// "xor %r, %r".
  bool isZero(const MCInst &Inst) const {
    return BC.MII->getName(Inst.getOpcode()).starts_with("XOR") &&
           MCPlus::getNumPrimeOperands(Inst) == 3 &&
           Inst.getOperand(1).isReg() && Inst.getOperand(2).isReg() &&
           Inst.getOperand(1).getReg() == Inst.getOperand(2).getReg();
  }

  /// Whether an operand that is no part of an address is in \p Registers.
  bool usesValue(const MCInst &Inst, const BitVector &Registers) const {
    const int AddressAt = MIB.getMemoryOperandNo(Inst);
    constexpr int AddressSize = 5;
    const unsigned NumDefs = BC.MII->get(Inst.getOpcode()).getNumDefs();
    for (unsigned I = NumDefs; I < MCPlus::getNumPrimeOperands(Inst); ++I) {
      const MCOperand &Operand = Inst.getOperand(I);
      const bool IsAddress = AddressAt >= 0 && int(I) >= AddressAt &&
                             int(I) < AddressAt + AddressSize;
      if (!IsAddress && Operand.isReg() && Operand.getReg() &&
          Registers.test(Operand.getReg()))
        return true;
    }
    return false;
  }

  /// Whether the address of a table, or a sum with one, is what \p Inst computes.
  bool makesAddress(const MCInst &Inst, const BitVector &Registers) const {
    const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
    const bool IsAddress = MIB.isLEA64r(Inst);
    for (unsigned I = Info.getNumDefs(); I < MCPlus::getNumPrimeOperands(Inst);
         ++I) {
      const MCOperand &Operand = Inst.getOperand(I);
      if (Operand.isExpr() && (IsAddress || !Info.mayLoad())) {
        const auto [Symbol, Addend] =
            MIB.getTargetSymbolInfo(Operand.getExpr());
        if (isTable(Symbol, Addend))
          return true;
      }
      if (IsAddress && Operand.isReg() && Operand.getReg() &&
          Registers.test(Operand.getReg()))
        return true;
    }
    return !isZero(Inst) && usesValue(Inst, Registers);
  }

  /// Executes \p Inst. \p Taken are registers that have got an address in this
  /// block.
  bool publishes(const MCInst &Inst, Holders &Now, Holders &Taken) const {
    const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
    if (MIB.isCall(Inst)) {
      if (Taken.Registers.anyCommon(Arguments))
        return true;
      Now.Registers &= Kept;
      Taken.Registers &= Kept;
      return false;
    }
    if (MIB.isReturn(Inst))
      return Now.Registers.anyCommon(Results);
    const auto Slot = slotOf(Inst);
    if (Info.mayStore()) {
      const bool Stores = makesAddress(Inst, Now.Registers);
      if (Stores && (!Slot || MIB.isPush(Inst)))
        return true;
      if (Slot && Stores)
        Now.Slots.insert(*Slot);
      else if (Slot && !Info.mayLoad())
        Now.Slots.erase(*Slot);
    }
    const bool IsHeld = Info.mayLoad() && Slot && Now.Slots.contains(*Slot);
    const bool Gets = IsHeld || makesAddress(Inst, Now.Registers);
    const bool GetsNew = makesAddress(Inst, Taken.Registers);
    forEachDef(Inst, Info, [&](MCPhysReg Register) {
      set(Now.Registers, Register, Gets);
      set(Taken.Registers, Register, GetsNew);
    });
    return false;
  }

  template <typename Action>
  void forEachDef(const MCInst &Inst, const MCInstrDesc &Info,
                  Action Do) const {
    for (unsigned I = 0; I < Info.getNumDefs(); ++I)
      if (Inst.getOperand(I).isReg() && Inst.getOperand(I).getReg())
        Do(Inst.getOperand(I).getReg());
    for (MCPhysReg Register : Info.implicit_defs())
      if (Register != MIB.getStackPointer())
        Do(Register);
  }

  void set(BitVector &Registers, MCPhysReg Register, bool Holds) const {
    const BitVector &All = MIB.getAliases(Register);
    if (Holds)
      Registers |= All;
    else
      Registers.reset(All);
  }
};

} // namespace

bool graupel::areLabelsPublished(BinaryFunction &BF) {
  return LabelTables(BF).arePublished();
}
