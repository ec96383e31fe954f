//===- HotCold/PartialInlining.cpp - Hot parts in their callers -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. From a callee, take the blocks from its entry on that are frequent and
//    plain and lead to a return or out of the part (InlinablePart::find). Edges
//    that close loops lead out of it.
// 2. Note what may trap in it: in a caller with an exception table only
//    accesses to the caller's frame may be inlined.
// 3. Replace calls that are frequent enough: split the caller's block behind
//    the call and copy the part between the two (CallReplacement).
// 4. Where the part is left, a rare block calls the rest of the callee, which
//    gets an entry there. If old code is going to be patched to lead to new
//    code (patch-entries), there must be room for a jump at each entry: a
//    function that cannot be patched stays, and has no such entries.
//
//===----------------------------------------------------------------------===//

#include "PartialInlining.h"
#include "BlockEditing.h"
#include "HotCold.h"
#include "Support/FunctionEntry.h"
#include "Support/Traps.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

constexpr unsigned MaxInstructions = 32;
constexpr unsigned MaxBlocks = 12;
constexpr uint64_t CallBytes = 5;
constexpr uint64_t PatchBytes = 5; // A jump.
// As a fraction of the function's executions: rarer blocks stay in the rest.
constexpr double MinShare = 0.01;

/// True if \p Block has the same effect in the place of a call.
bool isPlain(const BinaryBasicBlock &Block, const RegisterModel &Registers) {
  const BinaryFunction &BF = *Block.getFunction();
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  if (Block.getCFIState() != 0 || Block.isLandingPad())
    return false;
  for (const MCInst &Inst : Block) {
    if (MIB.isPseudo(Inst) || MIB.getConditionalTailCall(Inst))
      return false;
    if (MIB.isReturn(Inst)) {
      // One that takes arguments off the stack is something else.
      if (MCPlus::getNumPrimeOperands(Inst) != 0)
        return false;
      continue;
    }
    const RegisterEffects E = Registers.effects(Inst);
    if (MIB.isCall(Inst) || MIB.isIndirectBranch(Inst) ||
        Registers.isRequest(Inst) || (E.Reads | E.Writes) & reg::RSP)
      return false;
  }
  return true;
}

/// Finds out where a handler of signals may throw from \p Part. The data of the
/// image can be accessed.
void findTraps(InlinablePart &Part, const RegisterModel &Registers) {
  const BinaryContext &BC =
      Part.Blocks.front()->getFunction()->getBinaryContext();
  RegisterSet Written = 0;
  for (const BinaryBasicBlock *Block : Part.Blocks)
    for (const MCInst &Inst : *Block) {
      Written |= Registers.effects(Inst).Writes;
      const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
      Part.MayTrap |= Info.mayRaiseFPException() ||
                      Registers.effects(Inst).Writes & reg::MXCSR;
      if (!mayTrap(BC, Inst) || BC.MIB->isReturn(Inst) ||
          BC.MIB->hasPCRelOperand(Inst))
        continue;
      const auto Memory = BC.MIB->evaluateX86MemoryOperand(Inst);
      if (Info.hasUnmodeledSideEffects() || !Memory || !Memory->BaseRegNum ||
          Memory->IndexRegNum || Memory->SegRegNum)
        Part.MayTrap = true;
      else
        Part.Pointers |= Registers.setOf(Memory->BaseRegNum);
    }
  Part.MayTrap |= (Part.Pointers & Written) != 0;
}

/// The registers that hold addresses in the frame before \p Call, as far as
/// \p Block tells.
RegisterSet frameAddresses(const BinaryBasicBlock &Block, const MCInst &Call,
                           const RegisterModel &Registers) {
  const BinaryContext &BC = Block.getFunction()->getBinaryContext();
  RegisterSet Known = 0;
  for (const MCInst &Inst : Block) {
    if (&Inst == &Call)
      break;
    if (BC.MIB->isPseudo(Inst))
      continue;
    const RegisterSet Writes = Registers.effects(Inst).Writes;
    Known &= BC.MIB->isCall(Inst) ? 0 : ~Writes;
    if (!BC.MIB->isLEA64r(Inst))
      continue;
    const auto Memory = BC.MIB->evaluateX86MemoryOperand(Inst);
    if (Memory && !Memory->IndexRegNum &&
        Registers.setOf(Memory->BaseRegNum) == reg::RSP)
      Known |= Writes;
  }
  return Known;
}

