//===- HotCold/EntryValues.cpp - Preservation of caller state -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. At the entry each general register holds the caller's value, and the stack
//    pointer the address of the return address.
// 2. Instructions move such values between registers and slots of the stack.
//    Slots are named by their distance from the return address or, below an
//    alignment of the stack pointer, from the aligned address.
// 3. Instructions that are not understood make values unknown. Where edges
//    join, only equal values stay known.
// 4. At each end of the function, registers that do not hold what they held at
//    the entry have changed.
//
// Assumed: an access through a pointer, or with an index, does not reach a slot
// in which the function has saved a register of its caller.
//
//===----------------------------------------------------------------------===//

#include "EntryValues.h"
#include "FrameDepths.h"
#include "HotCold/Machine/Parts.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <map>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

constexpr unsigned RSP = 4, RBP = 5; // By encoding.
constexpr int64_t Word = 8;
// The size of accesses by instructions that do not tell it.
constexpr int64_t MaxAccess = 4096;

struct Held {
  /// Below: an address that is no farther up than the stack was at some time.
  enum : uint8_t { Unknown, Entry, Address, Below } Kind = Unknown;
  unsigned Base = 0; ///< The register, or the origin of the address.
  int64_t Offset = 0;
  friend bool operator==(const Held &, const Held &) = default;

  bool isOnStack() const { return Kind == Address || Kind == Below; }
  Held meet(const Held &Other) const {
    if (*this == Other)
      return *this;
    return isOnStack() && Other.isOnStack() ? Held{Below} : Held();
  }
};

/// A place on the stack: the base, and the distance from it.
using Slot = std::pair<unsigned, int64_t>;

/// Slots with known values, sorted. There are few at a time; each edge has a
/// copy of them.
class KnownSlots {
public:
  using Known = std::pair<Slot, Held>;

  auto begin() const { return Slots.begin(); }
  auto end() const { return Slots.end(); }
  void clear() { Slots.clear(); }
  template <typename PredicateT> void eraseIf(PredicateT Predicate) {
    erase_if(Slots, Predicate);
  }

  Held lookup(const Slot &At) const {
    const Known *It = find(At);
    return It != Slots.end() && It->first == At ? It->second : Held();
  }

  void set(const Slot &At, const Held &Value) {
    Known *It = Slots.begin() + (find(At) - Slots.begin());
    if (It != Slots.end() && It->first == At)
      It->second = Value;
    else
      Slots.insert(It, {At, Value});
  }

  /// Forgets what \p Other does not know. True if that is anything.
  bool meet(const KnownSlots &Other) {
    const size_t Before = Slots.size();
    const Known *Its = Other.begin();
    eraseIf([&](const Known &K) {
      while (Its != Other.end() && Its->first < K.first)
        ++Its;
      return Its == Other.end() || *Its != K;
    });
    return Slots.size() != Before;
  }

private:
  SmallVector<Known, 8> Slots;

  const Known *find(const Slot &At) const {
    return lower_bound(
        Slots, At, [](const Known &K, const Slot &At) { return K.first < At; });
  }
};

struct State {
  std::array<Held, 16> Registers;
  KnownSlots Slots;

  /// Forgets what \p Other does not know. True if that is anything.
  bool meet(const State &Other) {
    bool Changed = false;
    for (unsigned I = 0; I < Registers.size(); ++I) {
      const Held Met = Registers[I].meet(Other.Registers[I]);
      Changed |= Met != Registers[I];
      Registers[I] = Met;
    }
    Changed |= Slots.meet(Other.Slots);
    return Changed;
  }
};

} // namespace

namespace graupel {

/// The analysis of one function.
class EntryValueFlow {
public:
  EntryValueFlow(EntryValues &Analysis, const BinaryFunction &BF,
                 EntryValues::Callees Callees)
      : Analysis(Analysis), MIB(*Analysis.BC.MIB), BF(BF), Callees(Callees),
        Depths(BF) {}

