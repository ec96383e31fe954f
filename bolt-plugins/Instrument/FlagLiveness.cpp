//===- Instrument/FlagLiveness.cpp - Where the flags hold nothing ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds where EFLAGS hold a value that is needed.
//
// 1. FlagConventions looks at all functions for those that take flags from
//    their callers or return flags to them. It looks again until nothing is
//    added, since a function may hand them on.
// 2. look() does so for functions with a flow graph. lookAtStaying() goes back
//    through the copies of functions that stay; behind the direct calls of one
//    that is not understood, anything may be read.
// 3. FlagLiveness: firstDecision() finds the first instruction of a block that
//    reads or overwrites the flags, calls or returns. It decides for the
//    block's beginning.
// 4. Blocks without such an instruction are live if a successor is, or if a
//    jump through a table may leave the function. That is repeated until
//    nothing changes.
// 5. liveAt() asks the same from some instruction on.
//
//===----------------------------------------------------------------------===//

#include "FlagLiveness.h"
#include "Support/ComputedGoto.h"
#include "Support/FunctionEntry.h"
#include "Support/SplitTables.h"
#include "bolt/Core/ParallelUtilities.h"
#include <mutex>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

// The findings of one look at all functions; a function that takes the flags
// may hand them on to the next, so there is another look until nothing is
// added.
struct FlagConventions::Findings {
  std::mutex Lock;
  std::vector<const MCSymbol *> Takers;
  std::vector<const BinaryFunction *> Returners;
  bool AnyReturns = false;
};

FlagConventions::FlagConventions(BinaryContext &BC, const FlagEffects &Effects)
    : BC(BC) {
  for (bool Added = true; Added;) {
    Findings New;
    ParallelUtilities::runOnEachFunction(
        BC, ParallelUtilities::SchedulingPolicy::SP_TRIVIAL,
        [&](BinaryFunction &BF) { look(BF, Effects, New); },
        [](const BinaryFunction &BF) { return !BF.hasCFG() || BF.empty(); },
        "FlagConventions");
    for (const StayingFunction &S : stayingFunctions())
      lookAtStaying(S, Effects, New);
    Added = New.AnyReturns && !AnyReturns;
    AnyReturns |= New.AnyReturns;
    for (const MCSymbol *Taker : New.Takers)
      Added |= Takers.insert(Taker).second;
    for (const BinaryFunction *Returner : New.Returners)
      Added |= Returners.insert(Returner).second;
  }
}

/// Looks at a function without a flow graph of BOLT's. If its flow is not
/// understood, anything may be read behind direct calls; nobody is known to
/// read flags behind a call through a pointer, unless that is the next thing it
/// does.
void FlagConventions::lookAtStaying(const StayingFunction &S,
                                    const FlagEffects &Effects,
                                    Findings &New) const {
  const bool AtEnd = returnsFlags(*S.Function);
  std::vector<bool> LiveIn(S.numBlocks());
  auto before = [&](unsigned Block, Findings *Note) {
    bool Live =
        llvm::any_of(S.next(Block), [&](unsigned To) { return LiveIn[To]; });
    for (const StayingFunction::Step &Each : llvm::reverse(S.stepsOf(Block))) {
      if (Each.IsReturn)
        Live = AtEnd;
      if (Each.IsCall || Each.To) {
        const bool Wanted = (Each.IsTail ? AtEnd : Live) || !S.IsUnderstood;
        if (Note && Each.To && Wanted)
          addReturner(Each.To->getSymbol(), *Note);
        if (Note && !Each.To && (Each.IsTail ? AtEnd : Live))
          Note->AnyReturns = true;
        const MCSymbol *To = Each.To ? Each.To->getSymbol() : nullptr;
        Live = takesFlags(To) || (Each.IsTail && Live);
      }
      if (Effects.reads(*Each.Inst))
        Live = true;
      else if (Effects.overwrites(*Each.Inst))
        Live = false;
    }
    return Live;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned I = S.numBlocks(); I--;)
      if (!LiveIn[I] && before(I, nullptr))
        LiveIn[I] = Changed = true;
  }
  for (unsigned I = 0; I < S.numBlocks(); ++I)
    before(I, &New);
  if (!LiveIn.empty() && LiveIn[0])
    llvm::append_range(New.Takers, S.Function->getSymbols());
}

void FlagConventions::look(BinaryFunction &BF, const FlagEffects &Effects,
                           Findings &New) const {
  const FlagLiveness Liveness(BF, Effects, *this);
  for (const BinaryBasicBlock &Block : BF) {
    if (Liveness.liveInto(Block))
      addEntry(BF, Block, New);
    for (unsigned I = 0, Until; I < Block.size(); ++I) {
      const MCInst &Inst = Block.getInstructionAtIndex(I);
      // The taken side of a conditional tail call does not come back.
      if (!Effects.mayLeave(Inst) || !BC.MIB->isCall(Inst))
        continue;
      // Behind a tail call is what the caller reads.
      if (BC.MIB->isTailCall(Inst) ? !returnsFlags(BF)
                                   : !Liveness.liveAt(Block, I + 1, Until))
        continue;
      std::lock_guard Locked(New.Lock);
      if (const MCSymbol *Callee = BC.MIB->getTargetSymbol(Inst))
        addReturner(Callee, New);
      else
        New.AnyReturns = true;
    }
  }
}

