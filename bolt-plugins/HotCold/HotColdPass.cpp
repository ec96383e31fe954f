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
#include "Frame.h"
#include "HotBlocks.h"
#include "HotCold.h"
#include "HotVersion.h"
#include "Recorder.h"
#include "Split/HotThreshold.h"
#include "SwitchTables.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "bolt/Passes/BinaryPasses.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "graupel/LayoutPasses.h"
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
// Of the function's instructions: less is not worth a copy.
constexpr double MinGain = 0.005;

using Outcome = HotColdCategory;

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
  std::vector<std::string> Notes = {}; ///< What else could not be done.
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
    Recorder.start(BC);
    const RegisterModel Registers(BC);
    const StackModel Stack(BC, Registers);
    const RegisterSummaries Summaries(BC, Registers);
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
        Recorder.begin(BF, [&](const BinaryBasicBlock &Block) {
          return Block.getKnownExecutionCount() > Threshold;
        });
        const Outcome O = optimize(BF, Context, Weight);
        // What was cold once may have frequent parts that gain, too.
        for (unsigned Round = 1;
             O == Outcome::Optimized && Round < MaxRounds &&
             optimize(BF, Context, Weight) == Outcome::Optimized;)
          ++Round;
        Recorder.end(BF, O, Reason);
        if (PrintHotCold && O != Outcome::Optimized)
          BC.outs() << BF.getPrintName() << ": " << describe(O) << Reason
                    << format(" (%.2f %% of the instructions)\n",
                              100 * Weight / std::max(Total, 1.0));
      }
    Recorder.finish(BC);
    Recorder.printSummary(BC.outs());
    return Error::success();
  }

private:
  double Total = 0;
  uint64_t Threshold = 0;
  HotColdRecorder &Recorder = hotColdRecorder();
  uint64_t NumCommitted = 0;
  std::string Reason;
  /// Of functions that were looked at, in bytes.
  DenseMap<const BinaryFunction *, uint64_t> OriginalSizes;

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
      if (Hot.all()) {
        Result = Outcome::NoSplit;
        continue;
      }
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
    Recorder.draft(*Best->Hot, Best->Gain, Best->Notes);
    if (Random ? !Best->Why.empty() && Best->Gain.total() <= 0
               : Best->Saving <= MinGain * Weight)
      return Reason.ends_with(StackPointerModified) ? Outcome::SPModified
                                                    : Outcome::NoAdvantage;
    if (NumCommitted++ >= MaxProcedures)
      return Outcome::NoAdvantage;
    if (PrintHotCold)
      Best->Hot->print(Context.BC.outs());
    Best->Hot->commit(Best->Counts.Cold);
    Recorder.commit(*Best->Hot);
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
      Reason = ": its depth is not known";
      O = Outcome::SPModified;
      return std::nullopt;
    }
    Hot.setCounts(Counts.Hot);
    sinkIntoStubs(Hot, D.Gain);
    const char *Why = removeFrame(Hot, D.Gain);
    if (Why) {
      D.Notes.push_back(std::string("frame not removed: ") + Why);
      Why = slimFrame(Hot, D.Gain);
    }
    if (Why)
      D.Notes.push_back(std::string("no saves left out: ") + Why);
    if (Why)
      D.Why = std::string(": ") + Why;
    D.Saving = Hot.saving();
    return D;
  }
};

/// At the end of the pipeline: how large the parts have become.
class MeasureParts : public BinaryFunctionPass {
public:
  MeasureParts() : BinaryFunctionPass(/*PrintPass=*/false) {}
  const char *getName() const override { return "graupel-hot-cold-sizes"; }
  bool shouldPrint(const BinaryFunction &) const override { return false; }
  Error runOnFunctions(BinaryContext &BC) override {
    hotColdRecorder().measureSizes(BC);
    return Error::success();
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
  Registry.add(PassStage::Late, "graupel-hot-cold-sizes",
               []() -> std::unique_ptr<BinaryFunctionPass> {
                 if (!hotColdReportPlan().any())
                   return nullptr;
                 return std::make_unique<MeasureParts>();
               });
}
