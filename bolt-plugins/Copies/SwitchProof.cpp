//===- Copies/SwitchProof.cpp - Jump tables with their sizes --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without relocations nothing in the file says where a jump table ends. The code
// says it: a comparison bounds the index on each path to the jump.
//
//   1. Decode the function. Instructions are known by their names in LLVM.
//   2. Abstract interpretation over the blocks. Of each general register it is
//      known: an upper bound for its low 8, 16, 32 and 64 bits; a number for
//      each of these that two registers share if they hold the same value; and
//      whether it holds the address of a table, an entry of one, or the sum of
//      both, which is a target.
//   3. "cmp $n, %r; ja" bounds all registers with the same value behind it. So
//      does a comparison of memory for what is loaded from there next, if
//      nothing is stored between.
//   4. A jump to a target of the table T with an index of at most n is proved:
//      T has n + 1 entries. These become edges, and the interpretation starts
//      again, until no new jump is proved. Until the first jump that disagrees,
//      only known edges were followed; so none disagrees.
//   5. Each entry must lead to an instruction of the function, and the table
//      must be in a section that nobody writes to.
//
// Calls keep the registers that the ABI says they keep.
//
//===----------------------------------------------------------------------===//

#include "SwitchProof.h"
#include "Support/Decoding.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/Support/Endian.h"
#include <set>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// No switch has more entries.
constexpr uint64_t MostEntries = 1 << 20;

struct Step {
  MCInst Inst;
  uint64_t Offset = 0, Size = 0;
  StringRef Name;
};

class Prover {
public:
  Prover(const BinaryFunction &BF, ArrayRef<uint64_t> Entries)
      : BF(BF), BC(BF.getBinaryContext()), MIB(*BC.MIB), Given(Entries) {}

  SwitchProof run() {
    SwitchProof Proof;
    if (!decode())
      return Proof;
    Proof.IsDecoded = true;
    if (Jumps.empty())
      return Proof;
    // Nothing begins between the bytes of an instruction.
    for (uint64_t Entry : Given)
      if (IndexAt.contains(Entry))
        Entries.push_back(Entry);
    numberRegisters();
    // Step 4.
    while (!IsRefuted) {
      const std::map<uint64_t, SwitchTable> Before = Proved;
      Found.clear();
      IsRefuted = !solve();
      // Others were proved with its edges.
      for (const auto &[Jump, Table] : Before)
        if (auto At = Found.find(Jump);
            At == Found.end() || At->second != Table)
          IsRefuted = true;
      for (const auto &[Jump, Table] : Found)
        if (targetsOf(Table))
          Proved[Jump] = Table;
      if (Proved == Before)
        break;
    }
    if (!IsRefuted)
      Proof.Tables = Proved;
    for (uint64_t Jump : Jumps)
      if (!Proof.Tables.contains(Jump))
        Proof.Unproved.push_back(Jump);
    return Proof;
  }

private:
  const BinaryFunction &BF;
  const BinaryContext &BC;
  const MCPlusBuilder &MIB;
  const ArrayRef<uint64_t> Given;
  std::vector<uint64_t> Entries;
  std::vector<Step> Code;
  std::map<uint64_t, size_t> IndexAt; ///< By offset.
  std::vector<uint64_t> Jumps;        ///< Offsets of indirect jumps.
  std::map<uint64_t, SwitchTable> Proved, Found;
  bool IsRefuted = false;
  std::map<size_t, SwitchState>
      Before; ///< By the first instruction of a block.
  std::vector<size_t> Worklist;

  // Step 1.
  bool decode() {
    const ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
    if (!Bytes || Bytes->size() < BF.getSize())
      return false;
    const uint64_t Done =
        decodeInOrder(BC, Bytes->take_front(BF.getSize()), BF.getAddress(),
                      [&](const MCInst &Inst, uint64_t Offset, uint64_t Size) {
                        IndexAt[Offset] = Code.size();
                        Code.push_back({Inst, Offset, Size,
                                        BC.MII->getName(Inst.getOpcode())});
                        if (MIB.isIndirectBranch(Inst))
                          Jumps.push_back(Offset);
                      });
    if (Done != BF.getSize())
      return false;
    return llvm::all_of(Code, [&](const Step &S) {
      const std::optional<uint64_t> Target = branchTarget(S);
      return !Target || *Target >= BF.getSize() || IndexAt.contains(*Target);
    });
  }