  KeptState run() {
    State Begin;
    for (unsigned I = 0; I < 16; ++I)
      Begin.Registers[I] = {Held::Entry, I, 0};
    Begin.Registers[RSP] = {Held::Address, 0, 0};
    reach(BF.front(), Begin);
    while (!Worklist.empty() || !BehindCalls.empty() || !Doubtful.empty()) {
      if (Worklist.empty()) {
        const bool AreDoubtful = BehindCalls.empty();
        const auto [To, With] =
            (AreDoubtful ? Doubtful : BehindCalls).pop_back_val();
        reachBehindCall(*To, With, AreDoubtful);
        continue;
      }
      const BinaryBasicBlock &Block = *Worklist.back();
      Worklist.pop_back();
      step(Block);
    }
    return Result;
  }

private:
  EntryValues &Analysis;
  const MCPlusBuilder &MIB;
  const BinaryFunction &BF;
  EntryValues::Callees Callees;
  DenseMap<const BinaryBasicBlock *, State> Into; ///< Also for other parts.
  std::vector<const BinaryBasicBlock *> Worklist;
  /// Blocks behind calls, which may never return: last, as other paths are
  /// certain.
  using WaysBehindCalls =
      SmallVector<std::pair<const BinaryBasicBlock *, State>, 0>;
  WaysBehindCalls BehindCalls;
  /// Those of them where the unwind table has another depth.
  WaysBehindCalls Doubtful;
  FrameDepths Depths;
  DenseSet<const BinaryBasicBlock *> Sure; ///< Reached by other paths, too.
  KeptState Result;
  /// The address before each alignment of the stack pointer, and to how much it
  /// is aligned; from 1 on.
  std::vector<std::pair<int64_t, int64_t>> Aligned{{0, 1}};
  std::map<const MCInst *, unsigned> BaseOf;
  State S;

  void reach(const BinaryBasicBlock &Block, const State &With) {
    const auto [Known, IsNew] = Into.try_emplace(&Block, With);
    if (IsNew || Known->second.meet(With))
      Worklist.push_back(&Block);
  }

  void step(const BinaryBasicBlock &Block) {
    S = Into.find(&Block)->second;
    bool Leaves = Block.succ_empty();
    for (const MCInst &Inst : Block) {
      if (Analysis.Model.isPseudo(Inst))
        continue;
      execute(Inst, Block);
      Leaves &=
          !Analysis.Model.isReturn(Inst) && !Analysis.Model.isTailCall(Inst);
    }
    const MCInst *Last =
        const_cast<BinaryBasicBlock &>(Block).getLastNonPseudoInstr();
    // There is nothing behind a call that never returns or behind a trap.
    // Jumps to unknown places, and code that runs past the end, leave.
    if (Leaves && Last && MIB.isIndirectBranch(*Last))
      goOnAnywhere(Block);
    else if (Leaves && (!Last || (!MIB.isCall(*Last) && !isTrap(*Last))))
      leaveStrangely();
    const bool IsBehindCall =
        Last && MIB.isCall(*Last) && !MIB.isTailCall(*Last);
    if (IsBehindCall && !Callees(*Last).Returns)
      return;
    for (const BinaryBasicBlock *To : Block.successors()) {
      if (IsBehindCall) {
        (hasDepthOf(*To) ? BehindCalls : Doubtful).push_back({To, S});
        continue;
      }
      Sure.insert(To);
      reach(*To, S);
    }
  }

  /// Whether the stack is as the unwind table has it at \p To.
  bool hasDepthOf(const BinaryBasicBlock &To) const {
    const Held &Top = S.Registers[RSP];
    const std::optional<int64_t> Depth =
        To.getFunction() == &BF ? Depths.into(To) : std::nullopt;
    return !Depth || Top.Kind != Held::Address || Top.Base ||
           Top.Offset == -*Depth;
  }

  /// Compiled code has one depth at one place. The call never returns if the
  /// block behind it has another depth on a path without calls or, where the
  /// unwind table contradicts this path, on any other.
  void reachBehindCall(const BinaryBasicBlock &To, const State &With,
                       bool IsDoubtful) {
    const auto Known = Into.find(&To);
    if (Known != Into.end() && (IsDoubtful || Sure.contains(&To))) {
      const Held &Here = With.Registers[RSP],
                 &There = Known->second.Registers[RSP];
      if (Here.Kind == Held::Address && There.Kind == Held::Address &&
          Here != There)
        return;
    }
    reach(To, With);
  }

  bool isTrap(const MCInst &Inst) const {
    return Analysis.BC.MII->getName(Inst.getOpcode()) == "TRAP" ||
           MIB.isTrap(Inst);
  }

  Held &at(unsigned I) { return S.Registers[I]; }
  Held *reg(MCPhysReg Register) {
    const RegisterSet Set = Analysis.Model.setOf(Register);
    return Set & reg::General ? &S.Registers[countr_zero(Set)] : nullptr;
  }

  void forget(RegisterSet Set) {
    for (unsigned I = 0; I < 16; ++I)
      if (Set & reg::bit(I))
        at(I) = {};
  }

  /// The range in which the \p Size bytes at \p At may be, counted from the
  /// return address.
  std::pair<int64_t, int64_t> reachOf(Slot At, int64_t Size) const {
    const auto [Before, To] = Aligned[At.first];
    return {Before - To + 1 + At.second, Before + At.second + Size};
  }

