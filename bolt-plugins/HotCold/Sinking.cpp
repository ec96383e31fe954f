//===- HotCold/Sinking.cpp - Partial dead code elimination ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instruction whose result no hot block needs goes to the stubs that do. It
// travels edge by edge: to the end of its block, and from there to the
// beginning of each successor in which its result is live, which must have no
// other predecessor.
//
//===----------------------------------------------------------------------===//

#include "Assumptions.h"
#include "HotVersion.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

class Sinking {
public:
  Sinking(HotVersion &Hot, HotColdGain &Gain)
      : Hot(Hot), Context(Hot.context()), MIB(*Context.BC.MIB), Gain(Gain) {}

  void run() {
    for (bool Changed = true; Changed;) {
      Changed = false;
      NeededByHot = Hot.liveInto(/*Stubs=*/false);
      Needed = Hot.liveInto(/*Stubs=*/true);
      for (unsigned I = 0; I < Hot.blocks().size() && !Changed; ++I)
        Changed = sinkFrom(I);
    }
  }

private:
  HotVersion &Hot;
  const HotColdContext &Context;
  const MCPlusBuilder &MIB;
  HotColdGain &Gain;
  std::vector<RegisterSet> NeededByHot, Needed;

  /// Moves one instruction out of a block. Everything has to be looked at anew
  /// after that.
  bool sinkFrom(unsigned Index) {
    HotVersion::Block &B = Hot.blocks()[Index];
    RegisterSet Live = Hot.liveBehind(B, NeededByHot, /*Stubs=*/false);
    RegisterSet ReadBelow = 0, WrittenBelow = 0;
    for (unsigned I = B.Code.size(); I--;) {
      const MCInst &Inst = B.Code[I];
      const RegisterEffects E = Context.Registers.effects(Inst);
      const RegisterSet Result = E.Writes & ~reg::Flags;
      const bool BehindPrefix = I && MIB.isPrefix(B.Code[I - 1]);
      if (isMovable(Inst, E) && !BehindPrefix && !Hot.makesFrame(B, I) &&
          !(E.Writes & Live) &&
          (isBroken(Assumption::Order) ||
           (!(Result & (ReadBelow | WrittenBelow)) &&
            !(E.Reads & WrittenBelow))) &&
          distribute(Index, I, E))
        return true;
      WrittenBelow |= Context.writtenBy(Inst);
      // Includes the reads of callees and landing pads.
      ReadBelow |= Hot.original().before(*B.Original, Inst, 0) | E.Reads;
      Live = Hot.original().before(*B.Original, Inst, Live);
    }
    return false;
  }

  /// One general register is the result, which is computed from registers.
  bool isMovable(const MCInst &Inst, const RegisterEffects &E) const {
    const MCInstrDesc &Info = Context.BC.MII->get(Inst.getOpcode());
    const RegisterSet Result = E.Writes & ~reg::Flags;
    return Info.getNumDefs() == 1 && isPowerOf2_64(Result) &&
           (Result & reg::General) && Result != reg::RSP &&
           !(Result & ~E.Kills) && !(E.Reads & reg::Flags) && !Info.mayLoad() &&
           !Info.mayStore() && !Info.isCall() && !Info.isTerminator() &&
           !Info.hasUnmodeledSideEffects() && !MIB.isPrefix(Inst) &&
           !(E.Writes & reg::Others) &&
           Context.Stack.effect(Inst).Operation == StackEffect::Kind::None;
  }

  bool distribute(unsigned From, unsigned InstIndex, const RegisterEffects &E) {
    HotVersion::Block &B = Hot.blocks()[From];
    const RegisterSet Result = E.Writes & ~reg::Flags;
    // Check before anything is changed.
    double Saved = B.Count;
    for (const HotVersion::Way &W : B.Ways) {
      const RegisterSet Live =
          W.ToStub ? Hot.liveInto(Hot.stubs()[W.To]) : Needed[W.To];
      if (!(Live & Result))
        continue;
      // Flags would be spoilt there.
      if (Live & E.Writes & reg::Flags)
        return false;
      if (!W.ToStub) {
        if (W.To == From || Hot.predecessors(W.To) != 1 || W.To == 0)
          return false;
        Saved -= Hot.blocks()[W.To].Count;
      }
    }
    const MCInst Inst = B.Code[InstIndex];
    B.Code.erase(B.Code.begin() + InstIndex);
    for (const HotVersion::Way &W : B.Ways) {
      const RegisterSet Live =
          W.ToStub ? Hot.liveInto(Hot.stubs()[W.To]) : Needed[W.To];
      if (!(Live & Result))
        continue;
      std::vector<MCInst> &Code =
          W.ToStub ? Hot.stubs()[W.To].Code : Hot.blocks()[W.To].Code;
      Code.insert(Code.begin(), Inst);
    }
    Gain.Sunk += Saved;
    return true;
  }
};

} // namespace

void graupel::sinkIntoStubs(HotVersion &Hot, HotColdGain &Gain) {
  Sinking(Hot, Gain).run();
}
