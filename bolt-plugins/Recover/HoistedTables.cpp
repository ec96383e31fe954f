//===- Recover/HoistedTables.cpp - Switches with a distant table ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// recoverHoistedTables, on the instructions of one function and of its cold parts:
// 1. Decode them anew from their bytes, so that every address is still there
//    (WholeFunction).
// 2. Find jumps of the form
//        movslq (%base,%index,4), %r
//        add    %base, %r            (with other instructions between)
//        jmp    *%r
//    in one straight line whose base is loaded elsewhere, and the tables that
//    "lea table(%rip), %base" loads. BOLT guesses at the last one that comes
//    before the jump in address order, and later drops the function because it
//    cannot know.
// 3. Build the flow of the function; behind a call that never returns, nothing
//    follows (Support/Returns). A jump whose base register holds one table
//    on all paths to it leads to where that table does (RegisterFlow).
//
//===----------------------------------------------------------------------===//

#include "IndirectBranches.h"
#include "RegisterFlow.h"
#include "Support/BoltInternals.h"
#include "Support/Returns.h"
#include "WholeFunction.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/JumpTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstrInfo.h"
#include <map>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

constexpr uint64_t TableEntrySize = 4;

/// Filled while BOLT disassembles, which it does in one thread; only read
/// later.
std::map<const BinaryFunction *, std::set<uint64_t>> &tiedJumpsByFunction() {
  static std::map<const BinaryFunction *, std::set<uint64_t>> Jumps;
  return Jumps;
}

/// The finder of returns for the program that is disassembled.
ReturnFinder &returns(BinaryContext &BC) {
  static ReturnFinder Finder(BC, ReturnFinder::By::Proof);
  return Finder;
}

/// A jump as in step 2.
struct TableJump {
  uint32_t Jump; ///< Index of the jump, and of the instruction that loads the
  uint32_t Load; ///< table's entry.
  uint32_t Add;  ///< The instruction that adds the base.
  MCPhysReg Base;
  MCPhysReg Index;
};

class HoistedTables {
public:
  explicit HoistedTables(BinaryFunction &BF)
      : BF(BF), BC(BF.getBinaryContext()), MIB(*BC.MIB), Whole(BF),
        Code(Whole.code()) {}

  void run() {
    if (Code.empty())
      return;
    for (const auto &[Offset, Table] : BF.*member(internals::JTSitesTag()))
      KnownTables[Offset] = Table;
    for (uint32_t I = 0; I < Whole.numOwn(); ++I)
      if (MIB.isIndirectBranch(Code[I].Inst))
        if (std::optional<TableJump> Found = matchJump(I)) {
          Jumps.push_back(*Found);
          KnownTables.erase(Code[I].Offset);
        }
    if (Jumps.empty())
      return;
    collectTables();
    const RegisterFlow Flow = buildFlow();
    const RegisterFlow::Solution Solved = Flow.solve();
    for (const TableJump &Jump : Jumps)
      if (std::optional<uint64_t> Table = tableAt(Jump, Solved))
        Proven.push_back({Jump, *Table});
    // Two jumps through one table: BOLT would want to duplicate the table and
    // knows only how to find its address in the block of the jump.
    for (const auto &[Jump, Table] : Proven)
      if (numJumpsThrough(Table) == 1)
        tie(Jump, Table);
  }

private:
  BinaryFunction &BF;
  BinaryContext &BC;
  const MCPlusBuilder &MIB;
  const WholeFunction Whole;
  const ArrayRef<DecodedInst> Code;
  std::vector<TableJump> Jumps;
  std::vector<MCPhysReg> Bases; ///< The base registers of the jumps.
  std::vector<std::pair<TableJump, uint64_t>> Proven;
  /// The table of each other jump, as BOLT sees it, by the jump's offset.
  std::map<uint64_t, uint64_t> KnownTables;
  /// The instructions that a table leads to.
  std::map<uint64_t, std::vector<uint32_t>> TargetsOf;