  void eraseSlots(Slot At, int64_t Size) {
    const auto [Begin, End] = reachOf(At, Size);
    S.Slots.eraseIf([&](const auto &Known) {
      const Slot &Its = Known.first;
      if (Its.first == At.first)
        return Its.second < At.second + Size && At.second < Its.second + Word;
      const auto [ItsBegin, ItsEnd] = reachOf(Its, Word);
      return ItsBegin < End && Begin < ItsEnd;
    });
  }

  /// Content below the stack pointer is lost sooner or later.
  void eraseBelow() {
    const Held &Top = at(RSP);
    if (Top.Kind != Held::Address)
      return;
    S.Slots.eraseIf([&](const auto &Known) {
      const Slot &Its = Known.first;
      return Its.first == Top.Base
                 ? Its.second < Top.Offset
                 : reachOf(Its, Word).first <
                       reachOf({Top.Base, Top.Offset}, 0).first;
    });
  }

  std::optional<Slot> slotOf(const Held &Base, int64_t Distance) const {
    if (Base.Kind != Held::Address)
      return std::nullopt;
    return Slot(Base.Base, Base.Offset + Distance);
  }

  /// The place that the operand of \p Inst in memory is, if that is known.
  std::optional<Slot> slotOf(const MCInst &Inst) {
    const auto Memory = MIB.evaluateX86MemoryOperand(Inst);
    if (!Memory || Memory->DispExpr || Memory->IndexRegNum ||
        Memory->SegRegNum || !Memory->BaseRegNum)
      return std::nullopt;
    const Held *Base = reg(MCPhysReg(Memory->BaseRegNum));
    return Base ? slotOf(*Base, Memory->DispImm) : std::nullopt;
  }

  void store(std::optional<Slot> At, int64_t Size, Held Value) {
    if (!At)
      return;
    if (!Size)
      Size = MaxAccess;
    eraseSlots(*At, Size);
    if (const auto [Begin, End] = reachOf(*At, Size); Begin < Word && End > 0)
      Result.KeepsStack = false; // It returns to somewhere else.
    if (Size == Word && Value.Kind != Held::Unknown)
      S.Slots.set(*At, Value);
  }

  /// The 8 bytes at \p At for register \p To, or for something else.
  Held load(std::optional<Slot> At, int64_t Size, std::optional<unsigned> To) {
    if (!At)
      return {};
    const Held Content = S.Slots.lookup(*At);
    const bool IsRestore = Size == Word && To && Content.Kind == Held::Entry &&
                           Content.Base == *To;
    if (!IsRestore)
      noteRead(*At, Size ? Size : MaxAccess);
    return Size == Word ? Content : Held();
  }

  void noteRead(Slot At, int64_t Size) {
    const auto [Begin, End] = reachOf(At, Size);
    if (At.first == 0 && Begin < Word && End > 0)
      Result.ReadsReturnAddress = true;
    for (const auto &[Its, Content] : S.Slots) {
      const auto [ItsBegin, ItsEnd] = reachOf(Its, Word);
      if (Content.Kind == Held::Entry && ItsBegin < End && Begin < ItsEnd)
        Result.ReadFromStack |= reg::bit(Content.Base);
    }
  }

  void growBy(int64_t Bytes) {
    if (at(RSP).Kind == Held::Address)
      at(RSP).Offset -= Bytes;
    else if (Bytes < 0 && at(RSP).Kind != Held::Below)
      S.Slots.clear(); // It is not known which slots it passes.
  }

  void execute(const MCInst &Inst, const BinaryBasicBlock &Block) {
    if (Analysis.Model.isReturn(Inst))
      return executeReturn(Inst);
    if (Analysis.Model.isCall(Inst))
      return executeCall(Inst, Block);
    if (MIB.isBranch(Inst)) // An indirect one leaves only without successors.
      return forget(Analysis.Model.effects(Inst).Writes);
    if (executeStack(Inst) || executeMove(Inst))
      return;
    const RegisterEffects E = Analysis.Model.effects(Inst);
    const MCInstrDesc &Info = Analysis.BC.MII->get(Inst.getOpcode());
    if (Info.mayLoad())
      load(slotOf(Inst), Analysis.Sizes.of(Inst), std::nullopt);
    if (Info.mayStore())
      store(slotOf(Inst), Analysis.Sizes.of(Inst), {});
    if (E.Writes & reg::RSP && lowersStack(Inst))
      return;
    if (E.Writes & reg::RSP)
      S.Slots.clear();
    forget(E.Writes);
    if (Info.hasUnmodeledSideEffects() && E.Writes & reg::RSP)
      forget(reg::General);
  }

