//===- HotCold/FrameSlimming.cpp - Frames without needless saves ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hot version that calls others keeps its frame, every slot of which stays
// where it is, but saves only the registers that it changes itself. Stubs fill
// the other slots.
//
// 1. Frame::read() finds the frame. Nothing is done if RAX, pushed to make
//    room, may be an argument (mayPushArgument).
// 2. A save is dropped if hot code does not name the register, or if Renaming
//    has found another one for it.
// 3. arrange(): kept saves that come first stay pushes, the others become
//    stores. One instruction makes room for the rest.
// 4. Nothing is done if that takes no fewer instructions, or if the stack is
//    used while it grows in a way that cannot be corrected (canMoveAround).
// 5. The displacements of accesses to a partial frame are corrected. rewrite()
//    puts the new frame code with its unwind rules into the blocks, first into
//    the one that builds the frame, and renames registers.
// 6. fill() has each stub with a frame store the dropped registers into their
//    slots and copy renamed values back.
//
//===----------------------------------------------------------------------===//

#include "Assumptions.h"
#include "Renaming.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/MC/MCInstBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using Kind = StackEffect::Kind;

namespace {

class FrameSlimming {
public:
  FrameSlimming(HotVersion &Hot, HotColdGain &Gain)
      : Hot(Hot), Context(Hot.context()), MIB(*Context.BC.MIB), Gain(Gain) {}

  const char *run() {
    if (const char *Reason = F.read(Hot))
      return Reason;
    if (mayPushArgument())
      return "a value is pushed";
    const Renaming NewNames(Hot, F);
    Dropped = (F.Saved & ~F.Mentioned) | NewNames.renamed();
    if (!Dropped)
      return "all saved registers are needed";
    arrange();
    if (countGain() <= 0)
      return "no fewer instructions";
    if (!canMoveAround())
      return "the stack is used while it grows";
    Gain.Saves += countGain();
    forEachInBetween([&](MCInst &Inst, int64_t Missing) {
      const int64_t Old = MIB.evaluateX86MemoryOperand(Inst)->DispImm;
      return MIB.replaceMemOperandDisp(Inst,
                                       MCOperand::createImm(Old + Missing));
    });
    for (bool Builds : {true, false}) // State is known after the first.
      for (HotVersion::Block &B : Hot.blocks())
        if ((B.Original == F.Prolog) == Builds)
          rewrite(B, NewNames);
    for (HotVersion::Stub &S : Hot.stubs())
      fill(S, NewNames);
    return nullptr;
  }

private:
  HotVersion &Hot;
  const HotColdContext &Context;
  const MCPlusBuilder &MIB;
  HotColdGain &Gain;
  Frame F;
  RegisterSet Dropped = 0;
  std::vector<Frame::Save> Pushed, Stored;
  int64_t Room = 0;  ///< Bytes that are not pushed.
  int32_t State = 0; ///< State of unwinding, with the frame.

  /// RAX is pushed to make room. If it was assigned to before, that may be an
  /// argument instead.
  bool mayPushArgument() const {
    const auto &Blocks = Hot.blocks();
    const auto Builder = find_if(Blocks, [&](const HotVersion::Block &B) {
      return B.Original == F.Prolog;
    });
    SetVector<const HotVersion::Block *> Before;
    auto addPredecessors = [&](const HotVersion::Block &Successor) {
      for (const HotVersion::Block &B : Blocks)
        if (any_of(B.Ways, [&](const HotVersion::Way &W) {
              return !W.ToStub && &Blocks[W.To] == &Successor;
            }))
          Before.insert(&B);
    };
    RegisterSet Written = 0;
    addPredecessors(*Builder);
    for (unsigned I = 0; I < Before.size(); ++I) {
      for (const MCInst &Inst : Before[I]->Code)
        Written |= writes(Inst);
      addPredecessors(*Before[I]);
    }
    return any_of(Builder->Code, [&](const MCInst &Inst) {
      const StackEffect E = Context.Stack.effect(Inst);
      if (E.Operation == Kind::Push && E.Register & reg::RAX & Written)
        return true;
      Written |= writes(Inst);
      return false;
    });
  }

