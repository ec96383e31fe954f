//===- HotCold/BranchFolding.cpp - Branches that are decided --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds branches that known registers decide, and takes them out.
//
// 1. solve() propagates known registers over the edges of the flow graph to a
//    fixed point. An edge that a decided branch never takes carries nothing
//    (Wegman and Zadeck 1991). Landing pads begin like entries.
// 2. decide() executes a block with the ValueModel. The branch at its end is
//    decided if the last instruction that changed the flags is a comparison
//    that implies the branch's condition.
// 3. needsComparison() goes back from the edge that is taken. It tells whether
//    another instruction needs the comparison's flags.
// 4. foldBranches() erases the branch, the jump behind it, the comparison if
//    nothing needs it, and the edge that is never taken.
// 5. Blocks that cannot be reached any more are removed.
//
//===----------------------------------------------------------------------===//

#include "BranchFolding.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// A block's end with two successors.
struct Fork {
  MCInst *Branch = nullptr;
  MCInst *Jump = nullptr; ///< The jump behind it, if any.
  BinaryBasicBlock *Taken = nullptr, *Otherwise = nullptr;
};

/// Nothing if \p Block ends otherwise, or so that not only flags decide.
std::optional<Fork> forkOf(BinaryBasicBlock &Block) {
  const MCPlusBuilder &MIB = *Block.getFunction()->getBinaryContext().MIB;
  if (Block.succ_size() != 2)
    return std::nullopt;
  const MCSymbol *To = nullptr, *Other = nullptr;
  Fork F;
  if (!Block.analyzeBranch(To, Other, F.Branch, F.Jump) || !F.Branch ||
      MIB.isDynamicBranch(*F.Branch) || MIB.getConditionalTailCall(*F.Branch))
    return std::nullopt;
  F.Taken = Block.getSuccessor(To);
  for (BinaryBasicBlock *Next : Block.successors())
    if (Next != F.Taken)
      F.Otherwise = Next;
  if (!F.Taken || !F.Otherwise)
    return std::nullopt;
  return F;
}

} // namespace

DecidedBranches::DecidedBranches(BinaryFunction &BF,
                                 const HotColdContext &Context,
                                 const ValueModel &Values)
    : BF(BF), Context(Context), Values(Values), In(BF.size()) {
  solve();
  for (BinaryBasicBlock &Block : BF) {
    if (!In[Block.getIndex()])
      continue;
    KnownRegisters Known = *In[Block.getIndex()];
    if (const std::optional<Branch> B = decide(Block, Known))
      Branches.push_back(*B);
  }
  if (Branches.empty())
    return;
  const Liveness Live(BF, Context.Registers, Context.Summaries);
  for (Branch &B : Branches)
    B.IsComparisonNeeded = needsComparison(B, Live);
}

/// Finds the known values at the beginning of each block. Edges that decided
/// branches do not take are ignored, until a branch is found to be undecided.
/// (Wegman and Zadeck 1991 do that for constants.)
void DecidedBranches::solve() {
  std::vector<BinaryBasicBlock *> Worklist;
  auto reach = [&](BinaryBasicBlock &To, const KnownRegisters &Known) {
    std::optional<KnownRegisters> &There = In[To.getIndex()];
    KnownRegisters Met = There.value_or(Known);
    for (unsigned I = 0; I < Met.size(); ++I)
      Met[I] = Met[I].meet(Known[I]);
    if (There && *There == Met)
      return;
    There = Met;
    Worklist.push_back(&To);
  };
  for (BinaryBasicBlock &Block : BF)
    if (Block.isEntryPoint())
      reach(Block, ValueModel::atEntry());
  while (!Worklist.empty()) {
    BinaryBasicBlock &Block = *Worklist.back();
    Worklist.pop_back();
    KnownRegisters Known = *In[Block.getIndex()];
    const std::optional<Branch> Decided = decide(Block, Known);
    // Exceptions come from inside the block.
    for (BinaryBasicBlock *Pad : Block.landing_pads())
      reach(*Pad, ValueModel::atEntry());
    const std::optional<Fork> F = Decided ? forkOf(Block) : std::nullopt;
    if (F)
      reach(Decided->IsTaken ? *F->Taken : *F->Otherwise, Known);
    else
      for (BinaryBasicBlock *To : Block.successors())
        reach(*To, Known);
  }
}

