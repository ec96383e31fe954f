//===- HotCold/HotColdPass.cpp - Hot-cold optimization --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each procedure that is executed often enough: choose its hot blocks so
// that, if control never comes back from the others, it hardly ever gets there;
// draft the hot version; optimize the draft; keep it if that was worth it.
//
//===----------------------------------------------------------------------===//

#include "Driver/BoltOptions.h"
#include "HotBlocks.h"
#include "HotVersion.h"
#include "PartialInlining.h"
#include "Split/HotThreshold.h"
#include "SwitchTables.h"
#include "TailDuplication.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "bolt/Passes/BinaryPasses.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "graupel/LayoutPasses.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

cl::opt<bool> HotCold("hco",
                      cl::desc("take instructions off the frequent paths of "
                               "procedures (default: false)"),
                      cl::cat(opts::BoltOptCategory));

cl::opt<bool> PrintHotCold(
    "print-hot-cold",
    cl::desc("with -hco: print the hot version of each procedure, or why it "
             "has none (default: false)"),
    cl::cat(opts::BoltOptCategory));

cl::opt<uint64_t> RandomCold(
    "hco-random",
    cl::desc("with -hco: call blocks cold at random and optimize whatever can "
             "be, to test that this changes nothing (a seed; default: off)"),
    cl::cat(opts::BoltOptCategory));

cl::opt<uint64_t> MaxProcedures(
    "hco-max",
    cl::desc("with -hco: optimize at most so many procedures, to find the one "
             "that breaks a program (default: no limit)"),
    cl::init(UINT64_MAX), cl::cat(opts::BoltOptCategory));

// Cohn, Goodwin and Lowney 1997 leave procedures below 0.1 % of the time alone;
// big programs of today have most of their time there.
constexpr double MinWeight = 0.0001;
constexpr double ColdInstructions = 0.01;
constexpr unsigned MaxRounds = 3;
// Of a procedure's size, in percent and, for small ones, in bytes.
constexpr uint64_t MaxGrowth = 120, AlwaysGrowth = 64;
// Of all instructions: calls that are rarer stay calls.
constexpr double MinCallWeight = 0.00002;
// Jumps that are rarer stay jumps.
constexpr double MinJumpWeight = 0.00004;
// Of the function's instructions: less is not worth a copy.
constexpr double MinGain = 0.005;

enum class Outcome {
  Optimized,
  Infrequent,
  NoSplit,
  Unsupported,
  Loop,
  NoAdvantage,
  NumOutcomes
};

StringRef describe(Outcome O) {
  static const StringRef Names[] = {
      "optimized",   "executed too rarely", "not split: all blocks are frequent",
      "unsupported", "cold code in loops",  "no advantage"};
  return Names[static_cast<unsigned>(O)];
}

uint64_t weigh(const BinaryFunction &BF) {
  uint64_t Sum = 0;
  for (const BinaryBasicBlock &Block : BF)
    Sum += Block.getKnownExecutionCount() * Block.getNumNonPseudos();
  return Sum;
}

struct Draft {
  std::unique_ptr<HotVersion> Hot;
  VersionCounts Counts;
  HotColdGain Gain = {};
  std::string Why = {}; ///< The frame is as it was.
  double Saving = 0;
};

class HotColdPass : public BinaryFunctionPass {
public:
  HotColdPass() : BinaryFunctionPass(/*PrintPass=*/false) {}

  const char *getName() const override { return "graupel-hot-cold"; }

  bool shouldOptimize(const BinaryFunction &BF) const override {
    return !BF.empty() && BinaryFunctionPass::shouldOptimize(BF) &&
           (BF.hasValidProfile() || RandomCold.getNumOccurrences());
  }