/// Finds the edges that close loops among the blocks of \p Part.
void findBackEdges(InlinablePart &Part) {
  enum : uint8_t { New, Open, Done };
  DenseMap<const BinaryBasicBlock *, uint8_t> States;
  std::vector<std::pair<const BinaryBasicBlock *, unsigned>> Path;
  Path.push_back({Part.Blocks.front(), 0});
  while (!Path.empty()) {
    const BinaryBasicBlock &Block = *Path.back().first;
    States[&Block] = Open;
    if (Path.back().second == Block.succ_size()) {
      States[&Block] = Done;
      Path.pop_back();
      continue;
    }
    const BinaryBasicBlock *To = *(Block.succ_begin() + Path.back().second++);
    if (!is_contained(Part.Blocks, To))
      continue;
    const uint8_t State = States.lookup(To);
    if (State == Open)
      Part.BackEdges.push_back({&Block, To});
    else if (State == New)
      Path.push_back({To, 0});
  }
}

/// Whether old code of the function of \p Part could be patched at its entries
/// and at those that it would get.
bool canPatchEntries(const InlinablePart &Part) {
  const BinaryFunction &BF = *Part.Blocks.front()->getFunction();
  std::set<uint64_t> Entries;
  BF.forEachEntryPoint([&](uint64_t Offset, const MCSymbol *) {
    Entries.insert(Offset);
    return true;
  });
  DenseSet<const BinaryBasicBlock *> Rests;
  for (const BinaryBasicBlock *Block : Part.Blocks)
    for (const BinaryBasicBlock *To : Block->successors())
      if (!Part.stays(*Block, *To) && Rests.insert(To).second &&
          !BF.getSecondaryEntryPointSymbol(*To) &&
          !Entries.insert(To->getInputOffset()).second)
        return false; // A block that was made here.
  uint64_t End = 0;
  for (uint64_t Offset : Entries) {
    if (Offset < End)
      return false;
    End = Offset + PatchBytes;
  }
  return Rests.empty() || End <= BF.getMaxSize();
}

bool canInlineFrom(const BinaryFunction &BF) {
  return BF.isSimple() && BF.hasCFG() && !BF.empty() && !BF.isFragment() &&
         BF.hasValidProfile() && !BF.hasUnknownControlFlow() &&
         !BF.hasIslandsInfo() && !BF.isPLTFunction() &&
         BF.front().getKnownExecutionCount() != 0;
}

} // namespace

InlinablePart InlinablePart::find(BinaryFunction &BF,
                                  const RegisterModel &Registers,
                                  bool IsPatched) {
  InlinablePart Part;
  if (!canInlineFrom(BF) || !isPlain(BF.front(), Registers))
    return {};
  const double Limit = MinShare * BF.front().getKnownExecutionCount();
  Part.Blocks.push_back(&BF.front());
  for (unsigned I = 0; I < Part.Blocks.size(); ++I) {
    const BinaryBasicBlock &Block = *Part.Blocks[I];
    Part.NumInstructions += Block.getNumNonPseudos();
    Part.Bytes +=
        BF.getBinaryContext().computeCodeSize(Block.begin(), Block.end());
    for (BinaryBasicBlock *To : Block.successors())
      if (To->getKnownExecutionCount() > Limit && isPlain(*To, Registers) &&
          !is_contained(Part.Blocks, To))
        Part.Blocks.push_back(To);
    if (Part.Blocks.size() > MaxBlocks)
      return {};
  }
  findBackEdges(Part);
  findTraps(Part, Registers);
  for (const BinaryBasicBlock *Block : Part.Blocks) {
    SmallPtrSet<const BinaryBasicBlock *, 2> Different(Block->succ_begin(),
                                                       Block->succ_end());
    if (Different.size() != Block->succ_size())
      return {};
    if (Block->succ_empty()) {
      const MCInst *Last =
          const_cast<BinaryBasicBlock *>(Block)->getLastNonPseudoInstr();
      if (!Last || !BF.getBinaryContext().MIB->isReturn(*Last))
        return {};
      --Part.NumInstructions;
      Part.Returns += Block->getKnownExecutionCount();
    }
    auto Info = Block->branch_info_begin();
    for (const BinaryBasicBlock *To : Block->successors()) {
      const uint64_t Count = knownCount((Info++)->Count);
      if (Part.stays(*Block, *To))
        continue;
      Part.Leaves += Count;
      Part.Bytes += 2 * CallBytes; // The call and the jump back.
    }
  }
  return Part.NumInstructions <= MaxInstructions && Part.gain() > 0 &&
                 (!IsPatched || canPatchEntries(Part))
             ? Part
             : InlinablePart();
}

bool InlinablePart::stays(const BinaryBasicBlock &From,
                          const BinaryBasicBlock &To) const {
  return is_contained(Blocks, &To) &&
         !is_contained(BackEdges, std::pair(&From, &To));
}