  bool defines(uint32_t I, MCPhysReg Reg) const {
    return BC.MII->get(Code[I].Inst.getOpcode())
        .hasDefOfPhysReg(Code[I].Inst, Reg, *BC.MRI);
  }

  bool isOpcode(uint32_t I, StringRef Name) const {
    return BC.MII->getName(Code[I].Inst.getOpcode()) == Name;
  }

  /// Nothing but the instruction before it leads to instruction \p I.
  bool isInLine(uint32_t I) const {
    return I > 0 && !BF.hasLabelAt(Code[I].Offset) &&
           !Whole.isEnteredByPart(Code[I].Offset) &&
           !MIB.isTerminator(Code[I - 1].Inst) && !MIB.isCall(Code[I - 1].Inst);
  }

  /// The definition of \p Reg that reaches instruction \p I in its line.
  std::optional<uint32_t> definitionBefore(uint32_t I, MCPhysReg Reg) const {
    while (isInLine(I))
      if (defines(--I, Reg))
        return I;
    return std::nullopt;
  }

  /// Step 2, from the jump backwards.
  std::optional<TableJump> matchJump(uint32_t Jump) const {
    const MCInst &JumpInst = Code[Jump].Inst;
    if (MCPlus::getNumPrimeOperands(JumpInst) != 1 ||
        !JumpInst.getOperand(0).isReg())
      return std::nullopt;
    const MCPhysReg Target = JumpInst.getOperand(0).getReg();
    std::optional<uint32_t> Add = definitionBefore(Jump, Target);
    if (!Add || !isOpcode(*Add, "ADD64rr"))
      return std::nullopt;
    // add %base, %target: operands are target, target, base.
    const MCPhysReg Base = Code[*Add].Inst.getOperand(2).getReg();
    std::optional<uint32_t> Load = definitionBefore(*Add, Target);
    if (Base == Target || !Load || !isOpcode(*Load, "MOVSX64rm32"))
      return std::nullopt;
    std::optional<MCPlusBuilder::X86MemOperand> Memory =
        MIB.evaluateX86MemoryOperand(Code[*Load].Inst);
    if (!Memory || Memory->BaseRegNum != Base ||
        Memory->ScaleImm != TableEntrySize || Memory->DispImm ||
        Memory->IndexRegNum == MIB.getNoRegister() ||
        Memory->SegRegNum != MIB.getNoRegister())
      return std::nullopt;
    for (uint32_t I = *Load; I < *Add; ++I)
      if (defines(I, Base))
        return std::nullopt;
    if (std::optional<uint32_t> Lea = definitionBefore(*Load, Base))
      if (addressLoaded(*Lea, Base))
        return std::nullopt; // BOLT sees this one.
    return TableJump{Jump, *Load, *Add, Base,
                     static_cast<MCPhysReg>(Memory->IndexRegNum)};
  }

  /// The address that instruction \p I loads into \p Reg as "lea A(%rip), Reg".
  std::optional<uint64_t> addressLoaded(uint32_t I, MCPhysReg Reg) const {
    const DecodedInst &D = Code[I];
    uint64_t Address = 0;
    if (!MIB.isLEA64r(D.Inst) || D.Inst.getOperand(0).getReg() != Reg ||
        !MIB.evaluateMemOperandTarget(D.Inst, Address, D.address(), D.Size))
      return std::nullopt;
    return Address;
  }