  /// The offset that a direct branch leads to; large if it leads elsewhere.
  std::optional<uint64_t> branchTarget(const Step &S) const {
    uint64_t Target = 0;
    if (!MIB.isBranch(S.Inst) || MIB.isIndirectBranch(S.Inst) ||
        !MIB.evaluateBranch(S.Inst, BF.getAddress() + S.Offset, S.Size, Target))
      return std::nullopt;
    return Target - BF.getAddress();
  }

  // General registers by number, and how wide a name of one is.
  std::map<unsigned, std::pair<unsigned, unsigned>> Names;
  std::array<bool, SwitchState::NumRegisters> IsKept = {};
  unsigned Flags = 0;

  void numberRegisters() {
    static constexpr const char *Wide[SwitchState::NumRegisters] = {
        "RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI",
        "R8",  "R9",  "R10", "R11", "R12", "R13", "R14", "R15"};
    const MCRegisterInfo &MRI = *BC.MRI;
    for (unsigned R = 1; R < MRI.getNumRegs(); ++R) {
      if (StringRef(MRI.getName(R)) == "EFLAGS")
        Flags = R;
      const auto At = llvm::find(Wide, StringRef(MRI.getName(R)));
      if (At == std::end(Wide))
        continue;
      const unsigned Number = At - std::begin(Wide);
      Names[R] = {Number, Whole};
      for (MCPhysReg Part : MRI.subregs(R)) {
        const StringRef Name = MRI.getName(Part);
        // The halves of a register that have no name in code, and AH: a change
        // of what is not the lowest bits counts as one of 16.
        unsigned Width = 1;
        if (Name.starts_with("E") || Name.ends_with("D"))
          Width = 2;
        else if (Name.ends_with("L") || Name.ends_with("B"))
          Width = 0;
        Names[Part] = {Number, Width};
      }
      BitVector Saved(MRI.getNumRegs());
      MIB.getCalleeSavedRegs(Saved);
      IsKept[Number] = Saved.test(R) || Number == 4;
    }
  }

  std::optional<std::pair<unsigned, unsigned>> nameOf(unsigned R) const {
    const auto At = Names.find(R);
    return At == Names.end() ? std::nullopt : std::optional(At->second);
  }

  // Step 5.
  std::optional<std::vector<uint64_t>>
  targetsOf(const SwitchTable &Table) const {
    const ErrorOr<const BinarySection &> Home =
        BC.getSectionForAddress(Table.Address);
    if (!Home || Home->isVirtual() || Home->isText() || Home->isWritable() ||
        !Home->containsRange(Table.Address, Table.NumEntries * Table.EntrySize))
      return std::nullopt;
    std::vector<uint64_t> Targets;
    const char *Bytes =
        Home->getContents().data() + (Table.Address - Home->getAddress());
    for (uint64_t I = 0; I < Table.NumEntries; ++I) {
      const char *At = Bytes + I * Table.EntrySize;
      const uint64_t Target =
          Table.EntrySize == 8
              ? support::endian::read64le(At)
              : Table.Address + int64_t(int32_t(support::endian::read32le(At)));
      const uint64_t Offset = Target - BF.getAddress();
      if (Offset >= BF.getSize() || !IndexAt.contains(Offset))
        return std::nullopt;
      Targets.push_back(Offset);
    }
    return Targets;
  }

  // Step 2.
  bool solve() {
    Before.clear();
    Worklist.clear();
    findLeaders();
    flowTo(0, SwitchState());
    for (uint64_t Entry : Entries)
      if (!flowTo(Entry, SwitchState()))
        return false;
    size_t Budget = 200 * Code.size() + 10000;
    while (!Worklist.empty()) {
      const size_t Begin = Worklist.back();
      Worklist.pop_back();
      SwitchState Now = Before[Begin];
      for (size_t I = Begin;; ++I) {
        if (!Budget--)
          return false;
        if (!execute(Code[I], Now))
          break;
        if (I + 1 == Code.size())
          break;
        if (Leaders.contains(Code[I + 1].Offset)) {
          flowTo(Code[I + 1].Offset, Now);
          break;
        }
      }
    }
    return true;
  }

