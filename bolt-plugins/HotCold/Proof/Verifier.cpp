//===- HotCold/Proof/Verifier.cpp - Proofs of hot versions ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. The original's hot blocks and their copies are executed side by side, with
//    values that are equal only if they must be (JointFlow.cpp).
// 2. In each block, both have to do the same in the same order as far as others
//    can see: stores, calls and their inputs, branches, returns.
// 3. Where a stub ends, all state that its target may read has to be the same
//    as in the original there: registers, memory, and the frame.
// 4. Unwinding has to find the caller wherever it does so in the original.
//
//===----------------------------------------------------------------------===//

#include "Verifier.h"
#include "HotCold/Machine/Parts.h"
#include "HotCold/Machine/UnwindRules.h"
#include "JointFlow.h"
#include "NeededRegisters.h"
#include "Provenance.h"
#include "SlotLiveness.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include <set>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;

namespace {

class Proof {
public:
  Proof(const HotCode &Hot, const CalleeFacts &Callees)
      : Hot(Hot), BF(Hot.function()), Context(Callees.model()),
        Callees(Callees), Needed(BF, Callees), MIB(*Context.BC.MIB),
        Sizes(Callees.sizes()),
        Execute(Context, BF,
                {[&](const MCInst &Call) { return Callees.ofCall(BF, Call); },
                 Callees.results(BF)},
                Values, Sizes),
        Flow(Hot, Execute, Values) {}

  std::string run() {
    if (Hot.blocks().empty() || Hot.blocks()[0].Original != &BF.front())
      return "does not begin where the original does";
    if (!Flow.solve())
      return "too many rounds";
    UnwindsEverywhere = all_of(Hot.blocks(), [&](const HotCode::Block &B) {
      return unwindsEverywhere(B);
    });
    findStates();
    for (unsigned I : Flow.order())
      if (Wrong.empty() && Flow.isReached(I))
        checkBlock(I);
    return Wrong;
  }

private:
  const HotCode &Hot;
  const BinaryFunction &BF;
  const MachineModel &Context;
  const CalleeFacts &Callees;
  const NeededRegisters Needed; ///< For the original.
  const MCPlusBuilder &MIB;
  AccessSizes &Sizes;
  ValueTable Values;
  Executor Execute;
  JointFlow Flow;
  std::optional<Provenance> Origins; ///< For the original.
  std::optional<SlotLiveness> Slots;
  bool UnwindsEverywhere = false;
  std::string Wrong, Place;
  std::set<std::pair<ValueNo, ValueNo>> Assumed; ///< Equal pairs, in a loop.
  SmallSetVector<int32_t, 8> States; ///< States of unwinding at block starts.

  void findStates() {
    for (const HotCode::Block &B : Hot.blocks())
      States.insert(B.CFIState);
    for (const HotCode::Stub &S : Hot.stubs())
      States.insert(S.CFIState);
    for (const BinaryBasicBlock &Block : BF)
      States.insert(Block.getCFIState());
  }

  void fail(const Twine &Message) {
    if (Wrong.empty())
      Wrong = (Place + ": " + Message).str();
  }

  std::string text(const MCInst &Inst) const {
    std::string Text;
    raw_string_ostream OS(Text);
    Context.BC.InstPrinter->printInst(&Inst, 0, "", *Context.BC.STI, OS);
    std::replace(Text.begin(), Text.end(), '\t', ' ');
    return StringRef(Text).trim().str();
  }

  /// One of the two executions of a block, or of a stub.
  struct Side {
    std::vector<const MCInst *> Code;
    Machine M;
    UnwindRules Rules;
    bool IsHot;
    unsigned Next = 0;
    bool CallUnwinds = false; ///< At the last event.
    bool MustUnwind = true;
  };

  static std::vector<const MCInst *> pointers(const auto &Code) {
    std::vector<const MCInst *> Result;
    for (const MCInst &Inst : Code)
      Result.push_back(&Inst);
    return Result;
  }