bool InlinablePart::isWhole() const {
  return llvm::all_of(Blocks, [&](const BinaryBasicBlock *From) {
    return llvm::all_of(From->successors(), [&](const BinaryBasicBlock *To) {
      return stays(*From, *To);
    });
  });
}

void InlinablePart::takeExecutions(double Count) const {
  if (Blocks.empty() || !BackEdges.empty())
    return;
  const auto Entries = double(Blocks.front()->getKnownExecutionCount());
  if (Entries == 0)
    return;
  const double Share = std::max(0.0, 1 - Count / Entries);
  auto scale = [&](uint64_t Executions) {
    return static_cast<uint64_t>(Executions * Share);
  };
  for (BinaryBasicBlock *Block : Blocks) {
    Block->setExecutionCount(scale(Block->getKnownExecutionCount()));
    for (auto &Info : Block->branch_info())
      Info.Count = scale(knownCount(Info.Count));
  }
  BinaryFunction &BF = *Blocks.front()->getFunction();
  BF.setExecutionCount(scale(BF.getKnownExecutionCount()));
}

double InlinablePart::gain() const {
  const double Sum = Returns + Leaves;
  // The call and the return; or else the jump back.
  return Sum > 0 ? (2 * Returns - Leaves) / Sum : 0;
}

namespace {

/// Puts a part in the place of one call.
class CallReplacement {
public:
  CallReplacement(BinaryBasicBlock &Block, BinaryBasicBlock::iterator Call,
                  const InlinablePart &Part, const RegisterModel &Registers,
                  RegisterSummaries &Summaries)
      : Block(Block), Caller(*Block.getFunction()),
        BC(Caller.getBinaryContext()), Call(*Call), Part(Part),
        Callee(*Part.Blocks.front()->getFunction()), Registers(Registers),
        Summaries(Summaries), CFIState(Block.getCFIStateAtInstr(&*Call)),
        Scale(double(Block.getKnownExecutionCount()) /
              Part.Blocks.front()->getKnownExecutionCount()) {
    splitBehind(Call);
    for (const BinaryBasicBlock *Original : Part.Blocks)
      Copies.push_back(&make(
          static_cast<uint64_t>(Original->getKnownExecutionCount() * Scale)));
    for (unsigned I = 0; I < Copies.size(); ++I)
      fill(*Copies[I], *Part.Blocks[I]);
    Block.addSuccessor(Copies.front(), Block.getKnownExecutionCount());
    // Rare blocks come last.
    std::vector<std::unique_ptr<BinaryBasicBlock>> Ordered;
    for (unsigned I = 1; I <= Copies.size(); ++I)
      Ordered.push_back(std::move(New[I]));
    Ordered.push_back(std::move(New[0]));
    for (unsigned I = Copies.size() + 1; I < New.size(); ++I)
      Ordered.push_back(std::move(New[I]));
    Caller.insertBasicBlocks(&Block, std::move(Ordered), /*UpdateLayout=*/true,
                             /*UpdateCFIState=*/false,
                             /*RecomputeLandingPads=*/true);
  }

  BinaryBasicBlock &continuation() { return *Continuation; }
  ArrayRef<BinaryBasicBlock *> rareCalls() const { return RareCalls; }

private:
  BinaryBasicBlock &Block;
  BinaryFunction &Caller;
  BinaryContext &BC;
  const MCInst Call;
  const InlinablePart &Part;
  BinaryFunction &Callee;
  const RegisterModel &Registers;
  RegisterSummaries &Summaries;
  const int32_t CFIState;
  const double Scale;
  BinaryBasicBlock *Continuation = nullptr;
  std::vector<BinaryBasicBlock *> Copies, RareCalls;
  std::vector<std::unique_ptr<BinaryBasicBlock>> New;

  BinaryBasicBlock &make(uint64_t Count) {
    New.push_back(Caller.createBasicBlock());
    BinaryBasicBlock &Result = *New.back();
    Result.setOffset(Block.getInputOffset());
    Result.setExecutionCount(Count);
    Result.setCFIState(CFIState);
    return Result;
  }

  void splitBehind(BinaryBasicBlock::iterator At) {
    Continuation = &make(Block.getKnownExecutionCount());
    for (auto It = std::next(At); It != Block.end(); ++It)
      appendCopy(*Continuation, *It);
    Block.moveAllSuccessorsTo(Continuation);
    while (&*At != &*std::prev(Block.end()))
      Block.eraseInstruction(std::prev(Block.end()));
    Block.eraseInstruction(At);
  }

