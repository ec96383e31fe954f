//===- HotCold/FrameRemoval.cpp - Hot versions without a frame ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hot version without calls needs no frame: its values in registers that its
// caller owns move to free ones, and its variables on the stack stay where they
// are, in the red zone. Stubs build the frame that the original expects: the
// saves first, while the caller's values are still in the registers, then
// copies into the registers that had been renamed, then the sunk instructions.
//
//===----------------------------------------------------------------------===//

#include "Assumptions.h"
#include "Renaming.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using Kind = StackEffect::Kind;

namespace {

constexpr int64_t RedZone = 128;

class FrameRemoval {
public:
  FrameRemoval(HotVersion &Hot, HotColdGain &Gain)
      : Hot(Hot), Context(Hot.context()), BC(Context.BC), MIB(*BC.MIB),
        Gain(Gain) {}

  const char *run() {
    if (!Hot.isLeaf())
      return "calls";
    if (const char *Reason = F.read(Hot))
      return Reason;
    if (const char *Reason = checkVariables())
      return Reason;
    const Renaming NewNames(Hot, F);
    if (F.Mentioned & F.Saved & ~NewNames.renamed())
      return "no free register";
    removeFromBlocks(NewNames);
    buildStubs(NewNames);
    return nullptr;
  }

private:
  HotVersion &Hot;
  const HotColdContext &Context;
  const BinaryContext &BC;
  const MCPlusBuilder &MIB;
  HotColdGain &Gain;
  Frame F;

  /// Everything on the stack has to stay where it is when the stack pointer
  /// does.
  const char *checkVariables() {
    for (const HotVersion::Block &B : Hot.blocks()) {
      int64_t Depth = B.Depth;
      for (const MCInst &Inst : B.Code) {
        const StackEffect E = Context.Stack.effect(Inst);
        Depth += E.Growth;
        if (E.Operation != Kind::None || MIB.isPseudo(Inst) ||
            MIB.isReturn(Inst) || MIB.isTailCall(Inst) ||
            !(Context.Registers.effects(Inst).Reads & reg::RSP))
          continue;
        if (!isPlainStackAccess(Context, Inst))
          return "the address of the stack is used";
        const int64_t From =
            MIB.evaluateX86MemoryOperand(Inst)->DispImm - Depth;
        if ((From < -RedZone && !isBroken(Assumption::RedZone)) ||
            (From < 8 && From > -8))
          return "variables beyond the red zone";
      }
    }
    return nullptr;
  }

  void removeFromBlocks(const Renaming &NewNames) {
    for (HotVersion::Block &B : Hot.blocks()) {
      int64_t Depth = B.Depth;
      B.CFIState = 0;
      std::vector<MCInst> Kept;
      for (MCInst &Inst : B.Code) {
        const StackEffect E = Context.Stack.effect(Inst);
        Depth += E.Growth;
        if (E.Operation == Kind::Push || E.Operation == Kind::Pop)
          (E.Register & F.Saved ? Gain.Saves : Gain.Adjusts) += B.Count;
        if (E.Operation == Kind::Adjust)
          Gain.Adjusts += B.Count;
        if (E.Operation != Kind::None || MIB.isPseudo(Inst))
          continue;
        const RegisterEffects R = Context.Registers.effects(Inst);
        if (!isBroken(Assumption::Slots) && R.Reads & reg::RSP &&
            !MIB.isReturn(Inst) && !MIB.isTailCall(Inst))
          MIB.replaceMemOperandDisp(
              Inst, MCOperand::createImm(
                        MIB.evaluateX86MemoryOperand(Inst)->DispImm - Depth));
        NewNames.apply(Inst);
        if (NewNames.isSelfMove(Inst)) {
          Gain.Moves += B.Count;
          continue;
        }
        Kept.push_back(Inst);
      }
      B.Code = std::move(Kept);
    }
  }

  void buildStubs(const Renaming &NewNames) {
    for (HotVersion::Stub &S : Hot.stubs()) {
      const RegisterSet Needed = Hot.liveInto(S);
      if (!isBroken(Assumption::StubState))
        S.CFIState = 0;
      if (S.Depth)
        for (const MCInst &Inst : *F.Prolog) {
          if (MIB.isCFI(Inst)) {
            S.Replay.push_back(Inst);
            continue;
          }
          const StackEffect E = Context.Stack.effect(Inst);
          if (E.Growth < 0)
            break; // A frame that ends where it began.
          if (E.Operation == Kind::Push && E.Register & F.Saved)
            S.Replay.push_back(Inst);
          else if (E.Growth > 0)
            S.Replay.push_back(growStack(Context, E.Growth));
        }
      if (S.Depth)
        NewNames.copyBack(S.From, Needed, S.Replay);
    }
  }
};

} // namespace

const char *graupel::removeFrame(HotVersion &Hot, HotColdGain &Gain) {
  return FrameRemoval(Hot, Gain).run();
}