  std::string checkUnwinding(const Side &S) {
    return S.Rules.check(S.M, Execute, Values, Context);
  }

  /// Executes up to and including the next event.
  std::optional<Event> advance(Side &S) {
    while (S.Next < S.Code.size()) {
      const MCInst &Inst = *S.Code[S.Next++];
      if (const MCCFIInstruction *CFI = BF.getCFIFor(Inst)) {
        S.Rules.apply(*CFI);
        continue;
      }
      if (!S.M.Runs)
        continue;
      if (S.IsHot && S.MustUnwind && UnwindsEverywhere)
        if (std::string Lost = checkUnwinding(S); !Lost.empty())
          fail("unwinding loses " + Lost + " before " + text(Inst));
      if (MIB.isCall(Inst))
        S.CallUnwinds = checkUnwinding(S).empty();
      const std::optional<Event> E = Execute.execute(Inst, S.M, S.IsHot);
      if (S.IsHot && Execute.leftRedZone())
        fail("a store below the red zone: " + text(Inst));
      if (E)
        return E;
    }
    return std::nullopt;
  }

  /// True if the original can be unwound before each instruction of \p B.
  bool unwindsEverywhere(const HotCode::Block &B) {
    const unsigned Index = &B - Hot.blocks().data();
    if (!Flow.isReached(Index))
      return true;
    Side S{pointers(*B.Original), Flow.into(Index).Original,
           UnwindRules(BF, B.Original->getCFIState()), false};
    for (const MCInst *Inst : S.Code) {
      if (const MCCFIInstruction *CFI = BF.getCFIFor(*Inst)) {
        S.Rules.apply(*CFI);
        continue;
      }
      if (!checkUnwinding(S).empty())
        return false;
      Execute.execute(*Inst, S.M, false);
    }
    return S.Rules.isKnown();
  }

  void checkBlock(unsigned Index) {
    const HotCode::Block &B = Hot.blocks()[Index];
    Place = ("hot " + B.Original->getName()).str();
    Side O{pointers(*B.Original), Flow.into(Index).Original,
           UnwindRules(BF, B.Original->getCFIState()), false};
    Side H{pointers(B.Code), Flow.into(Index).Hot, UnwindRules(BF, B.CFIState),
           true};
    while (true) {
      const std::optional<Event> Expected = advance(O), Found = advance(H);
      if (!Wrong.empty() || (!Expected && !Found))
        break;
      if (!Expected)
        return fail("does more than the original: " + text(*Found->Inst));
      if (!Found)
        return fail("does not do " + text(*Expected->Inst));
      if (Expected->Value != Found->Value)
        return fail(differ(*Expected, *Found, O.M, H.M));
      checkEvent(*Expected, Index, O, H);
    }
    checkRulesBehind(H, B.CFIState);
    checkWays(B, Index);
  }

  void checkEvent(const Event &E, unsigned Index, const Side &O,
                  const Side &H) {
    const MCInst &Inst = *E.Inst;
    if (MIB.isCall(Inst))
      checkCallee(Inst, O.M);
    if (MIB.isCall(Inst) && O.CallUnwinds && !H.CallUnwinds)
      return fail("unwinding from " + text(Inst) + " finds no caller");
    if (MIB.isReturn(Inst) || MIB.isTailCall(Inst))
      checkUntouched(Inst, O.M, H.M);
    const auto Pad = MIB.isCall(Inst) ? MIB.getEHInfo(Inst) : std::nullopt;
    const auto HotPad = Pad ? MIB.getEHInfo(*H.Code[H.Next - 1]) : std::nullopt;
    if (Pad && Pad->first) {
      const BinaryBasicBlock *Target = BF.getBasicBlockForLabel(Pad->first);
      if (!HotPad || HotPad->first != Pad->first || !Target)
        return fail("another landing pad: " + text(Inst));
      checkThrow(*Target, Index, O.M, H.M);
    }
  }