  /// A rare block that calls the rest of the callee.
  BinaryBasicBlock &leaveFor(BinaryBasicBlock &Rest, uint64_t Count) {
    BinaryBasicBlock &Result = make(Count);
    RareCalls.push_back(&Result);
    MCSymbol *Entry = Callee.addEntryPoint(Rest);
    Summaries.addEntry(*Entry, Rest, Registers);
    MCInst Copy = Call;
    BC.MIB->replaceBranchTarget(Copy, Entry, BC.Ctx.get());
    Result.addInstruction(Copy);
    Result.addSuccessor(Continuation, Count);
    return Result;
  }

  void fill(BinaryBasicBlock &Copy, const BinaryBasicBlock &Original) {
    MCPlusBuilder &MIB = *BC.MIB;
    for (const MCInst &Inst : Original)
      if (!MIB.isReturn(Inst)) {
        MCInst Stripped = Inst;
        MIB.stripAnnotations(Stripped);
        Copy.addInstruction(Stripped);
      }
    if (Original.succ_empty()) {
      Copy.addSuccessor(Continuation, Copy.getKnownExecutionCount());
      return;
    }
    auto Info = Original.branch_info_begin();
    for (BinaryBasicBlock *To : Original.successors()) {
      const auto Count =
          static_cast<uint64_t>(knownCount((Info++)->Count) * Scale);
      BinaryBasicBlock &Target =
          Part.stays(Original, *To)
              ? *Copies[find(Part.Blocks, To) - Part.Blocks.begin()]
              : leaveFor(*To, Count);
      Copy.addSuccessor(&Target, Count);
      retargetBranches(Copy, *To->getLabel(), *Target.getLabel());
    }
  }
};

} // namespace

/// Functions with calls to an entry in their middle, and those that parts were
/// inlined into.
static std::set<const BinaryFunction *> Entered, Callers;

bool graupel::hasInlinedParts(const BinaryFunction &BF) {
  return Entered.count(&BF) || Callers.count(&BF);
}

const BinaryFunction *graupel::findLostCallee() {
  const auto It = find_if(
      Entered, [](const BinaryFunction *BF) { return BF->isIgnored(); });
  return It == Entered.end() ? nullptr : *It;
}

InliningResult graupel::inlineHotParts(
    BinaryFunction &Caller, uint64_t MinCount, double MinDensity,
    function_ref<const InlinablePart &(BinaryFunction &)> PartOf,
    const RegisterModel &Registers, RegisterSummaries &Summaries,
    function_ref<bool(uint64_t)> MayGrow) {
  InliningResult Result;
  BinaryContext &BC = Caller.getBinaryContext();
  // Its handlers are for calls; code beside them ends the program if it throws.
  const bool HasTable = Caller.getLSDAAddress() != 0;
  // Blocks that are made here have lower counts or come behind.
  std::vector<BinaryBasicBlock *> Worklist;
  for (BinaryBasicBlock &Block : Caller)
    if (Block.getKnownExecutionCount() >= std::max<uint64_t>(1, MinCount))
      Worklist.push_back(&Block);
  while (!Worklist.empty()) {
    BinaryBasicBlock &Block = *Worklist.back();
    Worklist.pop_back();
    for (auto It = Block.begin(); It != Block.end(); ++It) {
      if (BC.MIB->isPseudo(*It) || !BC.MIB->isCall(*It) ||
          BC.MIB->isTailCall(*It))
        continue;
      const auto [Callee, IsBeginning] =
          findFunctionEntry(BC, BC.MIB->getTargetSymbol(*It));
      if (!Callee || Callee == &Caller || !IsBeginning)
        continue;
      if (Block.succ_empty() && &*It == Block.getLastNonPseudoInstr())
        continue; // It does not return.
      const InlinablePart &Part = PartOf(*Callee);
      if (HasTable && (Part.MayTrap ||
                       Part.Pointers & ~frameAddresses(Block, *It, Registers)))
        continue;
      const double Saved = Part.gain() * Block.getKnownExecutionCount();
      if (Part.Blocks.empty() || Saved < MinDensity * Part.Bytes ||
          !MayGrow(Part.Bytes))
        continue;
      Result.Saved += Saved;
      ++Result.NumCalls;
      Callers.insert(&Caller);
      Result.Executions.push_back({Callee, Block.getKnownExecutionCount()});
      CallReplacement Replacement(Block, It, Part, Registers, Summaries);
      append_range(Result.RareCalls, Replacement.rareCalls());
      if (!Replacement.rareCalls().empty())
        Entered.insert(Callee);
      Worklist.push_back(&Replacement.continuation());
      break;
    }
  }
  return Result;
}
