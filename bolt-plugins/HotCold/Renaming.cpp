//===- HotCold/Renaming.cpp - Other registers for hot code ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds other registers for those that hot code would have to save, and renames
// them (Cohn, Goodwin, Lowney 1997).
//
// 1. findSet() computes the registers that may have been set at the end of each
//    hot block.
// 2. The constructor wants another name for saved registers that hot code
//    names, unless an instruction uses them without naming them or together
//    with a high byte. Candidates are the registers that the caller saves and
//    the function writes.
// 3. findConflicts() goes back through each block with the live registers. It
//    notes which registers change while others are needed, and which are copies
//    of others.
// 4. A wanted register gets a candidate without a conflict, first where one of
//    the two is a copy of the other.
// 5. apply() renames the operands of hot code. copyBack() has a stub restore
//    the old names of values that it needs.
//
//===----------------------------------------------------------------------===//

#include "Renaming.h"
#include "Assumptions.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using Kind = StackEffect::Kind;

namespace {

/// Notes which registers change while others are needed, for one block.
class ConflictFinder {
public:
  ConflictFinder(const HotVersion &Hot, const Frame &F, RegisterSet Wanted,
                 std::array<RegisterSet, 16> &Conflicts,
                 std::array<RegisterSet, 16> &CopiedFrom)
      : Hot(Hot), Context(Hot.context()), F(F), Wanted(Wanted),
        Conflicts(Conflicts), CopiedFrom(CopiedFrom) {}

  void visit(const HotVersion::Block &B, RegisterSet Live) {
    std::vector<RegisterSet> HeldBehind;
    RegisterSet Held = F.heldInto(B);
    for (const MCInst &Inst : B.Code)
      HeldBehind.push_back(Held = F.heldBehind(Context, Inst, Held));
    for (unsigned I = B.Code.size(); I--;) {
      const MCInst &Inst = B.Code[I];
      if (Context.BC.MIB->isPseudo(Inst))
        continue;
      // Elsewhere the registers hold what the caller needs, and will.
      note(B, Inst, Live, Wanted & HeldBehind[I]);
      Live = Hot.original().before(*B.Original, Inst, Live);
    }
  }

private:
  void note(const HotVersion::Block &B, const MCInst &Inst, RegisterSet After,
            RegisterSet Registers) {
    const RegisterEffects E = Context.Registers.effects(Inst);
    RegisterSet Changes = E.Writes, AfterThrow = 0;
    if (Context.BC.MIB->isCall(Inst) && !Context.BC.MIB->isTailCall(Inst)) {
      Changes |= Context.Summaries.ofCall(Inst).MayChange;
      // Unwinding restores only the registers that calls preserve.
      for (const BinaryBasicBlock *Pad : B.Original->landing_pads())
        AfterThrow |= Hot.original().into(*Pad);
    }
    const bool IsCopy = Inst.getOpcode() == Context.Stack.move();
    const RegisterSet Source = IsCopy ? E.Reads : 0;
    const bool IsFrame = Context.Stack.effect(Inst).Operation != Kind::None;
    for (unsigned I = 0; I < 16; ++I) {
      const RegisterSet R = reg::bit(I);
      if (!(R & Registers))
        continue;
      if (AfterThrow & R)
        Conflicts[I] |= reg::CallerSaved;
      // Two may hold the same value.
      if (After & R)
        Conflicts[I] |= Changes & ~R & ~(Source & R ? E.Writes : 0);
      if (Changes & R && !IsFrame)
        Conflicts[I] |= After & ~R & ~Source;
      if (Changes & R)
        CopiedFrom[I] |= Source;
      if (Source & R)
        CopiedFrom[I] |= E.Writes;
    }
  }

  const HotVersion &Hot;
  const HotColdContext &Context;
  const Frame &F;
  const RegisterSet Wanted;
  std::array<RegisterSet, 16> &Conflicts, &CopiedFrom;
};

/// Named together with a second byte of some register, which only goes with the
/// old names.
RegisterSet namedWithHighBytes(const HotVersion &Hot) {
  const HotColdContext &Context = Hot.context();
  RegisterSet Result = 0;
  for (const HotVersion::Block &B : Hot.blocks())
    for (const MCInst &Inst : B.Code)
      if (Context.Registers.namesHighByte(Inst)) {
        const RegisterEffects E = Context.Registers.effects(Inst);
        Result |= E.Reads | E.Writes;
      }
  return Result;
}

} // namespace