  /// Checks that the callee returns as callees of calls and tail calls do: the
  /// rest of the proof needs that.
  void checkCallee(const MCInst &Call, const Machine &M) {
    if (MIB.isTailCall(Call) && partOfSame(BF, Call))
      return;
    if (!Callees.ofCall(BF, Call).IsOrdinary)
      fail("nothing is known of what does not come back: " + text(Call));
    if (MIB.isTailCall(Call) && Execute.rsp(M) != Values.stackAddress(0))
      fail("a jump out of its frame: " + text(Call));
  }

  /// A callee of hot block \p Index throws. A stub for \p Pad, if there is one
  /// that does anything, comes before it.
  void checkThrow(const BinaryBasicBlock &Pad, unsigned Index, Machine O,
                  Machine H) {
    constexpr RegisterSet Given = reg::RAX | reg::RDX;
    O.Runs = H.Runs = true;
    for (unsigned I = 0; I < 64; ++I)
      if (reg::CallerSaved & reg::bit(I)) {
        O.Registers[I] = Values.garbage();
        H.Registers[I] =
            Given & reg::bit(I) ? O.Registers[I] : Values.garbage();
      }
    const auto S = find_if(Hot.stubs(), [&](const HotCode::Stub &S) {
      return S.IsPad && S.From == Index && S.Target == &Pad &&
             !S.Replay.empty();
    });
    constexpr RegisterSet Kept = reg::CalleeSaved | reg::RSP | Given;
    if (S == Hot.stubs().end())
      return checkArrival(Pad, Kept, O, H);
    const std::string From = Place;
    checkStub(*S, Kept, O, H);
    Place = From;
  }

  /// Callers rely on what the original never writes (gcc -fipa-ra).
  void checkUntouched(const MCInst &Inst, const Machine &O, const Machine &H) {
    const RegisterSet Written = Callees.mayDiffer(BF);
    for (unsigned I = 0; I < 64; ++I)
      if (!(Written & reg::bit(I)) && H.Registers[I] != O.Registers[I] &&
          H.Registers[I] != Values.entry(I))
        fail("overwrites " + name(I) + ", which the original does not, at " +
             text(Inst));
  }

  /// If the state at the end is not the one that BOLT expects, the following
  /// blocks may begin in a wrong state.
  void checkRulesBehind(const Side &S, int32_t Begin) {
    int32_t End = Begin;
    for (const MCInst *Inst : S.Code)
      if (MIB.isCFI(*Inst))
        End = Inst->getOperand(0).getImm() + 1;
    for (int32_t Next : States)
      if (!S.Rules.leadsTo(BF, End, Next))
        return fail("unwinding is in no state that leads to state " +
                    Twine(Next));
  }

  void checkWays(const HotCode::Block &B, unsigned Index) {
    if (B.Ways.size() != B.Original->succ_size())
      return fail("another number of ways");
    auto To = B.Original->succ_begin();
    for (const HotCode::Way &W : B.Ways) {
      const BinaryBasicBlock *Expected = *To++;
      const BinaryBasicBlock *Found =
          W.ToStub ? Hot.stubs()[W.To].Target : Hot.blocks()[W.To].Original;
      if (Found != Expected || (W.ToStub && Hot.stubs()[W.To].From != Index))
        return fail("leads to " + Found->getName() + ", not to " +
                    Expected->getName());
      if (W.ToStub && Flow.outOf(Index).Hot.Runs)
        checkStub(Hot.stubs()[W.To], reg::All, Flow.outOf(Index).Original,
                  Flow.outOf(Index).Hot);
    }
  }