  std::set<uint64_t> Leaders;

  /// Where control comes to from elsewhere, in this interpretation.
  void findLeaders() {
    Leaders = {Entries.begin(), Entries.end()};
    Leaders.insert(0);
    for (const Step &S : Code)
      if (const std::optional<uint64_t> Target = branchTarget(S))
        Leaders.insert(*Target);
    for (const SwitchTable &Table : make_second_range(Proved))
      if (const auto Targets = targetsOf(Table))
        Leaders.insert(Targets->begin(), Targets->end());
  }

  /// \p Now holds where control comes to \p Offset.
  bool flowTo(uint64_t Offset, const SwitchState &Now) {
    const auto At = IndexAt.find(Offset);
    if (At == IndexAt.end())
      return false;
    auto [Old, IsNew] = Before.try_emplace(At->second, Now);
    const SwitchState Merged = IsNew ? Now : Old->second.mergedWith(Now);
    if (!IsNew && Merged == Old->second)
      return true;
    Old->second = Merged;
    Worklist.push_back(At->second);
    return true;
  }

  /// Numbers the bits of \p Register that \p S defines or finds.
  static void number(const Step &S, SwitchState &Now, unsigned Register) {
    Now.number((S.Offset + 1) * SwitchState::NumRegisters + Register, Register);
  }

  /// The operand of \p S in memory.
  std::optional<MCPlusBuilder::X86MemOperand> memory(const Step &S) const {
    return MIB.evaluateX86MemoryOperand(S.Inst);
  }

  MemoryPlace placeOf(const Step &S,
                      const MCPlusBuilder::X86MemOperand &Memory) const {
    MemoryPlace P{Memory.BaseRegNum, Memory.IndexRegNum, Memory.SegRegNum,
                  Memory.ScaleImm, Memory.DispImm};
    // From the instruction: another one names the place otherwise.
    if (Memory.BaseRegNum == BC.MRI->getProgramCounter())
      P.Displacement += BF.getAddress() + S.Offset + S.Size;
    return P;
  }

  static unsigned widthOf(StringRef Name) {
    if (Name.contains("64"))
      return 3;
    if (Name.contains("32"))
      return 2;
    return Name.contains("16") ? 1 : 0;
  }

  /// Step 3: "cmp $constant, something".
  Comparison comparison(const Step &S, const SwitchState &Now) const {
    Comparison C;
    if (!S.Name.starts_with("CMP"))
      return C;
    const StringRef Rest = S.Name.drop_front(3).ltrim("0123456789");
    C.Width = widthOf(S.Name.take_front(5));
    const MCInst &Inst = S.Inst;
    const unsigned NumOperands = MCPlus::getNumPrimeOperands(Inst);
    if (!NumOperands || !Inst.getOperand(NumOperands - 1).isImm())
      return C;
    C.Constant = Inst.getOperand(NumOperands - 1).getImm() & maskOf(C.Width);
    if (Rest.starts_with("m")) {
      const auto Memory = memory(S);
      if (!Memory)
        return C;
      C.IsMemory = C.IsValid = true;
      C.Where = placeOf(S, *Memory);
      return C;
    }
    if (Rest.starts_with("ri")) {
      const auto Name = nameOf(Inst.getOperand(0).getReg());
      // AH is no low part.
      if (!Name || Name->second != C.Width)
        return C;
      C.Register = Name->first;
    } else if (!Rest.starts_with("i")) { // The accumulator.
      return C;
    }
    C.Id = Now.Registers[C.Register].Id[C.Width];
    C.IsValid = true;
    return C;
  }

  /// The address that "lea A(%rip)" or "mov $A" gives.
  std::optional<uint64_t> address(const Step &S) const {
    uint64_t Address = 0;
    if (S.Name == "LEA64r") {
      const auto Memory = memory(S);
      if (!Memory || Memory->IndexRegNum != MIB.getNoRegister() ||
          Memory->BaseRegNum != BC.MRI->getProgramCounter() ||
          !MIB.evaluateMemOperandTarget(S.Inst, Address,
                                        BF.getAddress() + S.Offset, S.Size))
        return std::nullopt;
      return Address;
    }
    if ((S.Name == "MOV32ri" || S.Name == "MOV64ri" || S.Name == "MOV64ri32") &&
        S.Inst.getOperand(1).isImm())
      return S.Inst.getOperand(1).getImm() &
             maskOf(S.Name == "MOV32ri" ? 2 : Whole);
    return std::nullopt;
  }

