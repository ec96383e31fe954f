//===- Instrument/FlagLiveness.cpp - Where the flags hold nothing ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlagLiveness.h"
#include "Support/FunctionEntry.h"
#include "Support/SplitTables.h"
#include "bolt/Core/ParallelUtilities.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include <mutex>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

// What one look at all functions adds; a function that takes the flags may hand
// them on to the next, so there is another look until nothing is added.
struct FlagConventions::Findings {
  std::mutex Lock;
  std::vector<const MCSymbol *> Takers, Returners;
  bool AnyReturns = false;
};

/// Whether the bytes of \p BF, which has no flow graph, read the flags before
/// the first branch and before they are overwritten.
static bool beginsByReading(const BinaryFunction &BF,
                            const FlagEffects &Effects) {
  const BinaryContext &BC = BF.getBinaryContext();
  const ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
  uint64_t Size = 0;
  for (uint64_t At = 0; Bytes && At < Bytes->size(); At += Size) {
    MCInst Inst;
    if (BC.DisAsm->getInstruction(Inst, Size, Bytes->slice(At),
                                  BF.getAddress() + At,
                                  nulls()) != MCDisassembler::Success)
      return false;
    if (Effects.reads(Inst))
      return true;
    if (Effects.overwrites(Inst) || Effects.mayLeave(Inst))
      return false;
  }
  return false;
}

FlagConventions::FlagConventions(BinaryContext &BC, const FlagEffects &Effects)
    : BC(BC) {
  for (auto &[Address, BF] : BC.getBinaryFunctions())
    if ((!BF.hasCFG() || BF.empty()) && !BF.isPLTFunction() && !BF.isPseudo() &&
        !BF.isFragment() && beginsByReading(BF, Effects))
      Takers.insert_range(BF.getSymbols());
  for (bool Added = true; Added;) {
    Findings New;
    ParallelUtilities::runOnEachFunction(
        BC, ParallelUtilities::SchedulingPolicy::SP_TRIVIAL,
        [&](BinaryFunction &BF) { look(BF, Effects, New); },
        [](const BinaryFunction &BF) { return !BF.hasCFG() || BF.empty(); },
        "FlagConventions");
    Added = New.AnyReturns && !AnyReturns;
    AnyReturns |= New.AnyReturns;
    for (const MCSymbol *Taker : New.Takers)
      Added |= Takers.insert(Taker).second;
    for (const MCSymbol *Returner : New.Returners)
      Added |= Returners.insert(Returner).second;
  }
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
      if (!Effects.mayLeave(Inst) || !BC.MIB->isCall(Inst) ||
          BC.MIB->isTailCall(Inst) || !Liveness.liveAt(Block, I + 1, Until))
        continue;
      std::lock_guard Locked(New.Lock);
      if (const MCSymbol *Callee = BC.MIB->getTargetSymbol(Inst))
        New.Returners.push_back(Callee);
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

bool FlagConventions::takesFlags(const MCSymbol *Callee) const {
  if (!Callee)
    return !Takers.empty();
  if (Takers.contains(Callee))
    return true;
  // Where code is not read, and no calling convention holds.
  const auto [Function, IsBeginning] = findFunctionEntry(BC, Callee);
  return Function && (!Function->hasCFG() || Function->empty()) &&
         (!IsBeginning || Function->isFragment());
}

bool FlagConventions::returnsFlags(const BinaryFunction &BF) const {
  return AnyReturns || Returners.contains(BF.getSymbol());
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
  return mayLeaveByTable(Block) && Conventions.takesFlags(nullptr);
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