  /// \p S is entered in the state \p Entered; the original would be in the
  /// state \p O. Only the registers \p Kept are known.
  void checkStub(const HotCode::Stub &S, RegisterSet Kept, const Machine &O,
                 const Machine &Entered) {
    Place = ("stub " + Hot.blocks()[S.From].Original->getName() + " to " +
             S.Target->getName())
                .str();
    Side H{pointers(S.Replay), Entered, UnwindRules(BF, S.CFIState), true};
    for (const MCInst &Inst : S.Code)
      H.Code.push_back(&Inst);
    H.MustUnwind = unwindsAt(*S.Target, O);
    if (isNeverTaken(*Hot.blocks()[S.From].Original, *S.Target, O))
      return;
    while (const std::optional<Event> E = advance(H))
      if (MIB.isCall(*E->Inst) || MIB.isBranch(*E->Inst) ||
          MIB.isReturn(*E->Inst))
        return fail("does more than the original: " + text(*E->Inst));
    if (Wrong.empty())
      checkRulesBehind(H, S.CFIState);
    if (Wrong.empty())
      checkArrival(*S.Target, Kept, O, H.M);
  }

  const Provenance &origins() {
    if (!Origins)
      Origins.emplace(Callees, BF.front());
    return *Origins;
  }

  /// True if other edges lead to \p Target with another frame than this one,
  /// from behind a call in \p From: it never returns.
  bool isNeverTaken(const BinaryBasicBlock &From,
                    const BinaryBasicBlock &Target, const Machine &O) {
    const MCInst *Last =
        const_cast<BinaryBasicBlock &>(From).getLastNonPseudoInstr();
    const auto RSP = Values.stackOffset(Execute.rsp(O));
    if (!RSP || !Last || !MIB.isCall(*Last) || MIB.isTailCall(*Last))
      return false;
    const std::optional<int64_t> Depth = origins().depth(Target);
    return Depth && *RSP != -*Depth;
  }

  /// True if the original, in the state \p O, can be unwound from \p Target.
  /// Code that is never reached by this path may expect another frame.
  bool unwindsAt(const BinaryBasicBlock &Target, const Machine &O) {
    const UnwindRules Rules(BF, Target.getCFIState());
    return Rules.isKnown() && Rules.check(O, Execute, Values, Context).empty();
  }

  /// The hot version enters original code in the state \p H, where the original
  /// would be in the state \p O.
  void checkArrival(const BinaryBasicBlock &Target, RegisterSet Live,
                    const Machine &O, const Machine &H) {
    Live &= Needed.into(Target) | reg::RSP;
    const UnwindRules Rules(BF, Target.getCFIState());
    const bool Unwinds = unwindsAt(Target, O);
    if (Unwinds)
      if (std::string Lost = Rules.check(H, Execute, Values, Context);
          !Lost.empty())
        fail("unwinding loses " + Lost + " at " + Target.getName());
    // The caller's value of a register that has been saved since is read from
    // the register only where no variable has been assigned to it yet.
    const RegisterSet Saved = Unwinds ? Rules.saved(Context) : 0;
    for (unsigned I = 0; I < 64; ++I)
      if (Live & reg::bit(I) && O.Registers[I] != H.Registers[I] &&
          !(Saved & reg::bit(I) &&
            isLeftOver(I, O.Registers[I], H.Registers[I])))
        fail(Twine(name(I)) + " is wrong at " + Target.getName() + ": " +
             values(O.Registers[I], H.Registers[I]));
    if (O.Memory != H.Memory)
      fail("memory is wrong at " + Target.getName());
    for (const Machine *M : {&O, &H})
      for (const Machine::Cell &C : M->Cells)
        checkCell(Target, C, O, H);
  }

  /// True if only the caller's value of a register is missing in \p H: on some
  /// paths, where the two are joined values, or beside the part that was set.
  bool isLeftOver(unsigned Register, ValueNo O, ValueNo H) {
    Assumed.clear();
    return mayBeLeftOver(Register, O, H);
  }

