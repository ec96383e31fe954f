//===- Copies/CopyGain.cpp - Which copies are worth their jump ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who enters a function by its address, or from code that stays, passes a jump
// to the copy, and touches one more line. A program that its compiler had a
// profile of has little to gain from a new order of blocks, and was slower.
//
//   1. Before anything changes, count what each function executes: instructions,
//      and branches that are taken, which are edges that do not lead to the next
//      block.
//   2. Count that again for the copy. The difference is the gain.
//   3. A function's jumps are its entries without the direct calls by copies.
//   4. A function with more jumps than gain stays. What it calls has more jumps
//      then, so that these functions are judged again. Copies stay copies if
//      others call a place inside them, as partial inlining does.
//
//===----------------------------------------------------------------------===//

#include "CopyGain.h"
#include "Copies.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"

#define DEBUG_TYPE "copies"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

STATISTIC(NumGainless, "functions whose copies would bring nothing");

static DenseMap<const BinaryFunction *, uint64_t> OriginalCosts;
static std::vector<BinaryFunction *> Gainless;

/// The number of executed instructions and taken branches.
static uint64_t costOf(const BinaryFunction &BF) {
  uint64_t Sum = 0;
  for (const BinaryBasicBlock &Block : BF)
    Sum += Block.getKnownExecutionCount() * Block.getNumNonPseudos();
  for (const FunctionFragment &Fragment : BF.getLayout().fragments())
    for (auto It = Fragment.begin(); It != Fragment.end(); ++It) {
      const BinaryBasicBlock *Next =
          std::next(It) == Fragment.end() ? nullptr : *std::next(It);
      const BinaryBasicBlock &Block = **It;
      auto Branch = Block.branch_info_begin();
      for (const BinaryBasicBlock *Successor : Block.successors()) {
        const uint64_t Count = (Branch++)->Count;
        if (Successor != Next && Count != BinaryBasicBlock::COUNT_NO_PROFILE)
          Sum += Count;
      }
    }
  return Sum;
}

/// Calls \p Do with each function that \p BF calls directly, and how often.
static void forEachCallee(BinaryContext &BC, const BinaryFunction &BF,
                          function_ref<void(BinaryFunction &, uint64_t)> Do) {
  for (const BinaryBasicBlock &Block : BF) {
    const uint64_t Count = Block.getKnownExecutionCount();
    if (!Count)
      continue;
    for (const MCInst &Inst : Block) {
      const MCSymbol *Target =
          BC.MIB->isCall(Inst) ? BC.MIB->getTargetSymbol(Inst) : nullptr;
      if (BinaryFunction *Callee =
              Target ? BC.getFunctionForSymbol(Target) : nullptr)
        Do(*Callee, Count);
    }
  }
}

DenseMap<const BinaryFunction *, uint64_t> graupel::entriesByOriginal(
    BinaryContext &BC, function_ref<bool(const BinaryFunction &)> IsCopied) {
  DenseMap<const BinaryFunction *, uint64_t> Entries;
  for (const BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (IsCopied(BF))
      Entries[&BF] = BF.getKnownExecutionCount();
  for (const BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (IsCopied(BF))
      forEachCallee(BC, BF, [&](const BinaryFunction &Callee, uint64_t Calls) {
        if (const auto It = Entries.find(&Callee); It != Entries.end())
          It->second -= std::min(It->second, Calls);
      });
  return Entries;
}

Error NoteOriginalCost::runOnFunctions(BinaryContext &BC) {
  for (const BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (BC.shouldEmit(BF) && BF.hasCFG())
      OriginalCosts[&BF] = costOf(BF);
  return Error::success();
}

Error LeaveOriginals::runOnFunctions(BinaryContext &BC) {
  for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (staysOriginal(BF))
      BF.setIgnored();
  if (!AsksForGain)
    return Error::success();
  // What others were folded into has their callers, too, and stays a copy.
  DenseSet<const BinaryFunction *> Shared;
  for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions())) {
    if (BF.isFolded())
      Shared.insert(BF.getFoldedIntoFunction());
    if (IsCalledInside(BF))
      Shared.insert(&BF);
  }
  for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (BC.shouldEmit(BF) && !BF.hasValidProfile() && !Shared.contains(&BF))
      BF.setIgnored();
  auto isCopied = [&](const BinaryFunction &BF) {
    return BC.shouldEmit(BF) && BF.hasCFG() && !BF.isFolded();
  };
  auto Jumps = entriesByOriginal(BC, isCopied);
  DenseMap<const BinaryFunction *, uint64_t> Gains;
  SmallSetVector<BinaryFunction *, 16> Judged;
  for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (isCopied(BF) && !Shared.contains(&BF)) {
      const uint64_t Before = OriginalCosts.lookup(&BF);
      Gains[&BF] = Before - std::min(Before, costOf(BF));
      Judged.insert(&BF);
    }
  while (!Judged.empty()) {
    BinaryFunction &BF = *Judged.pop_back_val();
    if (Jumps[&BF] <= Gains[&BF])
      continue;
    forEachCallee(BC, BF, [&](BinaryFunction &Callee, uint64_t Calls) {
      if (const auto It = Jumps.find(&Callee);
          It != Jumps.end() && &Callee != &BF) {
        It->second += Calls;
        if (!Shared.contains(&Callee))
          Judged.insert(&Callee);
      }
    });
    Jumps.erase(&BF);
    Gainless.push_back(&BF);
    BF.setIgnored();
  }
  NumGainless += Gainless.size();
  return Error::success();
}

const std::vector<BinaryFunction *> &graupel::gainlessFunctions() {
  return Gainless;
}
