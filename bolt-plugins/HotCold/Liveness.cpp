//===- HotCold/Liveness.cpp - Which registers are needed later ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Starts with nothing, and walks each block from its end (walk), the last
//    block first, until no set grows: the least solution.
// 2. The steps of a block are RegisterOutline's. The registers that a call
//    reads and preserves are in its callee's summary.
//
//===----------------------------------------------------------------------===//

#include "Liveness.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Registers that callers of \p BF need behind its end. A register that it does
/// not write is no result: callers that read it read their own value.
static RegisterSet resultsOf(const BinaryFunction &BF,
                             const RegisterSummaries &Summaries) {
  const RegisterSummaries::Summary S = Summaries.of(BF);
  return S.Results & S.MayChange;
}

Liveness::Liveness(BinaryFunction &BF, const RegisterModel &Model,
                   const RegisterSummaries &Summaries,
                   RegisterSet KeptForCaller)
    : Liveness(BF, Model, Summaries, RegisterOutline(BF, Model, Summaries),
               KeptForCaller,
               KeptForCaller ? Summaries.of(BF).Results | KeptForCaller
                             : resultsOf(BF, Summaries),
               &RegisterSummaries::Summary::Uses) {}

Liveness Liveness::ofUses(BinaryFunction &BF, const RegisterOutline &Outline,
                          const RegisterModel &Model,
                          const RegisterSummaries &Summaries) {
  return Liveness(BF, Model, Summaries, Outline, /*KeptForCaller=*/0,
                  resultsOf(BF, Summaries), &RegisterSummaries::Summary::Uses);
}

Liveness Liveness::ofReads(BinaryFunction &BF, const RegisterOutline &Outline,
                           const RegisterModel &Model,
                           const RegisterSummaries &Summaries) {
  return Liveness(BF, Model, Summaries, Outline, /*KeptForCaller=*/0,
                  /*AtReturn=*/0, &RegisterSummaries::Summary::Reads);
}

Liveness::Liveness(const BinaryFunction &BF, const RegisterModel &Model,
                   const RegisterSummaries &Summaries,
                   const RegisterOutline &Outline, RegisterSet KeptForCaller,
                   RegisterSet AtReturn, SetOfCallee OfCallees)
    : BF(BF), Model(Model), Summaries(Summaries), KeptForCaller(KeptForCaller),
      AtReturn(AtReturn), OfCallees(OfCallees),
      PushedForOthers(Outline.pushedForOthers()), LiveIn(Outline.size()) {
  auto ignore = [](const RegisterOutline::Step &, RegisterSet) {};
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned Block : llvm::reverse(seq(Outline.size()))) {
      const RegisterSet Live = walk(Outline, Block, ignore);
      Changed |= Live != LiveIn[Block];
      LiveIn[Block] = Live;
    }
  }
}

template <typename Visitor>
RegisterSet Liveness::walk(const RegisterOutline &Outline, unsigned Block,
                           Visitor Visit) const {
  RegisterSet Live = Outline.atEnd(Block), IntoPads = 0;
  for (unsigned Successor : Outline.successors(Block))
    Live |= LiveIn[Successor];
  for (unsigned Pad : Outline.landingPads(Block))
    IntoPads |= LiveIn[Pad];
  for (const RegisterOutline::Step &S : llvm::reverse(Outline.steps(Block))) {
    Visit(S, Live);
    Live = before(S, Live, IntoPads);
  }
  return Live;
}

void Liveness::visitCalls(
    const RegisterOutline &Outline,
    function_ref<void(const RegisterOutline::Step &, RegisterSet)> Visit)
    const {
  for (unsigned Block : seq(Outline.size()))
    walk(Outline, Block,
         [&](const RegisterOutline::Step &S, RegisterSet After) {
           if (S.Kind == RegisterOutline::Step::Call)
             Visit(S, After);
         });
}

RegisterSet Liveness::outOf(const BinaryBasicBlock &Block) const {
  RegisterSet Live = RegisterOutline::atEndOf(Block);
  for (const BinaryBasicBlock *Successor : Block.successors())
    Live |= LiveIn[Successor->getIndex()];
  return Live;
}

RegisterSet Liveness::before(const RegisterOutline::Step &S, RegisterSet After,
                             RegisterSet IntoPads) const {
  switch (S.Kind) {
  case RegisterOutline::Step::Run:
    return (After & ~S.Kills) | S.Reads;
  case RegisterOutline::Step::Return:
    return AtReturn | reg::RSP;
  case RegisterOutline::Step::Call:
    return beforeCall(S, After, IntoPads);
  }
  llvm_unreachable("all kinds of steps are above");
}

RegisterSet Liveness::beforeCall(const RegisterOutline::Step &Call,
                                 RegisterSet After,
                                 RegisterSet IntoPads) const {
  const RegisterSummaries::Summary Callee = Summaries.ofTarget(Call.Target);
  // Values that it may leave in the register of a result stay, too.
  const RegisterSet Overwritten =
      Callee.Overwrites & ~(Callee.Uses & ~(Callee.*OfCallees));
  RegisterSet Live = Callee.Returns ? After & ~Overwritten : 0;
  if (Call.IsTail && !Call.IsConditional)
    Live = 0;
  // Registers that the callee preserves reach this function's callers.
  if (Call.IsTail)
    Live |=
        KeptForCaller | (Callee.Returns ? AtReturn & ~Callee.Overwrites : 0);
  Live |= IntoPads & ~(reg::RAX | reg::RDX);
  return Live | (Callee.*OfCallees) | Call.Reads;
}

RegisterOutline::Step Liveness::stepOf(const BinaryBasicBlock &Block,
                                       const MCInst &Inst) const {
  return RegisterOutline::stepOf(Block, Inst, Model, PushedForOthers);
}

RegisterSet Liveness::intoPads(const BinaryBasicBlock &Block) const {
  RegisterSet Live = 0;
  for (const BinaryBasicBlock *Pad : Block.landing_pads())
    Live |= LiveIn[Pad->getIndex()];
  return Live;
}

RegisterSet Liveness::before(const BinaryBasicBlock &Block, const MCInst &Inst,
                             RegisterSet After) const {
  if (Model.isPseudo(Inst))
    return After;
  return before(stepOf(Block, Inst), After, intoPads(Block));
}

/// Each register's liveness before an instruction is either constant or the
/// same as behind it. So two sets behind the code suffice.
LiveTransfer Liveness::through(const BinaryBasicBlock &Block,
                               ArrayRef<MCInst> Code) const {
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  const RegisterSet IntoPads = intoPads(Block);
  LiveTransfer T;
  for (const MCInst &Inst : llvm::reverse(Code)) {
    if (Model.isPseudo(Inst))
      continue;
    const RegisterOutline::Step S = stepOf(Block, Inst);
    T.Reads = before(S, T.Reads, IntoPads);
    T.Keeps = before(S, T.Keeps, IntoPads);
  }
  return T;
}

RegisterSet Liveness::readBy(const BinaryBasicBlock &Block,
                             const MCInst &Inst) const {
  const RegisterSet Read = before(Block, Inst, /*After=*/0);
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  if (Model.isPseudo(Inst) || !Model.isCall(Inst))
    return Read;
  const RegisterSummaries::Summary Callee = Summaries.ofCall(Inst);
  return Read & ~(Callee.Uses & ~Callee.Reads & ~Model.effects(Inst).Reads);
}
