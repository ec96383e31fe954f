//===- HotCold/ProcedureOptimizer.cpp - One procedure's hot part ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProcedureOptimizer.h"
#include "Frame.h"
#include "HotBlocks.h"
#include "SwitchTables.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

// Of all instructions. Cohn, Goodwin and Lowney 1997 leave procedures below
// 0.1 % alone; big programs of today have most of their time there.
constexpr double MinWeight = 0.0001;
// Of the procedure's instructions: less is not worth a copy.
constexpr double MinGain = 0.005;
constexpr unsigned MaxRounds = 3;
// Of a procedure's size, in percent and, for small ones, in bytes.
constexpr uint64_t MaxGrowth = 120, AlwaysGrowth = 64;

/// Null if \p BF can have a hot version.
const char *whyUnsupported(const BinaryFunction &BF) {
  const BinaryContext &BC = BF.getBinaryContext();
  if (!BF.isSimple() || BF.hasUnknownControlFlow() || BF.isMultiEntry() ||
      BF.isFragment() || BF.hasIslandsInfo())
    return "its control flow";
  if (BF.front().pred_size())
    return "it loops to its entry";
  for (const BinaryBasicBlock &Block : BF) {
    SmallPtrSet<const BinaryBasicBlock *, 4> Different(Block.succ_begin(),
                                                       Block.succ_end());
    if (Different.size() != Block.succ_size())
      return "two ways to one block";
    for (const MCInst &Inst : Block) {
      if (const MCCFIInstruction *CFI = BF.getCFIFor(Inst))
        if (CFI->getOperation() == MCCFIInstruction::OpGnuArgsSize)
          return "arguments on the stack";
      if (BC.MIB->isCFI(Inst) || BC.MIB->isPseudo(Inst))
        continue;
      if (BC.MII->getName(Inst.getOpcode()).starts_with("SYSCALL"))
        return "system calls";
    }
  }
  return nullptr;
}

BitVector findUncopyable(BinaryFunction &BF,
                                const HotColdContext &Context) {
  BitVector Result(BF.size());
  std::optional<Liveness> Live;
  for (const BinaryBasicBlock &Block : BF) {
    if (!endsWithSwitch(Block))
      continue;
    if (!Live)
      Live.emplace(BF, Context.Registers, Context.Summaries);
    if (!canCopySwitch(Block, Context.Registers, *Live))
      Result.set(Block.getIndex());
  }
  return Result;
}

/// For tests: three quarters of the blocks are hot.
bool isHotByChance(const BinaryBasicBlock &Block, uint64_t Seed) {
  const uint64_t Words[] = {Seed, Block.getFunction()->getAddress(),
                            Block.getInputOffset()};
  return xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(Words),
                              sizeof(Words))) %
         4;
}

} // namespace

struct ProcedureOptimizer::Draft {
  std::unique_ptr<HotVersion> Hot;
  VersionCounts Counts;
  HotColdGain Gain = {};
  std::string Why = {};                ///< The frame is as it was.
  std::vector<std::string> Notes = {}; ///< What else could not be done.
  double Saving = 0;
};

std::vector<BitVector>
ProcedureOptimizer::candidates(BinaryFunction &BF) const {
  const BitVector Excluded = findUncopyable(BF, Context);
  if (!ignoresProfit())
    return candidateHotBlocks(BF, Limits.Threshold, Excluded);
  if (Excluded.test(BF.front().getIndex()))
    return {};
  return {reachableHotBlocks(BF, [&](const BinaryBasicBlock &Block) {
    return (Limits.Seed ? isHotByChance(Block, *Limits.Seed)
                        : Block.getKnownExecutionCount() <= Limits.Threshold) &&
           !Excluded.test(Block.getIndex());
  })};
}

bool ProcedureOptimizer::mayGrow(const HotVersion &Hot) {
  if (ignoresProfit())
    return true;
  const HotVersion::Sizes Sizes = Hot.sizes();
  const uint64_t Original =
      OriginalSizes.try_emplace(&Hot.function(), Sizes.Original).first->second;
  return Sizes.total() <=
         Original + std::max(Original * MaxGrowth / 100, AlwaysGrowth);
}