/// Executes \p Block, of which \p Known is known at its beginning.
std::optional<DecidedBranches::Branch>
DecidedBranches::decide(BinaryBasicBlock &Block, KnownRegisters &Known) const {
  const std::optional<Fork> F = forkOf(Block);
  std::optional<Branch> Result;
  for (unsigned I = 0; I < Block.size(); ++I) {
    const MCInst &Inst = Block.getInstructionAtIndex(I);
    if (const auto C = Values.comparison(Inst, Known))
      Result = Branch{&Block, false, I, *C};
    else if (Values.changesFlags(Inst))
      Result.reset();
    Values.execute(Inst, Known);
  }
  if (!F || !Result)
    return std::nullopt;
  const std::optional<bool> IsTaken =
      Result->Compared.implies(Context.BC.MIB->getCondCode(*F->Branch));
  if (!IsTaken)
    return std::nullopt;
  Result->IsTaken = *IsTaken;
  return Result;
}

bool DecidedBranches::needsComparison(const Branch &B,
                                      const Liveness &Live) const {
  const std::optional<Fork> F = forkOf(*B.Block);
  RegisterSet After = Live.into(B.IsTaken ? *F->Taken : *F->Otherwise);
  for (unsigned I = B.Block->size(); --I > B.ComparisonIndex;) {
    const MCInst &Inst = B.Block->getInstructionAtIndex(I);
    if (&Inst != F->Branch)
      After = Live.before(*B.Block, Inst, After);
  }
  return After & reg::Flags;
}

void DecidedBranches::print(raw_ostream &OS) const {
  auto assembly = [&](const MCInst &Inst) {
    std::string Text;
    raw_string_ostream Stream(Text);
    Context.BC.InstPrinter->printInst(&Inst, 0, "", *Context.BC.STI, Stream);
    std::replace(Text.begin(), Text.end(), '\t', ' ');
    return StringRef(Text).trim().str();
  };
  for (const Branch &B : Branches) {
    const std::string Jump = assembly(*forkOf(*B.Block)->Branch);
    OS << BF.getPrintName() << ": " << StringRef(Jump).split(' ').first
       << (B.IsTaken ? " always" : " never") << " taken, "
       << assembly(B.Block->getInstructionAtIndex(B.ComparisonIndex))
       << (B.IsComparisonNeeded ? " still" : " not") << " needed: ";
    B.Compared.Left.print(OS);
    if (!B.Compared.WithItself) {
      OS << ", ";
      B.Compared.Right.print(OS);
    }
    OS << " (" << B.Block->getKnownExecutionCount() << ")\n";
  }
}

static void removeUnreachableBlocks(BinaryFunction &BF) {
  // Landing pads of removed blocks are roots until the next round.
  do
    BF.markUnreachableBlocks();
  while (BF.eraseInvalidBBs().first);
}

double graupel::foldBranches(const DecidedBranches &Decided) {
  double Gone = 0;
  for (const DecidedBranches::Branch &B : Decided.branches()) {
    BinaryBasicBlock &Block = *B.Block;
    const Fork F = *forkOf(Block);
    // Erases the last instruction first, since those behind it would move. The
    // layout adds necessary jumps.
    if (F.Jump)
      Block.eraseInstruction(Block.findInstruction(F.Jump));
    Block.eraseInstruction(Block.findInstruction(F.Branch));
    if (!B.IsComparisonNeeded)
      Block.eraseInstructionAtIndex(B.ComparisonIndex);
    Block.removeSuccessor(B.IsTaken ? F.Otherwise : F.Taken);
    Gone +=
        double(Block.getKnownExecutionCount()) * (B.IsComparisonNeeded ? 1 : 2);
  }
  removeUnreachableBlocks(Decided.function());
  return Gone;
}
