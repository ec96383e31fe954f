//===- HotCold/Rematerialization.cpp - Copies that stubs make -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sinking ends where paths join. A copy or an address in the frame that only
// stubs need is not moved but removed: each of these stubs makes it anew, from
// registers that are known to hold the same value there.
//
// 1. run() finds the registers that hot code needs at the beginning of each
//    block, and the contents of registers at its end (RegisterFacts).
// 2. removeFrom() goes through a block from its end. It looks for a copy or LEA
//    whose result no hot code needs and no later instruction of the block
//    overwrites.
// 3. makeInStubs() follows the result along the edges to the stubs that need
//    it. It gives up if a block may overwrite the result, or if a stub does not
//    know the value (copyOf).
// 4. Otherwise each of these stubs gets an instruction that makes the value,
//    and the candidate is erased.
// 5. After each change everything is looked at anew, until there is no change.
//
//===----------------------------------------------------------------------===//

#include "Frame.h"
#include "RegisterFacts.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/MC/MCInstBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

class Rematerialization {
public:
  Rematerialization(HotVersion &Hot, HotColdGain &Gain)
      : Hot(Hot), Context(Hot.context()), MIB(*Context.BC.MIB), Gain(Gain) {}

  void run() {
    for (bool Changed = true; Changed;) {
      Changed = false;
      NeededByHot = Hot.liveInto(/*Stubs=*/false);
      AtEnd = findRegisterFacts(Hot);
      for (unsigned I = 0; I < Hot.blocks().size(); ++I)
        for (const MCInst &Inst : Hot.blocks()[I].Code)
          if (AtEnd[I])
            AtEnd[I]->step(Context, Inst);
      for (unsigned I = 0; I < Hot.blocks().size() && !Changed; ++I)
        Changed = AtEnd[I] && removeFrom(I);
    }
  }

private:
  HotVersion &Hot;
  const HotColdContext &Context;
  const MCPlusBuilder &MIB;
  HotColdGain &Gain;
  std::vector<RegisterSet> NeededByHot;
  std::vector<std::optional<RegisterFacts>> AtEnd;

  /// Removes one instruction that only stubs need. Everything has to be looked
  /// at anew after that.
  bool removeFrom(unsigned Index) {
    HotVersion::Block &B = Hot.blocks()[Index];
    RegisterSet Live = Hot.liveBehind(B, NeededByHot, /*Stubs=*/false);
    RegisterSet WrittenBelow = 0;
    for (unsigned I = B.Code.size(); I--;) {
      const MCInst &Inst = B.Code[I];
      const RegisterSet Result = resultOf(Inst);
      if (Result && !(Result & (Live | WrittenBelow)) &&
          !Hot.makesFrame(B, I) && makeInStubs(Index, Result)) {
        B.Code.erase(B.Code.begin() + I);
        Gain.Sunk += B.Count;
        return true;
      }
      WrittenBelow |= Context.writtenBy(Inst);
      Live = Hot.original().before(*B.Original, Inst, Live);
    }
    return false;
  }

  /// The result of \p Inst if that is its only effect, computed from registers
  /// alone.
  RegisterSet resultOf(const MCInst &Inst) const {
    const unsigned Opcode = Inst.getOpcode();
    if (Opcode != Context.Stack.loadAddress() && Opcode != Context.Stack.move())
      return 0;
    const RegisterSet Result = Context.Registers.effects(Inst).Writes;
    return Result & reg::General & ~reg::RSP;
  }

  /// Lets all stubs that need \p Result of block \p From make it. False if one
  /// of them cannot.
  bool makeInStubs(unsigned From, RegisterSet Result) {
    std::vector<unsigned> Makers, Worklist{From};
    BitVector Seen(Hot.blocks().size());
    while (!Worklist.empty()) {
      const unsigned Index = Worklist.back();
      Worklist.pop_back();
      for (const HotVersion::Way &W : Hot.blocks()[Index].Ways) {
        if (!W.ToStub) {
          if (Seen.test(W.To))
            continue;
          Seen.set(W.To);
          const std::optional<bool> Left = leaves(W.To, Result);
          if (!Left)
            return false;
          if (*Left)
            Worklist.push_back(W.To);
          continue;
        }
        if (!(Hot.liveInto(Hot.stubs()[W.To]) & Result))
          continue;
        if (!copyOf(Result, *AtEnd[Index]))
          return false;
        Makers.push_back(W.To);
      }
    }
    for (unsigned I : Makers) {
      HotVersion::Stub &S = Hot.stubs()[I];
      S.Code.insert(S.Code.begin(), *copyOf(Result, *AtEnd[S.From]));
    }
    return true;
  }

  /// Whether block \p Index leaves \p Result as it is. Nothing if it may: a
  /// callee with a convention of its own.
  std::optional<bool> leaves(unsigned Index, RegisterSet Result) const {
    for (const MCInst &Inst : Hot.blocks()[Index].Code) {
      if (!(Context.writtenBy(Inst) & Result))
        continue;
      RegisterSet Overwritten = Context.Registers.effects(Inst).Kills;
      if (MIB.isCall(Inst))
        Overwritten |= Context.Summaries.ofCall(Inst).Overwrites;
      if (Overwritten & Result || !(reg::CalleeSaved & Result))
        return false;
      return std::nullopt;
    }
    return true;
  }

  /// An instruction that gives \p Register its value by \p Facts.
  std::optional<MCInst> copyOf(RegisterSet Register,
                               const RegisterFacts &Facts) const {
    const RegisterFacts::Fact &Known = Facts.of(Register);
    const MCPhysReg To = Context.Registers.generalRegister(Register);
    if (Known.CopyOf && Known.Bytes == 8)
      return MCInstBuilder(Context.Stack.move())
          .addReg(To)
          .addReg(Context.Registers.generalRegister(Known.CopyOf));
    if (!Known.StackAddress)
      return std::nullopt;
    const auto Distance = Facts.fromStackPointer(*Known.StackAddress);
    if (!Distance || !isInt<32>(*Distance))
      return std::nullopt;
    return loadStackAddress(Context, To, *Distance);
  }
};

} // namespace

void graupel::makeCopiesInStubs(HotVersion &Hot, HotColdGain &Gain) {
  Rematerialization(Hot, Gain).run();
}