  RegisterSet writes(const MCInst &Inst) const {
    if (MIB.isPseudo(Inst))
      return 0;
    return Context.writtenBy(Inst);
  }

  /// Decides which saves are pushed and which are stored.
  void arrange() {
    bool First = true;
    for (const Frame::Save &S : F.Saves) {
      const bool Kept = !(S.Register & Dropped);
      First &= Kept && S.Depth == int64_t(8 * (Pushed.size() + 1));
      if (First)
        Pushed.push_back(S);
      else if (Kept)
        Stored.push_back(S);
    }
    Room = F.Size - 8 * Pushed.size();
  }

  unsigned numNew() const {
    return Pushed.size() + Stored.size() + (Room != 0);
  }

  /// Frame instructions of \p B, to build it or to take it down.
  unsigned numOld(const HotVersion::Block &B, bool Builds) const {
    return count_if(B.Code, [&](const MCInst &Inst) {
      const int64_t Growth = Context.Stack.effect(Inst).Growth;
      return Builds ? Growth > 0 : Growth < 0;
    });
  }

  double countGain() const {
    double Sum = 0;
    for (const HotVersion::Block &B : Hot.blocks())
      for (bool Builds : {false, true})
        if (const unsigned Old = numOld(B, Builds))
          Sum += B.Count * (double(Old) - numNew());
    return Sum;
  }

  /// Calls \p Do with each instruction that uses the stack where it has a part
  /// of the frame, and with how much is missing.
  template <typename Action> bool forEachInBetween(Action Do) {
    for (HotVersion::Block &B : Hot.blocks()) {
      int64_t Depth = B.Depth;
      for (MCInst &Inst : B.Code) {
        const StackEffect E = Context.Stack.effect(Inst);
        Depth += E.Growth;
        if (E.Operation != Kind::None || MIB.isPseudo(Inst) || Depth == 0 ||
            Depth == F.Size ||
            !(Context.Registers.effects(Inst).Reads & reg::RSP))
          continue;
        if (!Do(Inst, F.Size - Depth))
          return false;
      }
    }
    return true;
  }

  bool canMoveAround() {
    return forEachInBetween([&](const MCInst &Inst, int64_t) {
      return !MIB.isCall(Inst) && isPlainStackAccess(Context, Inst);
    });
  }

  MCPhysReg general(RegisterSet R) const {
    return Context.Registers.generalRegister(R);
  }

  MCInst store(const Frame::Save &S) const {
    return MCInstBuilder(Context.Stack.store())
        .addReg(general(reg::RSP))
        .addImm(1)
        .addReg(0)
        .addImm(F.Size - S.Depth)
        .addReg(0)
        .addReg(general(S.Register));
  }

  MCInst load(const Frame::Save &S) const {
    return MCInstBuilder(Context.Stack.load())
        .addReg(general(S.Register))
        .addReg(general(reg::RSP))
        .addImm(1)
        .addReg(0)
        .addImm(F.Size - S.Depth)
        .addReg(0);
  }

  unsigned dwarf(RegisterSet R) const {
    return Context.BC.MRI->getDwarfRegNum(general(R), /*isEH=*/true);
  }

  MCInst describeDepth(int64_t Depth) const {
    return Hot.newUnwind(MCCFIInstruction::cfiDefCfaOffset(nullptr, Depth + 8));
  }
  MCInst describeSave(const Frame::Save &S) const {
    const int64_t Wrong = isBroken(Assumption::UnwindSaves) ? 8 : 0;
    return Hot.newUnwind(MCCFIInstruction::createOffset(
        nullptr, dwarf(S.Register), -(S.Depth + 8) - Wrong));
  }

