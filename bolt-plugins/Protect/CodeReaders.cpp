//===- Protect/CodeReaders.cpp - Functions whose code others read ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs copy functions, compare them, write over them or take the distance
// of one from the next for its size. All of this needs the instructions as the
// compiler made them: counters of instrumented code, say, are found by their
// distance from the instruction, which a copy does not have.
//
// 1. Only functions count that take the address of one, be it their own, or load
//    it from a constant.
// 2. Follow these addresses, and what is computed from them, through registers
//    and slots of the frame, along all edges, to a fixed point. Where edges
//    meet, a register may have each of several addresses. It has none if it
//    has none on one of the edges: programs use the same register for
//    functions and for data, and do not load on the paths where it is the
//    former.
// 3. A load or store through such a register touches code. So do functions of
//    libraries that get it for the data they read or write.
// 4. The difference of two such registers is a size.
//
// The uses that a function of the program makes of an address that it was given
// are not followed.
//
//===----------------------------------------------------------------------===//

#include "ConstantWords.h"
#include "KnownPlaces.h"
#include "Protected.h"
#include "Support/FunctionEntry.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/Support/Endian.h"
#include <map>
#include <set>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

using FunctionSet = std::set<BinaryFunction *>;

/// A register, or the slot so far from what a register holds.
struct Place {
  MCPhysReg Register;
  bool IsSlot = false;
  int64_t Offset = 0;

  bool operator<(const Place &Other) const {
    return std::tie(Register, IsSlot, Offset) <
           std::tie(Other.Register, Other.IsSlot, Other.Offset);
  }
};

using State = std::map<Place, FunctionSet>;

/// True if these read or write what their first two parameters point to.
bool touchesData(StringRef Name) {
  Name =
      Name.take_until([](char C) { return C == '@' || C == '/' || C == '$'; });
  return StringSwitch<bool>(Name)
      .Cases({"memcpy", "memmove", "mempcpy", "__memcpy_chk", "__memmove_chk",
              "__mempcpy_chk"},
             true)
      .Cases({"memcmp", "bcmp", "bcopy", "memset", "__memset_chk", "mprotect",
              "pkey_mprotect"},
             true)
      .Cases({"write", "pwrite", "pwrite64", "send", "sendto", "fwrite"}, true)
      .Default(false);
}

class AddressFlow {
public:
  AddressFlow(BinaryFunction &BF, function_ref<void(BinaryFunction &)> Note)
      : BF(BF), BC(BF.getBinaryContext()), MIB(*BC.MIB), Note(Note),
        Preserved(BC.MRI->getNumRegs()) {
    MIB.getCalleeSavedRegs(Preserved);
    for (unsigned R = 1; R < BC.MRI->getNumRegs() && !DirectionFlag; ++R)
      if (StringRef(BC.MRI->getName(R)) == "DF")
        DirectionFlag = R;
  }

  void run() {
    if (!takesAddresses())
      return;
    SetVector<BinaryBasicBlock *> Worklist;
    std::map<BinaryBasicBlock *, State> Into; // For blocks that were reached.
    for (BinaryBasicBlock &Block : BF)
      if (Block.isEntryPoint() || (Block.pred_empty() && Block.throw_empty())) {
        Into[&Block];
        Worklist.insert(&Block);
      }
    while (!Worklist.empty()) {
      BinaryBasicBlock *Block = Worklist.pop_back_val();
      const State Now = behind(*Block, Into[Block]);
      for (auto Next : {Block->successors(), Block->landing_pads()})
        for (BinaryBasicBlock *To : Next) {
          const auto [At, IsNew] = Into.insert({To, Now});
          if (IsNew || join(At->second, Now))
            Worklist.insert(To);
        }
    }
    IsFixed = true;
    for (const auto &[Block, Now] : Into)
      behind(*Block, Now);
  }

private:
  BinaryFunction &BF;
  BinaryContext &BC;
  const MCPlusBuilder &MIB;
  function_ref<void(BinaryFunction &)> Note;
  BitVector Preserved; ///< By calls.
  MCPhysReg DirectionFlag = 0;
  bool IsFixed = false; ///< The fixed point is reached: note what is found.