  /// What \p S loads if it is an entry of a table.
  std::optional<SwitchTable> entry(const Step &S, const SwitchState &Now,
                                   unsigned Size) const {
    const auto Memory = memory(S);
    if (!Memory || Memory->ScaleImm != int64_t(Size) ||
        Memory->SegRegNum != MIB.getNoRegister() || Memory->DispExpr)
      return std::nullopt;
    const auto Index = nameOf(Memory->IndexRegNum);
    if (!Index || Index->second != Whole)
      return std::nullopt;
    const uint64_t Max = Now.Registers[Index->first].Max[Whole];
    if (Max >= MostEntries)
      return std::nullopt;
    uint64_t Table = Memory->DispImm;
    if (Memory->BaseRegNum != MIB.getNoRegister()) {
      const auto Base = nameOf(Memory->BaseRegNum);
      if (!Base || Base->second != Whole || Memory->DispImm ||
          Now.Registers[Base->first].Is != RegisterValue::Kind::Address)
        return std::nullopt;
      Table = Now.Registers[Base->first].Table.Address;
    } else if (Size == 4) { // Which address would be added to it?
      return std::nullopt;
    }
    return SwitchTable{Table, Max + 1, Size};
  }

  /// What \p S writes to its first operand, if anything is known of that.
  std::optional<RegisterValue> result(const Step &S,
                                      const SwitchState &Now) const {
    const MCInst &Inst = S.Inst;
    // Nothing is known of registers that are not followed, as those of APX.
    static const RegisterValue Unknown;
    auto of = [&](unsigned Operand) -> const RegisterValue & {
      const auto Name = Inst.getOperand(Operand).isReg()
                            ? nameOf(Inst.getOperand(Operand).getReg())
                            : std::nullopt;
      return Name ? Now.Registers[Name->first] : Unknown;
    };
    // AH is no low part of its register.
    auto isLow = [&](unsigned Operand, unsigned Width) {
      const auto Name = nameOf(Inst.getOperand(Operand).getReg());
      return Name && Name->second == Width;
    };
    auto kind = [](RegisterValue::Kind Is, const SwitchTable &Table) {
      RegisterValue V;
      V.Is = Is;
      V.Table = Table;
      return V;
    };
    if (const std::optional<uint64_t> Address = address(S)) {
      RegisterValue V = kind(RegisterValue::Kind::Address, {*Address, 0, 0});
      V.Max[Whole] = *Address;
      V.normalize();
      return V;
    }
    if (S.Name == "MOV64rr" || S.Name == "MOV64rr_REV")
      return of(1);
    if (S.Name == "MOV32rr" || S.Name == "MOV32rr_REV")
      return of(1).extended(2);
    if ((S.Name == "MOVZX32rr8" || S.Name == "MOVZX64rr8") && isLow(1, 0))
      return of(1).extended(0);
    if ((S.Name == "MOVZX32rr16" || S.Name == "MOVZX64rr16") && isLow(1, 1))
      return of(1).extended(1);
    // A sign that is 0.
    if (S.Name == "MOVSX64rr32" && of(1).Max[2] <= INT32_MAX)
      return of(1).extended(2);
    if (S.Name == "MOVSX64rr8" && isLow(1, 0) && of(1).Max[0] <= INT8_MAX)
      return of(1).extended(0);
    if (S.Name == "MOVSX64rr16" && isLow(1, 1) && of(1).Max[1] <= INT16_MAX)
      return of(1).extended(1);
    if (S.Name.starts_with("AND32ri") || S.Name.starts_with("AND64ri")) {
      const unsigned Width = S.Name.starts_with("AND32") ? 2 : 3;
      if (!Inst.getOperand(2).isImm())
        return std::nullopt;
      RegisterValue V;
      V.Max[Whole] = Inst.getOperand(2).getImm() & maskOf(Width);
      V.Max[Whole] = std::min(V.Max[Whole], of(1).Max[Width]);
      V.normalize();
      return V;
    }
    if (S.Name == "SHR32ri" || S.Name == "SHR64ri") {
      const unsigned Width = S.Name == "SHR32ri" ? 2 : 3;
      RegisterValue V;
      V.Max[Whole] = of(1).Max[Width] >>
                     (Inst.getOperand(2).getImm() & (Width == 2 ? 31 : 63));
      V.normalize();
      return V;
    }
    if (S.Name == "MOVSX64rm32")
      if (const auto Table = entry(S, Now, 4))
        return kind(RegisterValue::Kind::Entry, *Table);
    if (S.Name == "MOV64rm")
      if (const auto Table = entry(S, Now, 8))
        return kind(RegisterValue::Kind::Target, *Table);
    if (S.Name == "ADD64rr" || S.Name == "ADD64rr_REV")
      if (const auto Table = of(1).plus(of(2)))
        return kind(RegisterValue::Kind::Target, *Table);
    if (S.Name == "LEA64r")
      if (const auto Memory = memory(S); Memory && Memory->ScaleImm == 1 &&
                                         !Memory->DispImm && !Memory->DispExpr)
        if (const auto Base = nameOf(Memory->BaseRegNum),
            Index = nameOf(Memory->IndexRegNum);
            Base && Index)
          if (const auto Table =
                  Now.Registers[Base->first].plus(Now.Registers[Index->first]))
            return kind(RegisterValue::Kind::Target, *Table);
    return loaded(S, Now);
  }