  /// Room for arrays whose size is not known, or an alignment.
  bool lowersStack(const MCInst &Inst) {
    const StringRef Name = Analysis.BC.MII->getName(Inst.getOpcode());
    if (!at(RSP).isOnStack() ||
        (!Name.starts_with("SUB64") && !Name.starts_with("AND64")))
      return false;
    eraseBelow();
    at(RSP) = {Held::Below};
    return true;
  }

  bool executeStack(const MCInst &Inst) {
    if (MIB.isLeave(Inst)) {
      at(RSP) = at(RBP);
      const Held Old = load(slotOf(at(RSP), 0), Word, RBP);
      growBy(-Word);
      at(RBP) = Old;
      return true;
    }
    const StackEffect E = Analysis.Stack.effect(Inst);
    switch (E.Operation) {
    case StackEffect::Kind::Push: {
      const bool IsLoad =
          !E.Register && Analysis.BC.MII->get(Inst.getOpcode()).mayLoad();
      const Held Value = E.Register ? at(countr_zero(E.Register))
                         : IsLoad   ? load(slotOf(Inst), Word, std::nullopt)
                                    : Held();
      growBy(Word);
      store(slotOf(at(RSP), 0), Word, Value);
      return true;
    }
    case StackEffect::Kind::Pop: {
      const unsigned To = countr_zero(E.Register);
      const Held Value = load(slotOf(at(RSP), 0), Word, To);
      growBy(-Word);
      at(To) = Value;
      return true;
    }
    case StackEffect::Kind::Adjust:
      growBy(E.Growth);
      return true;
    default:
      return false;
    }
  }

  bool executeMove(const MCInst &Inst) {
    const unsigned Opcode = Inst.getOpcode();
    auto result = [&]() { return reg(MCPhysReg(Inst.getOperand(0).getReg())); };
    if (Opcode == Analysis.Stack.move()) {
      const Held *From = reg(MCPhysReg(Inst.getOperand(1).getReg()));
      *result() = From ? *From : Held();
    } else if (Opcode == Analysis.Stack.loadAddress()) {
      const std::optional<Slot> At = slotOf(Inst);
      *result() = At ? Held{Held::Address, At->first, At->second} : Held();
    } else if (Opcode == Analysis.Stack.load()) {
      Held *To = result();
      const Held Value =
          load(slotOf(Inst), Word, unsigned(To - S.Registers.data()));
      *To = Value;
    } else if (Opcode == Analysis.Stack.store()) {
      const unsigned Last = MCPlus::getNumPrimeOperands(Inst) - 1;
      const Held *From = reg(MCPhysReg(Inst.getOperand(Last).getReg()));
      store(slotOf(Inst), Word, From ? *From : Held());
      return true;
    } else {
      return executeArithmetic(Inst);
    }
    if (result() == &at(RSP) && !at(RSP).isOnStack())
      S.Slots.clear();
    return true;
  }

  bool executeArithmetic(const MCInst &Inst) {
    const EntryValues::Form Form = Analysis.Forms[Inst.getOpcode()];
    if (Form == EntryValues::Form::Other || !Inst.getOperand(2).isImm())
      return false;
    Held *To = reg(MCPhysReg(Inst.getOperand(0).getReg()));
    if (!To || To->Kind != Held::Address)
      return false;
    const int64_t Number = Inst.getOperand(2).getImm();
    if (Form == EntryValues::Form::And)
      return align(Inst, *To, -Number);
    To->Offset += Form == EntryValues::Form::Add ? Number : -Number;
    return true;
  }

  /// The result has a base of its own, below which everything is new.
  bool align(const MCInst &Inst, Held &Address, int64_t To) {
    if (&Address != &at(RSP) || Address.Base || To <= 0 || !isPowerOf2_64(To))
      return false;
    auto [At, IsNew] = BaseOf.try_emplace(&Inst, Aligned.size());
    if (IsNew)
      Aligned.push_back({Address.Offset, To});
    if (Aligned[At->second] != std::pair(Address.Offset, To))
      return false;
    const unsigned Base = At->second;
    S.Slots.eraseIf(
        [&](const auto &Known) { return Known.first.first == Base; });
    for (Held &V : S.Registers)
      if (V.Kind == Held::Address && V.Base == Base)
        V = {};
    S.Slots.eraseIf([&](const auto &Known) {
      const Held &V = Known.second;
      return V.Kind == Held::Address && V.Base == Base;
    });
    at(RSP) = {Held::Address, Base, 0};
    return true;
  }