  using Memory = std::optional<MCPlusBuilder::X86MemOperand>;

  /// The known state behind \p Block if \p Now is the one before it.
  State behind(const BinaryBasicBlock &Block, State Now) const {
    for (const MCInst &Inst : Block)
      if (!MIB.isPseudo(Inst) && !MIB.isCFI(Inst))
        step(Inst, Now);
    return Now;
  }

  /// Keep what both know, with the functions of both. True if \p Into changed.
  static bool join(State &Into, const State &From) {
    bool Changed = false;
    for (auto It = Into.begin(); It != Into.end();) {
      const auto Other = From.find(It->first);
      if (Other == From.end()) {
        It = Into.erase(It);
        Changed = true;
        continue;
      }
      for (BinaryFunction *F : Other->second)
        Changed |= It->second.insert(F).second;
      ++It;
    }
    return Changed;
  }

  bool isControl(const MCInst &Inst) const {
    return MIB.isCall(Inst) || MIB.isBranch(Inst) || MIB.isReturn(Inst);
  }

  // Step 1.
  bool takesAddresses() const {
    return any_of(BF, [&](const BinaryBasicBlock &Block) {
      return any_of(Block, [&](const MCInst &Inst) {
        return !MIB.isPseudo(Inst) && !MIB.isCFI(Inst) &&
               (addressIn(Inst) || addressLoaded(Inst));
      });
    });
  }

  /// The function whose address is an operand of \p Inst.
  BinaryFunction *addressIn(const MCInst &Inst) const {
    if (isControl(Inst))
      return nullptr;
    for (const MCOperand &Op : MCPlus::primeOperands(Inst)) {
      if (!Op.isExpr())
        continue;
      const auto [Symbol, Addend] = MIB.getTargetSymbolInfo(Op.getExpr());
      const FunctionEntry Entry = findFunctionEntry(BC, Symbol);
      if (Entry.Function && Entry.IsBeginning &&
          !Entry.Function->isPLTFunction())
        return Entry.Function;
    }
    return nullptr;
  }

  /// The other function whose address \p Inst loads.
  BinaryFunction *addressLoaded(const MCInst &Inst) const {
    BinaryFunction *Loaded = functionLoaded(BC, Inst);
    return Loaded != &BF ? Loaded : nullptr;
  }

  /// The whole register, if \p Register is part of one that holds addresses.
  MCPhysReg whole(MCPhysReg Register) const {
    static const std::vector<MCPhysReg> Wholes = [&] {
      std::vector<MCPhysReg> Result;
      for (unsigned R = 1; R < BC.MRI->getNumRegs(); ++R) {
        StringRef Name = BC.MRI->getName(R);
        unsigned Number;
        if (Name.size() == 3 &&
            is_contained({"RAX", "RBX", "RCX", "RDX", "RSI", "RDI", "RBP"},
                         Name))
          Result.push_back(R);
        else if (Name.consume_front("R") && !Name.getAsInteger(10, Number) &&
                 Number < 16)
          Result.push_back(R);
      }
      return Result;
    }();
    for (MCPhysReg R : Wholes)
      if (Register && BC.MRI->isSubRegisterEq(R, Register))
        return R;
    return 0;
  }

  FunctionSet valueOf(MCPhysReg Register, const State &Now) const {
    const auto At = Now.find({whole(Register)});
    return At == Now.end() ? FunctionSet() : At->second;
  }

  /// The place of \p M in the frame.
  std::optional<Place> slot(const Memory &M) const {
    if (!M || M->DispExpr || M->IndexRegNum != MIB.getNoRegister() ||
        (M->BaseRegNum != MIB.getStackPointer() &&
         M->BaseRegNum != MIB.getFramePointer()))
      return std::nullopt;
    return Place{MCPhysReg(M->BaseRegNum), true, M->DispImm};
  }