  /// What is loaded from memory that was compared.
  std::optional<RegisterValue> loaded(const Step &S,
                                      const SwitchState &Now) const {
    unsigned Width = 0;
    if (S.Name == "MOV32rm")
      Width = 2;
    else if (S.Name == "MOV64rm")
      Width = 3;
    else if (S.Name == "MOVZX32rm8" || S.Name == "MOVZX64rm8")
      Width = 0;
    else if (S.Name == "MOVZX32rm16" || S.Name == "MOVZX64rm16")
      Width = 1;
    else
      return std::nullopt;
    RegisterValue V;
    V.Max[Whole] = maskOf(Width);
    if (const auto Memory = memory(S))
      if (Now.Memory.IsValid && Now.Memory.Width == Width &&
          Now.Memory.Where == placeOf(S, *Memory))
        V.Max[Whole] = Now.Memory.Max;
    V.normalize();
    return V;
  }

  /// Executes \p S. False if control does not go on behind it.
  bool execute(const Step &S, SwitchState &Now) {
    if (MIB.isIndirectBranch(S.Inst)) {
      jump(S, Now);
      return false;
    }
    if (const std::optional<uint64_t> Target = branchTarget(S)) {
      const bool IsConditional = MIB.isConditionalBranch(S.Inst);
      constexpr unsigned Counter = 1;
      if (S.Name.starts_with("LOOP"))
        Now.Registers[Counter] = {};
      SwitchState Taken = Now;
      if (IsConditional && Now.Flags.IsValid)
        split(S, Taken, Now);
      if (*Target < BF.getSize())
        flowTo(*Target, Taken);
      if (!IsConditional && MIB.isUnconditionalBranch(S.Inst))
        return false;
      return true;
    }
    if (MIB.isReturn(S.Inst))
      return false;
    writeAll(S, Now);
    return true;
  }

  void split(const Step &S, SwitchState &Taken, SwitchState &Behind) const {
    enum { Below = 2, NotBelow = 3, NotAbove = 6, Above = 7 };
    const uint64_t Constant = Behind.Flags.Constant;
    if (!S.Name.starts_with("JCC"))
      return;
    switch (S.Inst.getOperand(1).getImm()) {
    case Above:
      return Behind.bound(Constant);
    case NotAbove:
      return Taken.bound(Constant);
    case NotBelow:
      if (Constant)
        Behind.bound(Constant - 1);
      return;
    case Below:
      if (Constant)
        Taken.bound(Constant - 1);
      return;
    }
  }

  /// Registers that \p S copies or compares get numbers, to be shared.
  void numberSources(const Step &S, SwitchState &Now) {
    if (!S.Name.starts_with("MOV") && !S.Name.starts_with("CMP"))
      return;
    for (const MCOperand &Operand : MCPlus::primeOperands(S.Inst))
      if (const auto Name =
              Operand.isReg() ? nameOf(Operand.getReg()) : std::nullopt)
        if (llvm::is_contained(Now.Registers[Name->first].Id, 0u))
          number(S, Now, Name->first);
  }