  bool mayBeLeftOver(unsigned Register, ValueNo O, ValueNo H) {
    const ValueNo Entry = Values.entry(Register);
    if (O == H || O == Entry || !Assumed.insert({O, H}).second)
      return true;
    const ArrayRef<uint64_t> Words = Values.words(O);
    if (Values.is(O, ValueKind::Merged))
      return Execute.partOf(H, Words[0]) == Words[1] &&
             mayBeLeftOver(Register, Words[2], restOf(H, Words[0]));
    if (Values.is(O, ValueKind::Output))
      return isOfLeftOvers(Register, O, H);
    if (!Values.is(O, ValueKind::Phi) || !Values.is(H, ValueKind::Phi) ||
        Values.words(H)[0] != Words[0])
      return false;
    const unsigned Block = Words[0];
    const std::vector<ValueNo> Expected = Flow.incoming(Block, O),
                               Found = Flow.incoming(Block, H);
    return all_of(zip(Expected, Found), [&](const auto &Way) {
      return mayBeLeftOver(Register, std::get<0>(Way), std::get<1>(Way));
    });
  }

  /// Bitwise operations keep the old bits of a register apart from the part of
  /// it that was set: "setne %r13b; orl %ecx, %r13d".
  bool isOfLeftOvers(unsigned Register, ValueNo O, ValueNo H) {
    const ArrayRef<uint64_t> Expected = Values.words(O),
                             Found = Values.words(H);
    if (!Values.is(H, ValueKind::Output) ||
        Expected.drop_front() != Found.drop_front() ||
        !Values.is(Expected[0], ValueKind::Instruction) ||
        !Values.is(Found[0], ValueKind::Instruction))
      return false;
    const ArrayRef<uint64_t> A = Values.words(Expected[0]),
                             B = Values.words(Found[0]);
    if (A[0] != B[0] || A.size() != B.size() || !isBitwise(A[0]))
      return false;
    return all_of(zip(A, B), [&](const auto &Word) {
      const auto [Its, Other] = Word;
      return Its == Other ||
             (Values.has(Its) && Values.is(Its, ValueKind::Merged) &&
              Values.has(Other) && mayBeLeftOver(Register, Its, Other));
    });
  }

  /// True for operations on two registers: no immediate is among the words.
  bool isBitwise(unsigned Opcode) const {
    const StringRef Name = Context.BC.MII->getName(Opcode);
    return is_contained(
        {"AND32rr", "OR32rr", "XOR32rr", "AND64rr", "OR64rr", "XOR64rr"}, Name);
  }

  /// The rest of \p V outside of \p Part.
  ValueNo restOf(ValueNo V, uint64_t Part) const {
    return Values.is(V, ValueKind::Merged) && Values.words(V)[0] == Part
               ? Values.words(V)[2]
               : V;
  }

  void checkCell(const BinaryBasicBlock &Target, const Machine::Cell &C,
                 const Machine &O, const Machine &H) {
    const ValueNo Expected = Execute.read(O, C.At, C.Size);
    const ValueNo Found = Execute.read(H, C.At, C.Size);
    if (Expected == Found || C.At >= 0)
      return;
    if (Values.is(Expected,
                  ValueKind::Bytes)) { // Some bytes may not matter.
      for (int64_t I = 0; I < C.Size; ++I)
        checkCell(Target, {C.At + I, 1, 0}, O, H);
      return;
    }
    if (!Slots)
      Slots.emplace(Context, BF, Needed, Callees, origins(), Sizes);
    const std::optional<int64_t> RSP = Values.stackOffset(Execute.rsp(O));
    const bool IsRestored =
        Execute.isPrivate(Expected) && (!RSP || C.At >= *RSP);
    const bool OnlyItself =
        Execute.frameEscapes() || Values.is(Expected, ValueKind::Padding);
    if (IsRestored || Slots->isLive(Target, C.At, C.Size, OnlyItself))
      fail("the stack " + Twine(-C.At) +
           " bytes below the return address is "
           "wrong at " +
           Target.getName() + ": " + values(Expected, Found));
  }