  void noteAll(const FunctionSet &Functions) const {
    if (IsFixed)
      for (BinaryFunction *F : Functions)
        Note(*F);
  }

  bool readsUnnamed(const MCInstrDesc &Info, MCPhysReg Register) const {
    return any_of(Info.implicit_uses(), [&](MCPhysReg R) {
      return BC.MRI->regsOverlap(R, Register);
    });
  }

  void step(const MCInst &Inst, State &Now) const {
    if (MIB.isCall(Inst))
      return call(Inst, Now);
    if (isControl(Inst) || MIB.isNoop(Inst))
      return;
    const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
    const Memory M = MIB.evaluateX86MemoryOperand(Inst);
    const bool Accesses = (Info.mayLoad() || Info.mayStore()) && M;
    if (Accesses)
      access(Inst, *M, Now);
    // String instructions access what RDI, RSI or both point to. LLVM says no
    // more than that they read these.
    if (Info.hasImplicitUseOfPhysReg(DirectionFlag))
      for (unsigned Parameter : {0, 1})
        if (readsUnnamed(Info, MIB.getIntArgRegister(Parameter)))
          noteAll(valueOf(MIB.getIntArgRegister(Parameter), Now));
    FunctionSet Value = computed(Inst, Accesses, Now);
    if (BinaryFunction *Loaded = addressLoaded(Inst);
        Loaded && BC.MII->getName(Inst.getOpcode()).starts_with("MOV64rm"))
      Value.insert(Loaded);
    if (const std::optional<Place> Slot = slot(M)) {
      if (Info.mayLoad())
        if (const auto At = Now.find(*Slot); At != Now.end())
          Value.insert(At->second.begin(), At->second.end());
      if (Info.mayStore())
        Now[*Slot] = Value;
      if (Value.empty())
        Now.erase(*Slot);
    }
    define(Inst, Info, Value, Now);
  }

  /// Indirect functions are no functions in BOLT's eyes, but names.
  bool touchesDataNamed(uint64_t Address) const {
    const auto HasName = [](const MCSymbol *Symbol) {
      return touchesData(Symbol->getName());
    };
    const BinaryFunction *BF = BC.getBinaryFunctionAtAddress(Address);
    const BinaryData *Data = BC.getBinaryDataAtAddress(Address);
    return (BF && any_of(BF->getSymbols(), HasName)) ||
           (Data && any_of(Data->getSymbols(), HasName));
  }

  bool touchesDataAt(uint64_t Word) const {
    const Relocation *R = BC.getDynamicRelocationAt(Word);
    if (R && R->Symbol)
      return touchesData(R->Symbol->getName());
    const uint64_t Address = addressAt(BC, Word);
    return Address && touchesDataNamed(Address);
  }

  /// The place from which a stub at \p Address loads its target; 0 if there is
  /// none. Static programs have stubs that BOLT does not know.
  uint64_t slotOfStub(uint64_t Address) const {
    const ErrorOr<BinarySection &> Home = BC.getSectionForAddress(Address);
    if (!Home || !Home->isText() || !Home->containsAddress(Address))
      return 0;
    const StringRef Code =
        Home->getContents().drop_front(Address - Home->getAddress());
    StringRef Rest = Code;
    Rest.consume_front("\xf3\x0f\x1e\xfa"); // endbr64
    Rest.consume_front("\xf2");             // bnd
    if (!Rest.consume_front("\xff\x25") || Rest.size() < 4)
      return 0;
    const auto Distance =
        static_cast<int32_t>(support::endian::read32le(Rest.data()));
    return Address + (Code.size() - Rest.size()) + 4 + Distance;
  }