  void executeCall(const MCInst &Inst, const BinaryBasicBlock &Block) {
    if (Analysis.Model.isTailCall(Inst) && goOnInPart(Inst, Block))
      return;
    if (entersForeignPart(BF, Inst))
      return leaveStrangely();
    const CalleeState Callee = Callees(Inst);
    if (Analysis.Model.isTailCall(Inst)) {
      const State Before = S;
      forget(Callee.Changes);
      Result.KeepsStack &= Callee.KeepsStack;
      leave();
      S = Before; // A conditional tail call may not be taken.
      return;
    }
    eraseBelow();
    // Unwinding restores the saved registers' values before the call.
    State Thrown = S;
    for (unsigned I = 0; I < 16; ++I)
      if (!((reg::CalleeSaved | reg::RSP) & reg::bit(I)))
        Thrown.Registers[I] = {};
    for (const BinaryBasicBlock *Pad : Block.landing_pads())
      reach(*Pad, Thrown);
    forget(Callee.Changes);
    if (!Callee.KeepsStack) {
      S.Slots.clear();
      at(RSP) = {};
    }
  }

  static const BinaryBasicBlock *entryOf(const BinaryFunction &To,
                                         const MCSymbol &Symbol) {
    for (const BinaryBasicBlock &Block : To)
      if (Block.getLabel() == &Symbol ||
          (Block.isEntryPoint() && &Block != &To.front() &&
           To.getSecondaryEntryPointSymbol(Block) == &Symbol))
        return &Block;
    return is_contained(To.getSymbols(), &Symbol) ? &To.front() : nullptr;
  }

  /// Compilers put cold code into a part with a name of its own (.cold). It
  /// has the frame that it is entered with, and may jump back. True if \p Jump
  /// goes on in a part of the same procedure.
  bool goOnInPart(const MCInst &Jump, const BinaryBasicBlock &From) {
    const MCSymbol *Target = MIB.getTargetSymbol(Jump);
    const BinaryFunction *To = partOfSame(*From.getFunction(), Jump);
    if (!To)
      return false;
    // Not read: a compiler's, which restores what it has saved.
    if (!To->hasCFG() || To->empty())
      Result.HasEnd = true;
    else if (const BinaryBasicBlock *Entry = entryOf(*To, *Target))
      reach(*Entry, S);
    else
      leaveStrangely();
    return true;
  }

  /// A computed jump whose targets are not known. With the stack as the caller
  /// left it, it may be a tail call, whose callee follows the ABI. Any other
  /// goes on in this procedure with this state: code that nothing else leads to
  /// is there for it. Blocks that are reached otherwise, too, are compiled for
  /// one frame, and restore what the procedure saves there.
  void goOnAnywhere(const BinaryBasicBlock &From) {
    if (at(RSP) == Held{Held::Address, 0, 0})
      return leave();
    Result.HasEnd = true;
    for (const BinaryBasicBlock &To : *From.getFunction())
      if (!To.isEntryPoint() && !To.isLandingPad() && To.pred_empty())
        reach(To, S);
  }

  void executeReturn(const MCInst &Inst) {
    if (MCPlus::getNumPrimeOperands(Inst) !=
        0) // Takes arguments off the stack.
      return leaveStrangely();
    leave();
  }

  void leaveStrangely() {
    Result.KeepsStack = false;
    leave();
  }

  void leave() {
    Result.HasEnd = true;
    Result.KeepsStack &= at(RSP) == Held{Held::Address, 0, 0};
    for (unsigned I = 0; I < 16; ++I)
      if (I != RSP && at(I) != Held{Held::Entry, I, 0})
        Result.Changed |= reg::bit(I);
  }
};

} // namespace graupel

EntryValues::EntryValues(const BinaryContext &BC, const RegisterModel &Model,
                         const StackModel &Stack)
    : BC(BC), Model(Model), Stack(Stack), Sizes(BC),
      Forms(BC.MII->getNumOpcodes()) {
  for (unsigned I = 0; I < Forms.size(); ++I) {
    StringRef Name = BC.MII->getName(I);
    const Form Operation = Name.consume_front("ADD64ri")   ? Form::Add
                           : Name.consume_front("SUB64ri") ? Form::Subtract
                           : Name.consume_front("AND64ri") ? Form::And
                                                           : Form::Other;
    if (Name == "8" || Name == "32")
      Forms[I] = Operation;
  }
}

KeptState EntryValues::find(const BinaryFunction &BF, Callees Callees) {
  return EntryValueFlow(*this, BF, Callees).run();
}