std::optional<ProcedureOptimizer::Draft>
ProcedureOptimizer::makeDraft(BinaryFunction &BF, const BitVector &HotBlocks,
                              Result &IfNone) {
  std::vector<FlowBlock> Flow = describeFlow(BF);
  for (unsigned I : HotBlocks.set_bits())
    Flow[I].Hot = true;
  std::optional<VersionCounts> Counts = predictFlow(Flow);
  if (!Counts && ignoresProfit())
    Counts = VersionCounts{std::vector<double>(BF.size()),
                           std::vector<double>(BF.size())};
  if (!Counts)
    return std::nullopt;
  Draft D{std::make_unique<HotVersion>(BF, HotBlocks, Context), *Counts};
  HotVersion &Hot = *D.Hot;
  if (!Hot.setDepths(StackDepth(BF, Context.Stack))) {
    IfNone = {HotColdCategory::SPModified, "its depth is not known"};
    return std::nullopt;
  }
  Hot.setCounts(Counts->Hot);
  propagateCopies(Hot);
  sinkIntoStubs(Hot, D.Gain);
  const char *Why = removeFrame(Hot, D.Gain);
  if (Why) {
    D.Notes.push_back(std::string("frame not removed: ") + Why);
    Why = slimFrame(Hot, D.Gain);
  }
  if (Why) {
    D.Notes.push_back(std::string("no saves left out: ") + Why);
    D.Why = Why;
  }
  D.Saving = Hot.saving();
  return D;
}

/// The one that saves most.
std::optional<ProcedureOptimizer::Draft>
ProcedureOptimizer::chooseDraft(BinaryFunction &BF, Result &IfNone) {
  std::optional<Draft> Best;
  bool AllHot = false;
  for (const BitVector &Hot : candidates(BF)) {
    AllHot |= Hot.all();
    std::optional<Draft> D = makeDraft(BF, Hot, IfNone);
    if (D && mayGrow(*D->Hot) && (!Best || D->Saving > Best->Saving))
      Best = std::move(D);
  }
  if (AllHot)
    IfNone = {HotColdCategory::NoSplit, ""};
  return Best;
}

ProcedureOptimizer::Result
ProcedureOptimizer::optimizeOnce(BinaryFunction &BF, double Weight) {
  if (!ignoresProfit() && (Weight < MinWeight * Limits.Total || Weight == 0))
    return {HotColdCategory::Infrequent, ""};
  if (const char *Why = whyUnsupported(BF))
    return {HotColdCategory::Unsupported, Why};
  Result IfNone{HotColdCategory::Loop, ""};
  std::optional<Draft> D = chooseDraft(BF, IfNone);
  if (!D)
    return IfNone;
  Recorder.draft(*D->Hot, D->Gain, D->Notes);
  if (ignoresProfit() ? !D->Why.empty() && D->Gain.total() <= 0
                  : D->Saving <= MinGain * Weight) {
    if (IfNone.Category == HotColdCategory::NoSplit)
      return IfNone;
    return {D->Why == StackPointerModified ? HotColdCategory::SPModified
                                           : HotColdCategory::NoAdvantage,
            D->Why};
  }
  if (!Check.accept(*D->Hot))
    return {HotColdCategory::Unproved, ""};
  if (isExhausted())
    return {HotColdCategory::NoAdvantage, "as many as were asked for are done"};
  if (Limits.Print)
    D->Hot->print(Context.BC.outs());
  D->Hot->commit(D->Counts.Cold);
  Recorder.commit(*D->Hot);
  return {HotColdCategory::Optimized, ""};
}

ProcedureOptimizer::Result ProcedureOptimizer::optimize(BinaryFunction &BF,
                                                        double Weight) {
  const Result First = optimizeOnce(BF, Weight);
  if (First.Category == HotColdCategory::Optimized)
    for (unsigned Round = 1; Round < MaxRounds; ++Round)
      if (optimizeOnce(BF, Weight).Category != HotColdCategory::Optimized)
        break;
  return First;
}