  std::string name(unsigned Register) const {
    std::string Text;
    raw_string_ostream OS(Text);
    Context.Registers.print(OS, reg::bit(Register));
    return Text;
  }

  /// The operands of \p V, some levels down, for messages.
  std::string describe(ValueNo V, unsigned Levels) const {
    const ArrayRef<uint64_t> Words = Values.words(V);
    switch (Values.kind(V)) {
    case ValueKind::EntryRegister:
      return "the caller's " + name(Words[0]);
    case ValueKind::StackAddress:
      return ("stack " + Twine(static_cast<int64_t>(Words[0]))).str();
    case ValueKind::Padding:
      return "padding";
    case ValueKind::Garbage:
      return "nothing";
    case ValueKind::StackContent:
      return ("content of stack " + Twine(static_cast<int64_t>(Words[1])))
          .str();
    case ValueKind::Phi:
      return ("value " + Twine(Words[1]) + "." +
              Twine(static_cast<int64_t>(Words[2])) + " of " +
              Hot.blocks()[Words[0]].Original->getName())
          .str();
    case ValueKind::Sum:
      return (describe(Words[0], Levels) + " plus " +
              Twine(static_cast<int64_t>(Words[1])))
          .str();
    case ValueKind::Output:
      if (Values.is(Words[0], ValueKind::Instruction))
        return ("result " + Twine(Words[1]) + " of " +
                Context.BC.MII->getName(Values.words(Words[0])[0]) + " #" +
                Twine(Words[0]))
                   .str() +
               (Words.size() > 3 && Levels
                    ? ", or " + describe(Words[3], Levels - 1)
                    : "");
      [[fallthrough]];
    default:
      return ("#" + Twine(V)).str();
    }
  }

  std::string values(ValueNo Expected, ValueNo Found) const {
    // Pairs of places on the stack and what is there.
    const ArrayRef<uint64_t> A = Values.words(Expected),
                             B = Values.words(Found);
    if (Values.is(Expected, ValueKind::Cells) &&
        Values.is(Found, ValueKind::Cells))
      for (unsigned I = 1; I < std::min(A.size(), B.size()); I += 2)
        if (A[I - 1] != B[I - 1] || A[I] != B[I])
          return "the stack, with " + describe(B[I], 2) + " at " +
                 std::to_string(static_cast<int64_t>(B[I - 1])) +
                 " instead of " + describe(A[I], 2) + " at " +
                 std::to_string(static_cast<int64_t>(A[I - 1]));
    return describe(Found, 2) + " instead of " + describe(Expected, 2);
  }

  std::string differ(const Event &Expected, const Event &Found,
                     const Machine &O, const Machine &H) const {
    if (MIB.isCall(*Expected.Inst) != MIB.isCall(*Found.Inst) ||
        Expected.Inst->getOpcode() != Found.Inst->getOpcode())
      return "does " + text(*Found.Inst) + " instead of " +
             text(*Expected.Inst);
    std::string Text = "does something else by " + text(*Found.Inst);
    // Different inputs tell more than different outputs.
    bool IsKnown = false;
    const ArrayRef<uint64_t> A = Values.words(Expected.Value),
                             B = Values.words(Found.Value);
    for (unsigned I = 0; I < std::min(A.size(), B.size()); ++I)
      if (A[I] != B[I] && Values.has(A[I]) && Values.has(B[I])) {
        Text += "; input " + std::to_string(I) + " is " + values(A[I], B[I]);
        IsKnown = true;
      }
    if (IsKnown)
      return Text;
    for (unsigned I = 0; I < 64; ++I)
      if (O.Registers[I] != H.Registers[I])
        Text += "; behind it " + name(I) + " is " +
                values(O.Registers[I], H.Registers[I]);
    return Text;
  }
};

} // namespace

std::string Verifier::check(const HotCode &Hot) {
  return Proof(Hot, Callees).run();
}