// By all names that others may have for it.
void FlagConventions::addEntry(const BinaryFunction &BF,
                               const BinaryBasicBlock &Block, Findings &New) {
  const MCSymbol *Further = BF.getSecondaryEntryPointSymbol(Block);
  if (&Block != &BF.front() && !Further)
    return;
  std::lock_guard Locked(New.Lock);
  if (&Block == &BF.front())
    llvm::append_range(New.Takers, BF.getSymbols());
  if (Further)
    New.Takers.push_back(Further);
  New.Takers.push_back(Block.getLabel());
}

/// The target of the stub \p Callee, if that is in this file; else \p Callee.
const MCSymbol *FlagConventions::beyondStub(const MCSymbol *Callee) const {
  const BinaryFunction *Stub = BC.getFunctionForSymbol(Callee);
  if (!Stub || !Stub->isPLTFunction())
    return Callee;
  const BinaryData *Own =
      BC.getBinaryDataByName(Stub->getOneName().split('@').first);
  return Own ? Own->getSymbol() : Callee;
}

/// The flags that \p Callee leaves are read. Where it is entered says nothing of
/// where it returns.
void FlagConventions::addReturner(const MCSymbol *Callee, Findings &New) const {
  if (const BinaryFunction *BF = BC.getFunctionForSymbol(beyondStub(Callee)))
    New.Returners.push_back(BF);
}

bool FlagConventions::takesFlags(const MCSymbol *Callee) const {
  if (!Callee)
    return !Takers.empty();
  Callee = beyondStub(Callee);
  if (Takers.contains(Callee))
    return true;
  // Where code is not read, and no calling convention holds.
  const auto [Function, IsBeginning] = findFunctionEntry(BC, Callee);
  return Function && (!Function->hasCFG() || Function->empty()) &&
         (!IsBeginning || Function->isFragment());
}

bool FlagConventions::returnsFlags(const BinaryFunction &BF) const {
  return AnyReturns || Returners.contains(&BF);
}

FlagLiveness::FlagLiveness(BinaryFunction &BF, const FlagEffects &Effects,
                           const FlagConventions &Conventions)
    : BF(BF), Effects(Effects), Conventions(Conventions), LiveIn(BF.size()) {
  // Most blocks decide by themselves, and early.
  SmallVector<const BinaryBasicBlock *> Undecided;
  for (const BinaryBasicBlock &Block : llvm::reverse(BF)) {
    unsigned Index = 0;
    if (const std::optional<bool> Live = firstDecision(Block, Index))
      LiveIn[Block.getIndex()] = *Live;
    else
      Undecided.push_back(&Block);
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BinaryBasicBlock *Block : Undecided)
      if (!LiveIn.test(Block->getIndex()) && liveOut(*Block)) {
        LiveIn.set(Block->getIndex());
        Changed = true;
      }
  }
}

bool FlagLiveness::liveOut(const BinaryBasicBlock &Block) const {
  for (const BinaryBasicBlock *Successor : Block.successors())
    if (LiveIn.test(Successor->getIndex()))
      return true;
  return mayLeaveByGoto(Block) ||
         (mayLeaveByTable(Block) && Conventions.takesFlags(nullptr));
}

/// Whether the flags are live before \p Inst, if that does not depend on what
/// comes behind it.
std::optional<bool> FlagLiveness::decides(const MCInst &Inst) const {
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  if (Effects.reads(Inst))
    return true;
  if (Effects.mayLeave(Inst)) {
    if (MIB.isCall(Inst))
      return Conventions.takesFlags(MIB.getTargetSymbol(Inst));
    if (MIB.isReturn(Inst))
      return Conventions.returnsFlags(BF);
  }
  if (Effects.overwrites(Inst))
    return false;
  return std::nullopt;
}

/// Moves \p Index to the first instruction that decides, or behind the last.
std::optional<bool> FlagLiveness::firstDecision(const BinaryBasicBlock &Block,
                                                unsigned &Index) const {
  for (; Index < Block.size(); ++Index)
    if (const std::optional<bool> Live =
            decides(Block.getInstructionAtIndex(Index)))
      return Live;
  return std::nullopt;
}

bool FlagLiveness::liveAt(const BinaryBasicBlock &Block, unsigned Index,
                          unsigned &Until) const {
  Until = Index;
  const std::optional<bool> Live = firstDecision(Block, Until);
  return Live ? *Live : liveOut(Block);
}