  void writeAll(const Step &S, SwitchState &Now) {
    const MCInstrDesc &Info = BC.MII->get(S.Inst.getOpcode());
    numberSources(S, Now);
    const Comparison C = comparison(S, Now);
    const std::optional<RegisterValue> Result = result(S, Now);
    const bool IsCall = MIB.isCall(S.Inst);
    const bool IsStrange = !C.IsValid && !Result && !IsCall &&
                           !MIB.isNoop(S.Inst) &&
                           Info.hasUnmodeledSideEffects();
    if (IsCall || Info.mayStore() || IsStrange) {
      Now.Memory = {};
      if (Now.Flags.IsMemory)
        Now.Flags = {};
    }
    // LLVM does not name all registers of system instructions and of those
    // with a prefix.
    if (IsStrange || MIB.isPrefix(S.Inst) || S.Name.contains("REP"))
      for (unsigned R = 0; R < SwitchState::NumRegisters; ++R)
        Now.Registers[R] = {};
    if (IsStrange)
      Now.Flags = {};
    std::optional<unsigned> Written;
    auto write = [&](unsigned R) {
      if (R == Flags) {
        Now.Flags = {};
        return;
      }
      forget(Now, R);
      const auto Name = nameOf(R);
      if (!Name)
        return;
      const auto [Number, Width] = *Name;
      RegisterValue &V = Now.Registers[Number];
      const bool IsSmall = V.Max[Whole] <= maskOf(2);
      V = {};
      if (Width == 2 || (Width < 2 && IsSmall)) {
        V.Max[Whole] = maskOf(2);
        V.normalize();
      }
      number(S, Now, Number);
    };
    for (unsigned I = 0; I < Info.getNumDefs(); ++I)
      if (S.Inst.getOperand(I).isReg()) {
        write(S.Inst.getOperand(I).getReg());
        if (const auto Name = nameOf(S.Inst.getOperand(I).getReg());
            Name && I == 0)
          Written = Name->first;
      }
    for (MCPhysReg R : Info.implicit_defs())
      write(R);
    if (IsCall)
      for (unsigned R = 0; R < SwitchState::NumRegisters; ++R)
        if (!IsKept[R])
          Now.Registers[R] = {};
    if (IsCall)
      Now.Flags = {};
    if (Result && Written) {
      Now.Registers[*Written] = *Result;
      number(S, Now, *Written);
    }
    if (C.IsValid)
      Now.Flags = C;
  }

  /// \p R changes, so what was named by it is another place.
  void forget(SwitchState &Now, unsigned R) const {
    auto isNamed = [&](const MemoryPlace &P) {
      return (P.Base && BC.MRI->regsOverlap(P.Base, R)) ||
             (P.Index && BC.MRI->regsOverlap(P.Index, R));
    };
    if (isNamed(Now.Memory.Where))
      Now.Memory = {};
    if (Now.Flags.IsMemory
            ? isNamed(Now.Flags.Where)
            : !Now.Flags.Id && nameOf(R)->first == Now.Flags.Register)
      Now.Flags = {};
  }

  void jump(const Step &S, const SwitchState &Now) {
    std::optional<SwitchTable> Table;
    if (S.Name.starts_with("JMP64r")) {
      if (const auto Name = nameOf(S.Inst.getOperand(0).getReg()))
        if (const RegisterValue &V = Now.Registers[Name->first];
            V.Is == RegisterValue::Kind::Target)
          Table = V.Table;
    } else if (S.Name.starts_with("JMP64m")) {
      Table = entry(S, Now, 8);
    }
    if (Table)
      Found[S.Offset] = *Table; // The last visit has the final state.
    else
      Found.erase(S.Offset);
    if (const auto At = Proved.find(S.Offset); At != Proved.end())
      if (const auto Targets = targetsOf(At->second))
        for (uint64_t Target : *Targets)
          flowTo(Target, Now);
  }
};

} // namespace

SwitchProof graupel::proveSwitches(const BinaryFunction &BF,
                                   ArrayRef<uint64_t> Entries) {
  return Prover(BF, Entries).run();
}