  /// All that unwinding has to know of the frame: later descriptions of states
  /// rely on nothing that came before.
  void describeAll(std::vector<MCInst> &Code) {
    Code.push_back(Hot.newUnwind(
        MCCFIInstruction::cfiDefCfa(nullptr, dwarf(reg::RSP), F.Size + 8)));
    for (unsigned I = 0; I < 16; ++I) {
      if (!(reg::CalleeSaved & reg::bit(I)))
        continue;
      const auto Slot = find_if(F.Saves, [&](const Frame::Save &S) {
        return S.Register == reg::bit(I) && !(S.Register & Dropped);
      });
      Code.push_back(Slot != F.Saves.end()
                         ? describeSave(*Slot)
                         : Hot.newUnwind(MCCFIInstruction::createSameValue(
                               nullptr, dwarf(reg::bit(I)))));
    }
    State = Code.back().getOperand(0).getImm() + 1;
  }

  std::vector<MCInst> buildFrame() {
    std::vector<MCInst> Code;
    for (const Frame::Save &S : Pushed) {
      Code.push_back(
          MCInstBuilder(Context.Stack.push()).addReg(general(S.Register)));
      Code.push_back(describeDepth(S.Depth));
      Code.push_back(describeSave(S));
    }
    if (Room) {
      Code.push_back(growStack(Context, Room));
      Code.push_back(describeDepth(F.Size));
    }
    for (const Frame::Save &S : Stored) {
      Code.push_back(store(S));
      Code.push_back(describeSave(S));
    }
    describeAll(Code);
    return Code;
  }

  std::vector<MCInst> takeFrameDown() const {
    std::vector<MCInst> Code;
    for (const Frame::Save &S : Stored)
      Code.push_back(load(S));
    if (Room) {
      Code.push_back(growStack(Context, -Room));
      Code.push_back(describeDepth(F.Size - Room));
    }
    for (const Frame::Save &S : reverse(Pushed)) {
      Code.push_back(
          MCInstBuilder(Context.Stack.pop()).addReg(general(S.Register)));
      Code.push_back(describeDepth(S.Depth - 8));
    }
    return Code;
  }

  void rewrite(HotVersion::Block &B, const Renaming &NewNames) {
    auto grows = [&](const MCInst &Inst) {
      return Context.Stack.effect(Inst).Growth > 0;
    };
    auto shrinks = [&](const MCInst &Inst) {
      return Context.Stack.effect(Inst).Growth < 0;
    };
    const auto FirstGrowth = find_if(B.Code, grows);
    const auto LastShrink = find_if(reverse(B.Code), shrinks);
    B.CFIState = B.Depth ? State : 0;
    std::vector<MCInst> New;
    auto append = [&](std::vector<MCInst> Code) {
      New.insert(New.end(), Code.begin(), Code.end());
    };
    for (MCInst &Inst : B.Code) {
      const StackEffect E = Context.Stack.effect(Inst);
      if (FirstGrowth != B.Code.end() && &Inst == &*FirstGrowth)
        append(buildFrame());
      if (LastShrink != B.Code.rend() && &Inst == &*LastShrink)
        append(takeFrameDown());
      if (E.Operation != Kind::None || MIB.isPseudo(Inst))
        continue;
      NewNames.apply(Inst);
      if (NewNames.isSelfMove(Inst))
        Gain.Moves += B.Count;
      else
        New.push_back(Inst);
    }
    B.Code = std::move(New);
  }

  void fill(HotVersion::Stub &S, const Renaming &NewNames) {
    const RegisterSet Needed = Hot.liveInto(S);
    if (!isBroken(Assumption::StubState))
      S.CFIState = S.Depth ? State : 0;
    if (!S.Depth)
      return;
    for (const Frame::Save &Save : F.Saves)
      if (Save.Register & Dropped && !isBroken(Assumption::Saves)) {
        S.Replay.push_back(store(Save));
        S.Replay.push_back(describeSave(Save));
      }
    NewNames.copyBack(S.From, Needed, S.Replay);
  }
};

} // namespace

const char *graupel::slimFrame(HotVersion &Hot, HotColdGain &Gain) {
  return FrameSlimming(Hot, Gain).run();
}