  /// Finds the tables that can be meant, and where each leads to.
  void collectTables() {
    std::set<uint64_t> Tables;
    for (const auto &[Offset, Table] : KnownTables)
      Tables.insert(Table);
    for (const TableJump &Jump : Jumps)
      if (!llvm::is_contained(Bases, Jump.Base))
        Bases.push_back(Jump.Base);
    for (MCPhysReg Base : Bases)
      for (uint32_t I = 0; I < Code.size(); ++I)
        if (std::optional<uint64_t> Address = addressLoaded(I, Base))
          if (const JumpTable *Table =
                  BC.getJumpTableContainingAddress(*Address))
            if (Table->Type == JumpTable::JTT_PIC &&
                Table->getAddress() == *Address)
              Tables.insert(*Address);
    for (auto It = Tables.begin(); It != Tables.end(); ++It) {
      const JumpTable *Table = BC.getJumpTableContainingAddress(*It);
      auto Next = std::next(It);
      JumpTable::AddressesType Entries;
      if (!Table ||
          !BC.analyzeJumpTable(*It, Table->Type, BF,
                               Next == Tables.end() ? 0 : *Next, &Entries))
        continue;
      std::vector<uint32_t> &Targets = TargetsOf[*It];
      for (uint64_t Entry : Entries)
        if (std::optional<uint32_t> I = Whole.indexAt(Entry))
          Targets.push_back(*I);
    }
  }

  /// Step 3.
  RegisterFlow buildFlow() const {
    RegisterFlow Flow;
    Flow.NumRegisters = Bases.size();
    Flow.Nodes.resize(Code.size());
    Flow.Targets = TargetsOf;
    const BitVector Saved = calleeSaved();
    for (uint32_t I = 0; I < Code.size(); ++I) {
      RegisterFlow::Node &Node = Flow.Nodes[I];
      for (uint32_t R = 0; R < Bases.size(); ++R)
        if (std::optional<uint64_t> Address = addressLoaded(I, Bases[R]))
          Node.Writes.push_back({R, *Address});
        else if (defines(I, Bases[R]) ||
                 (MIB.isCall(Code[I].Inst) && !Saved.test(Bases[R])))
          Node.Writes.push_back({R, std::nullopt});
      addSuccessors(Node, I);
      if (auto Known = KnownTables.find(Code[I].Offset);
          Code[I].Owner == &BF && Known != KnownTables.end())
        llvm::append_range(Node.Successors, Flow.Targets[Known->second]);
    }
    for (const TableJump &Jump : Jumps)
      Flow.Nodes[Jump.Jump].Through = {Jump.Load, baseOf(Jump)};
    return Flow;
  }

  uint32_t baseOf(const TableJump &Jump) const {
    return llvm::find(Bases, Jump.Base) - Bases.begin();
  }

  BitVector calleeSaved() const {
    BitVector Saved(BC.MRI->getNumRegs());
    MIB.getCalleeSavedRegs(Saved);
    return Saved;
  }

  void addSuccessors(RegisterFlow::Node &Node, uint32_t I) const {
    const DecodedInst &D = Code[I];
    uint64_t Target = 0;
    if (MIB.isBranch(D.Inst) && !MIB.isIndirectBranch(D.Inst) &&
        MIB.evaluateBranch(D.Inst, D.address(), D.Size, Target))
      if (std::optional<uint32_t> To = Whole.indexAt(Target))
        Node.Successors.push_back(*To);
    const bool Ends =
        MIB.isReturn(D.Inst) || MIB.isUnconditionalBranch(D.Inst) ||
        MIB.isIndirectBranch(D.Inst) ||
        (MIB.isCall(D.Inst) && !returns(BC).mayReturn(*D.Owner, D.Offset));
    if (!Ends && I + 1 < Code.size() && Code[I + 1].Owner == D.Owner)
      Node.Successors.push_back(I + 1);
  }

  /// A compiler's way to write 0, which does not depend on what was there.
  /// MIB.isCleanRegXOR() takes 16 bits for all.
  bool isZero(uint32_t I) const {
    const MCInst &Inst = Code[I].Inst;
    return (isOpcode(I, "XOR32rr") || isOpcode(I, "XOR64rr")) &&
           Inst.getOperand(1).getReg() == Inst.getOperand(2).getReg();
  }