  Error runOnFunctions(BinaryContext &BC) override {
    const RegisterModel Registers(BC);
    const StackModel Stack(BC, Registers);
    RegisterSummaries Summaries(BC, Registers);
    const HotColdContext Context{BC, Registers, Stack, Summaries};
    CountDistribution Distribution;
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (shouldOptimize(BF)) {
        Total += weigh(BF);
        for (const BinaryBasicBlock &Block : BF)
          Distribution.add(Block.getKnownExecutionCount(),
                           Block.getNumNonPseudos());
      }
    Threshold = Distribution.coldThreshold(ColdInstructions);
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (shouldOptimize(BF)) {
        const double Weight = weigh(BF);
        Reason = "";
        const Outcome O = optimizeRepeatedly(BF, Context, Weight);
        Share[static_cast<unsigned>(O)] += Weight;
        ++Number[static_cast<unsigned>(O)];
        if (PrintHotCold && O != Outcome::Optimized)
          BC.outs() << BF.getPrintName() << ": " << describe(O) << Reason
                    << format(" (%.2f %% of the instructions)\n",
                              100 * Weight / std::max(Total, 1.0));
      }
    inlineIntoCallers(BC, Context, Summaries);
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (shouldOptimize(BF) && BF.isSimple() && BF.hasValidProfile()) {
        const TailDuplicationResult Result = duplicateTails(
            BF, std::max<uint64_t>(
                    1, static_cast<uint64_t>(MinJumpWeight * Total)));
        Sum.Jumps += Result.Saved;
        Saved += Result.Saved;
      }
    report(BC.outs());
    return Error::success();
  }

private:
  double Total = 0;
  uint64_t Threshold = 0;
  double Share[static_cast<unsigned>(Outcome::NumOutcomes)] = {};
  uint64_t Number[static_cast<unsigned>(Outcome::NumOutcomes)] = {};
  HotColdGain Sum;
  double Saved = 0;
  uint64_t NumCommitted = 0;
  uint64_t NumInlined = 0;
  std::string Reason;
  /// Of functions that were looked at, in bytes.
  DenseMap<const BinaryFunction *, uint64_t> OriginalSizes, FinalSizes;

  /// What was cold once may have frequent parts that gain, too.
  Outcome optimizeRepeatedly(BinaryFunction &BF, const HotColdContext &Context,
                             double Weight) {
    const Outcome Result = optimize(BF, Context, Weight);
    for (unsigned Round = 1;
         Result == Outcome::Optimized && Round < MaxRounds &&
         optimize(BF, Context, Weight) == Outcome::Optimized;)
      ++Round;
    return Result;
  }

  /// Callees first, so that what is inlined is in its final form.
  void inlineIntoCallers(BinaryContext &BC, const HotColdContext &Context,
                         RegisterSummaries &Summaries) {
    DenseMap<const BinaryFunction *, InlinablePart> Parts;
    auto partOf = [&](BinaryFunction &BF) -> const InlinablePart & {
      auto [At, IsNew] = Parts.try_emplace(&BF);
      if (IsNew)
        At->second = InlinablePart::find(BF, Context.Registers);
      return At->second;
    };
    const auto MinCount = static_cast<uint64_t>(MinCallWeight * Total);
    for (BinaryFunction *BF : calleesFirst(BC)) {
      if (!shouldOptimize(*BF) || !BF->isSimple() || !BF->hasValidProfile() ||
          BF->hasIslandsInfo() || NumCommitted >= MaxProcedures)
        continue;
      const InliningResult Result = inlineHotParts(
          *BF, MinCount, partOf, Context.Registers, Summaries);
      if (!Result.NumCalls)
        continue;
      ++NumCommitted;
      NumInlined += Result.NumCalls;
      Sum.Calls += Result.Saved;
      Saved += Result.Saved;
      optimizeRepeatedly(*BF, Context, weigh(*BF));
    }
  }

  std::vector<BinaryFunction *> calleesFirst(BinaryContext &BC) const {
    std::vector<BinaryFunction *> Order;
    DenseSet<const BinaryFunction *> Seen;
    std::vector<std::pair<BinaryFunction *, std::vector<BinaryFunction *>>> Path;
    auto enter = [&](BinaryFunction &BF) {
      if (BF.hasCFG() && Seen.insert(&BF).second)
        Path.push_back({&BF, calleesOf(BF)});
    };
    for (auto &[Address, BF] : BC.getBinaryFunctions()) {
      enter(BF);
      while (!Path.empty()) {
        if (Path.back().second.empty()) {
          Order.push_back(Path.back().first);
          Path.pop_back();
          continue;
        }
        BinaryFunction &Next = *Path.back().second.back();
        Path.back().second.pop_back();
        enter(Next);
      }
    }
    return Order;
  }