Renaming::Conflicts Renaming::findConflicts(const HotVersion &Hot,
                                            const Frame &F, RegisterSet Wanted,
                                            Conflicts &CopiedFrom) {
  Conflicts Found = {};
  const std::vector<RegisterSet> LiveIn = Hot.liveInto(/*Stubs=*/true);
  ConflictFinder Finder(Hot, F, Wanted, Found, CopiedFrom);
  for (const HotVersion::Block &B : Hot.blocks())
    Finder.visit(B, Hot.liveBehind(B, LiveIn, /*Stubs=*/true));
  return Found;
}

Renaming::Renaming(const HotVersion &Hot, const Frame &F)
    : Context(Hot.context()) {
  findSet(Hot);
  const RegisterSet Wanted =
      F.Saved & F.Mentioned & ~F.Implicit & ~namedWithHighBytes(Hot);
  RegisterSet Free = reg::General & ~reg::RSP & ~reg::CalleeSaved &
                     Context.Summaries.of(Hot.function()).Writes;
  Conflicts CopiedFrom = {};
  const Conflicts Found = findConflicts(Hot, F, Wanted, CopiedFrom);
  for (bool Copies : {true, false})
    for (unsigned I = 0; I < 16; ++I) {
      const RegisterSet Register = reg::bit(I) & Wanted & ~Renamed;
      const RegisterSet Choice =
          Free & (isBroken(Assumption::Conflicts) ? reg::All : ~Found[I]) &
          (Copies ? CopiedFrom[I] : reg::All);
      if (!Register || !Choice)
        continue;
      NewNames[Register] = Choice & -Choice;
      Renamed |= Register;
      Free &= ~NewNames[Register];
    }
}

void Renaming::apply(MCInst &Inst) const {
  for (unsigned I = 0; I < MCPlus::getNumPrimeOperands(Inst); ++I) {
    MCOperand &Op = Inst.getOperand(I);
    if (!Op.isReg() || !Op.getReg())
      continue;
    auto At = NewNames.find(Context.Registers.setOf(Op.getReg()));
    if (At != NewNames.end())
      Context.Registers.replaceRegister(Op, At->second);
  }
}

bool Renaming::isSelfMove(const MCInst &Inst) const {
  return Inst.getOpcode() == Context.Stack.move() &&
         Inst.getOperand(0).getReg() == Inst.getOperand(1).getReg();
}

void Renaming::findSet(const HotVersion &Hot) {
  const std::vector<HotVersion::Block> &Blocks = Hot.blocks();
  std::vector<RegisterSet> Into(Blocks.size());
  Set.resize(Blocks.size());
  std::vector<unsigned> Worklist{0};
  BitVector Seen(Blocks.size());
  while (!Worklist.empty()) {
    const unsigned Index = Worklist.back();
    Worklist.pop_back();
    Seen.set(Index);
    RegisterSet Now = Into[Index];
    for (const MCInst &Inst : Blocks[Index].Code)
      if (!Context.BC.MIB->isPseudo(Inst))
        Now |= Context.Registers.effects(Inst).Writes;
    Set[Index] = Now;
    for (const HotVersion::Way &W : Blocks[Index].Ways)
      if (!W.ToStub && (!Seen.test(W.To) || (Now & ~Into[W.To]))) {
        Into[W.To] |= Now;
        Worklist.push_back(W.To);
      }
  }
}

void Renaming::copyBack(unsigned From, RegisterSet Needed,
                        std::vector<MCInst> &Code) const {
  for (const auto &[Old, New] : NewNames)
    if (Needed & Set[From] & Old && !isBroken(Assumption::CopiesBack))
      Code.push_back(MCInstBuilder(Context.Stack.move())
                         .addReg(Context.Registers.generalRegister(Old))
                         .addReg(Context.Registers.generalRegister(New)));
}