  /// True if \p Reg, wherever it may hold \p Table, is read by nothing but
  /// jumps through the table: another reader would miss the table once it is
  /// moved.
  bool onlyJumpsRead(MCPhysReg Reg, const std::vector<bool> &Holds) const {
    for (uint32_t I = 0; I < Code.size(); ++I) {
      if (!Holds[I] || addressLoaded(I, Reg) || isZero(I))
        continue;
      const bool PartOfJump = llvm::any_of(Jumps, [&](const TableJump &Jump) {
        return Jump.Base == Reg && (Jump.Load == I || Jump.Add == I);
      });
      if (PartOfJump)
        continue;
      // If a register of parameters still holds it at a call, it is no
      // parameter: no source names a table. Callees with a variable number of
      // arguments store it, no more.
      BitVector Used(BC.MRI->getNumRegs());
      MIB.getUsedRegs(Code[I].Inst, Used);
      if (Used.anyCommon(MIB.getAliases(Reg)))
        return false;
    }
    return true;
  }

  /// Step 3: the table whose address the base register surely holds.
  std::optional<uint64_t> tableAt(const TableJump &Jump,
                                  const RegisterFlow::Solution &Flow) const {
    const uint32_t Base = baseOf(Jump);
    const std::optional<uint64_t> Table = Flow.before(Jump.Load, Base);
    if (!Table || !TargetsOf.count(*Table) || isLoadedByPart(*Table) ||
        !onlyJumpsRead(Jump.Base, Flow.mayHold(Base, *Table)))
      return std::nullopt;
    return Table;
  }

  /// Code that loads it has to name it anew, which only the function itself
  /// does.
  bool isLoadedByPart(uint64_t Table) const {
    for (uint32_t I = Whole.numOwn(); I < Code.size(); ++I)
      for (MCPhysReg Base : Bases)
        if (addressLoaded(I, Base) == Table)
          return true;
    return false;
  }

  size_t numJumpsThrough(uint64_t Table) const {
    return llvm::count_if(Proven, [&](auto &P) { return P.second == Table; }) +
           llvm::count_if(KnownTables,
                          [&](auto &Site) { return Site.second == Table; });
  }

  void tie(const TableJump &Jump, uint64_t Table) {
    const uint64_t Offset = Code[Jump.Jump].Offset;
    MCInst *Inst = BF.getInstructionAtOffset(Offset);
    const MCSymbol *Label =
        BC.getOrCreateJumpTable(BF, Table, JumpTable::JTT_PIC);
    for (uint32_t I = 0; I < Whole.numOwn(); ++I)
      if (addressLoaded(I, Jump.Base) == Table)
        BC.MIB->replaceMemOperandDisp(
            *BF.getInstructionAtOffset(Code[I].Offset), Label, BC.Ctx.get());
    if (BC.MIB->getJumpTable(*Inst))
      BC.MIB->unsetJumpTable(*Inst);
    BC.MIB->setJumpTable(*Inst, Table, Jump.Index);
    auto &Sites = BF.*member(internals::JTSitesTag());
    llvm::erase_if(Sites, [&](auto &Site) { return Site.first == Offset; });
    Sites.emplace_back(Offset, Table);
    (BF.*member(internals::UnknownIndirectBranchOffsetsTag())).erase(Offset);
    tiedJumpsByFunction()[&BF].insert(Offset);
    Whole.noteEntries();
  }
};

} // namespace

const std::set<uint64_t> &graupel::tiedJumps(const BinaryFunction &BF) {
  static const std::set<uint64_t> None;
  auto It = tiedJumpsByFunction().find(&BF);
  return It == tiedJumpsByFunction().end() ? None : It->second;
}

void graupel::recoverHoistedTables(BinaryFunction &BF) {
  // A landing pad is entered from inside calls; edges for that are not
  // modeled.
  if (!BF.isSimple() || BF.getState() != BinaryFunction::State::Disassembled ||
      BF.getLSDAAddress() || llvm::none_of(BF.instrs(), [&](auto &At) {
        return BF.getBinaryContext().MIB->isIndirectBranch(At.second);
      }))
    return;
  HoistedTables(BF).run();
}