  static std::vector<BinaryFunction *> calleesOf(const BinaryFunction &BF) {
    const BinaryContext &BC = BF.getBinaryContext();
    std::vector<BinaryFunction *> Result;
    for (const BinaryBasicBlock &Block : BF)
      for (const MCInst &Inst : Block)
        if (!BC.MIB->isPseudo(Inst) && BC.MIB->isCall(Inst))
          if (const MCSymbol *Target = BC.MIB->getTargetSymbol(Inst))
            if (const BinaryFunction *Callee = BC.getFunctionForSymbol(Target))
              Result.push_back(const_cast<BinaryFunction *>(Callee));
    return Result;
  }

  static bool isSupported(const BinaryFunction &BF, std::string &Why) {
    const BinaryContext &BC = BF.getBinaryContext();
    if (!BF.isSimple() || BF.hasUnknownControlFlow() || BF.isMultiEntry() ||
        BF.isFragment() || BF.hasIslandsInfo()) {
      Why = ": its control flow";
      return false;
    }
    if (BF.front().pred_size()) {
      Why = ": it loops to its entry";
      return false;
    }
    for (const BinaryBasicBlock &Block : BF) {
      SmallPtrSet<const BinaryBasicBlock *, 4> Different(Block.succ_begin(),
                                                         Block.succ_end());
      if (Different.size() != Block.succ_size()) {
        Why = ": two ways to one block";
        return false;
      }
      for (const MCInst &Inst : Block) {
        if (const MCCFIInstruction *CFI = BF.getCFIFor(Inst))
          if (CFI->getOperation() == MCCFIInstruction::OpGnuArgsSize) {
            Why = ": arguments on the stack";
            return false;
          }
        if (BC.MIB->isCFI(Inst) || BC.MIB->isPseudo(Inst))
          continue;
        if (BC.MII->getName(Inst.getOpcode()).starts_with("SYSCALL")) {
          Why = ": system calls";
          return false;
        }
      }
    }
    return true;
  }