  /// By name, by the name of what the global offset table leads to, or by that
  /// of the function which chooses the callee at run time.
  bool callsForData(const MCInst &Inst) const {
    if (const MCSymbol *Callee = MIB.getTargetSymbol(Inst)) {
      const BinaryData *To = BC.getBinaryDataByName(Callee->getName());
      if (touchesData(Callee->getName()) ||
          (To && touchesDataNamed(To->getAddress())))
        return true;
      const uint64_t Slot = To ? slotOfStub(To->getAddress()) : 0;
      return Slot && touchesDataAt(Slot);
    }
    const std::optional<uint64_t> Word =
        placeOfWord(BC, MIB.evaluateX86MemoryOperand(Inst));
    return Word && touchesDataAt(*Word);
  }

  // Step 3.
  void call(const MCInst &Inst, State &Now) const {
    if (callsForData(Inst))
      for (unsigned Parameter : {0, 1})
        noteAll(valueOf(MIB.getIntArgRegister(Parameter), Now));
    for (auto It = Now.begin(); It != Now.end();)
      It = It->first.IsSlot || Preserved.test(It->first.Register)
               ? std::next(It)
               : Now.erase(It);
  }

  void access(const MCInst &Inst, const MCPlusBuilder::X86MemOperand &M,
              const State &Now) const {
    if (M.DispExpr)
      if (BinaryFunction *Target = addressIn(Inst))
        if (Target->getSymbol() == MIB.getTargetSymbolInfo(M.DispExpr).first)
          noteAll({Target});
    noteAll(valueOf(M.BaseRegNum, Now));
    noteAll(valueOf(M.IndexRegNum, Now));
  }

  /// Functions from whose addresses \p Inst may have computed its result.
  FunctionSet computed(const MCInst &Inst, bool Accesses,
                       const State &Now) const {
    FunctionSet Result;
    if (MIB.isCleanRegXOR(Inst))
      return Result;
    const int Address = Accesses ? MIB.getMemoryOperandNo(Inst) : -1;
    std::vector<FunctionSet> Parts;
    for (int I = 0, E = MCPlus::getNumPrimeOperands(Inst); I < E; ++I) {
      const MCOperand &Op = Inst.getOperand(I);
      const bool IsRead = I >= int(BC.MII->get(Inst.getOpcode()).getNumDefs());
      if (Op.isReg() && IsRead &&
          (Address < 0 || I < Address || I >= Address + 5))
        if (FunctionSet Part = valueOf(Op.getReg(), Now); !Part.empty())
          Parts.push_back(std::move(Part));
    }
    if (!Accesses)
      if (BinaryFunction *Target = addressIn(Inst))
        Parts.push_back({Target});
    if (Parts.size() == 2 && isDifference(Inst)) {
      if (Parts[0] != Parts[1])
        for_each(Parts, [&](const FunctionSet &Part) { noteAll(Part); });
      return Result;
    }
    for (const FunctionSet &Part : Parts)
      Result.insert(Part.begin(), Part.end());
    return Result;
  }

  // Step 4.
  bool isDifference(const MCInst &Inst) const {
    return BC.MII->getName(Inst.getOpcode()).starts_with("SUB");
  }

  void define(const MCInst &Inst, const MCInstrDesc &Info,
              const FunctionSet &Value, State &Now) const {
    for (auto It = Now.begin(); It != Now.end();) {
      const Place &At = It->first;
      const bool IsWritten =
          !At.IsSlot &&
          (Info.hasDefOfPhysReg(Inst, At.Register, *BC.MRI) ||
           Info.hasImplicitDefOfPhysReg(At.Register, BC.MRI.get()));
      It = IsWritten ? Now.erase(It) : std::next(It);
    }
    if (Value.empty())
      return;
    for (unsigned I = 0; I < Info.getNumDefs(); ++I)
      if (Inst.getOperand(I).isReg())
        if (const MCPhysReg To = whole(Inst.getOperand(I).getReg()))
          Now[{To}] = Value;
  }
};

} // namespace

void graupel::findReadByOthers(BinaryFunction &BF,
                               function_ref<void(BinaryFunction &)> Note) {
  AddressFlow(BF, Note).run();
}