  /// For tests: three quarters of the blocks are hot.
  static bool isHotByChance(const BinaryBasicBlock &Block) {
    const uint64_t Words[] = {RandomCold, Block.getFunction()->getAddress(),
                              Block.getInputOffset()};
    return xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(Words),
                                sizeof(Words))) %
           4;
  }

  static BitVector findUncopyable(BinaryFunction &BF,
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

  std::vector<BitVector> candidates(BinaryFunction &BF,
                                    const HotColdContext &Context) const {
    const BitVector Excluded = findUncopyable(BF, Context);
    if (!RandomCold.getNumOccurrences())
      return candidateHotBlocks(BF, Threshold, Excluded);
    if (Excluded.test(BF.front().getIndex()))
      return {};
    return {reachableHotBlocks(BF, [&](const BinaryBasicBlock &Block) {
      return isHotByChance(Block) && !Excluded.test(Block.getIndex());
    })};
  }

  Outcome optimize(BinaryFunction &BF, const HotColdContext &Context,
                   double Weight) {
    const bool Random = RandomCold.getNumOccurrences();
    if (!Random && (Weight < MinWeight * Total || Weight == 0))
      return Outcome::Infrequent;
    if (!isSupported(BF, Reason))
      return Outcome::Unsupported;
    Outcome Result = Outcome::Loop;
    std::optional<Draft> Best;
    for (const BitVector &Hot : candidates(BF, Context)) {
      if (Hot.all())
        Result = Outcome::NoSplit;
      std::vector<FlowBlock> Flow = describeFlow(BF);
      for (unsigned I : Hot.set_bits())
        Flow[I].Hot = true;
      std::optional<VersionCounts> Counts = predictFlow(Flow);
      if (!Counts && Random)
        Counts = VersionCounts{std::vector<double>(BF.size()),
                               std::vector<double>(BF.size())};
      if (!Counts)
        continue;
      std::optional<Draft> D = draft(BF, Hot, *Counts, Context, Result);
      if (D && mayGrow(*D->Hot) && (!Best || D->Saving > Best->Saving))
        Best = std::move(D);
    }
    if (!Best)
      return Result;
    Reason = Best->Why;
    if (Result == Outcome::Loop)
      Result = Outcome::NoAdvantage;
    if (Random ? !Best->Why.empty() && Best->Gain.total() <= 0
               : Best->Saving <= MinGain * Weight)
      return Result;
    if (NumCommitted++ >= MaxProcedures)
      return Result;
    if (PrintHotCold)
      Best->Hot->print(Context.BC.outs());
    FinalSizes[&BF] = Best->Hot->sizes().total();
    Best->Hot->commit(Best->Counts.Cold);
    Sum += Best->Gain;
    Saved += Best->Saving;
    return Outcome::Optimized;
  }

  bool mayGrow(const HotVersion &Hot) {
    if (RandomCold.getNumOccurrences())
      return true;
    const HotVersion::Sizes Sizes = Hot.sizes();
    const uint64_t Original =
        OriginalSizes.try_emplace(&Hot.function(), Sizes.Original)
            .first->second;
    return Sizes.total() <=
           Original + std::max(Original * MaxGrowth / 100, AlwaysGrowth);
  }

  /// Null if that cannot be done, for what is then in \p O and Reason.
  std::optional<Draft> draft(BinaryFunction &BF, const BitVector &HotBlocks,
                             const VersionCounts &Counts,
                             const HotColdContext &Context, Outcome &O) {
    Draft D{std::make_unique<HotVersion>(BF, HotBlocks, Context), Counts};
    HotVersion &Hot = *D.Hot;
    if (!Hot.setDepths(StackDepth(BF, Context.Stack))) {
      Reason = ": the stack pointer";
      O = Outcome::Unsupported;
      return std::nullopt;
    }
    Hot.setCounts(Counts.Hot);
    propagateCopies(Hot);
    sinkIntoStubs(Hot, D.Gain);
    const char *Why = removeFrame(Hot, D.Gain);
    if (Why)
      Why = slimFrame(Hot, D.Gain);
    if (Why)
      D.Why = std::string(": ") + Why;
    D.Saving = Hot.saving();
    return D;
  }

  void report(raw_ostream &OS) const {
    OS << "GRAUPEL-INFO: hot-cold optimization took "
       << format("%.2f", 100 * Saved / std::max(Total, 1.0))
       << " % of the executed instructions off the frequent paths: "
       << format("%.2f", 100 * Sum.Saves / std::max(Total, 1.0))
       << " % saves and restores, "
       << format("%.2f", 100 * Sum.Adjusts / std::max(Total, 1.0))
       << " % stack adjustments, "
       << format("%.2f", 100 * Sum.Moves / std::max(Total, 1.0))
       << " % copies, " << format("%.2f", 100 * Sum.Sunk / std::max(Total, 1.0))
       << " % computations, "
       << format("%.2f", 100 * Sum.Calls / std::max(Total, 1.0)) << " % "
       << NumInlined << " calls, "
       << format("%.2f", 100 * Sum.Jumps / std::max(Total, 1.0))
       << " % jumps, stubs cost "
       << format("%.2f", 100 * (Sum.total() - Saved) / std::max(Total, 1.0))
       << " %\n";
    uint64_t Before = 0, After = 0;
    for (const auto &[BF, Size] : FinalSizes) {
      Before += OriginalSizes.lookup(BF);
      After += Size;
    }
    OS << "GRAUPEL-INFO:   optimized procedures take " << After
       << " bytes instead of " << Before << '\n';
    for (unsigned O = 0; O < std::size(Share); ++O)
      OS << "GRAUPEL-INFO:   " << describe(static_cast<Outcome>(O)) << ": "
         << Number[O] << " procedures, "
         << format("%.1f", 100 * Share[O] / std::max(Total, 1.0)) << " %\n";
  }
};

} // namespace

void graupel::registerHotColdPasses(BoltPassRegistry &Registry) {
  Registry.add(PassStage::PreLayout, "graupel-hot-cold",
               []() -> std::unique_ptr<BinaryFunctionPass> {
                 if (!HotCold)
                   return nullptr;
                 return std::make_unique<HotColdPass>();
               });
}
