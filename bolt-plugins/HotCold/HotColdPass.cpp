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

#include "DraftCheck.h"
#include "Driver/BoltOptions.h"
#include "FlowPrediction.h"
#include "HotVersion.h"
#include "Split/HotThreshold.h"
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

cl::opt<bool> Invert(
    "hco-invert",
    cl::desc("with -hco: call frequent blocks cold and the others hot, to test "
             "that this changes nothing (default: false)"),
    cl::cat(opts::BoltOptCategory));

/// A test of what may be done to code, not of what pays.
bool ignoresProfit() { return RandomCold.getNumOccurrences() || Invert; }

cl::opt<uint64_t> MaxProcedures(
    "hco-max",
    cl::desc("with -hco: optimize at most so many procedures, to find the one "
             "that breaks a program (default: no limit)"),
    cl::init(UINT64_MAX), cl::cat(opts::BoltOptCategory));

// Cohn, Goodwin and Lowney 1997 leave procedures below 0.1 % of the time alone;
// big programs of today have most of their time there.
constexpr double MinWeight = 0.0001;
constexpr double MaxColdShare = 0.01;
constexpr double ColdInstructions = 0.01;
// Of the function's instructions: less is not worth a copy.
constexpr double MinGain = 0.005;

enum class Outcome {
  Optimized,
  Infrequent,
  NoSplit,
  Unsupported,
  Loop,
  NoAdvantage,
  Unproved,
  NumOutcomes
};

StringRef describe(Outcome O) {
  static const StringRef Names[] = {
      "optimized",   "executed too rarely", "not split: all blocks are frequent",
      "unsupported", "cold code in loops",  "no advantage",
      "not proved right"};
  return Names[static_cast<unsigned>(O)];
}

uint64_t weigh(const BinaryFunction &BF) {
  uint64_t Sum = 0;
  for (const BinaryBasicBlock &Block : BF)
    Sum += Block.getKnownExecutionCount() * Block.getNumNonPseudos();
  return Sum;
}

uint64_t known(uint64_t Count) {
  return Count == BinaryBasicBlock::COUNT_NO_PROFILE ? 0 : Count;
}

class HotColdPass : public BinaryFunctionPass {
public:
  HotColdPass() : BinaryFunctionPass(/*PrintPass=*/false) {}

  const char *getName() const override { return "graupel-hot-cold"; }

  bool shouldOptimize(const BinaryFunction &BF) const override {
    return !BF.empty() && BinaryFunctionPass::shouldOptimize(BF) &&
           (BF.hasValidProfile() || ignoresProfit());
  }

  Error runOnFunctions(BinaryContext &BC) override {
    const RegisterModel Registers(BC);
    const StackModel Stack(BC, Registers);
    const RegisterSummaries Summaries(BC, Registers);
    const HotColdContext Context{BC, Registers, Stack, Summaries};
    Check.emplace(Context);
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
        const Outcome O = optimize(BF, Context, Weight);
        Share[static_cast<unsigned>(O)] += Weight;
        ++Number[static_cast<unsigned>(O)];
        if (PrintHotCold && O != Outcome::Optimized)
          BC.outs() << BF.getPrintName() << ": " << describe(O) << Reason
                    << '\n';
      }
    report(BC.outs());
    return Check->finish();
  }

private:
  double Total = 0;
  uint64_t Threshold = 0;
  double Share[static_cast<unsigned>(Outcome::NumOutcomes)] = {};
  uint64_t Number[static_cast<unsigned>(Outcome::NumOutcomes)] = {};
  HotColdGain Sum;
  std::string Reason;
  std::optional<DraftCheck> Check;

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

  std::vector<FlowBlock> describeFlow(const BinaryFunction &BF) const {
    std::vector<FlowBlock> Flow(BF.size());
    for (const BinaryBasicBlock &Block : BF) {
      FlowBlock &B = Flow[Block.getIndex()];
      auto Info = Block.branch_info_begin();
      for (const BinaryBasicBlock *To : Block.successors()) {
        B.Successors.push_back(To->getIndex());
        B.Counts.push_back(known((Info++)->Count));
      }
    }
    Flow[BF.front().getIndex()].Entries =
        std::max<uint64_t>(1, BF.front().getKnownExecutionCount());
    return Flow;
  }

  bool isHot(const BinaryBasicBlock &Block, uint64_t Limit) const {
    if (Invert)
      return Block.getKnownExecutionCount() <= Limit;
    if (!RandomCold.getNumOccurrences())
      return Block.getKnownExecutionCount() > Limit;
    const uint64_t Words[] = {RandomCold, Block.getFunction()->getAddress(),
                              Block.getInputOffset()};
    return xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(Words),
                                sizeof(Words))) %
           4;
  }

  /// The blocks above \p Limit that can be reached through such blocks.
  BitVector chooseHot(const BinaryFunction &BF, uint64_t Limit) const {
    BitVector Hot(BF.size());
    std::vector<const BinaryBasicBlock *> Worklist{&BF.front()};
    Hot.set(BF.front().getIndex());
    while (!Worklist.empty()) {
      const BinaryBasicBlock &Block = *Worklist.back();
      Worklist.pop_back();
      for (const BinaryBasicBlock *To : Block.successors())
        if (!Hot.test(To->getIndex()) && isHot(*To, Limit)) {
          Hot.set(To->getIndex());
          Worklist.push_back(To);
        }
    }
    return Hot;
  }

  Outcome optimize(BinaryFunction &BF, const HotColdContext &Context,
                   double Weight) {
    const bool Random = ignoresProfit();
    if (!Random && (Weight < MinWeight * Total || Weight == 0))
      return Outcome::Infrequent;
    if (!isSupported(BF, Reason))
      return Outcome::Unsupported;
    Outcome Result = Outcome::Loop;
    // If rare events strand too much in the cold version, what is rarer yet may
    // not.
    for (uint64_t Limit : {Threshold, Threshold / 10, uint64_t(0)}) {
      if (!Random && BF.front().getKnownExecutionCount() <= Limit)
        continue;
      const BitVector Hot = chooseHot(BF, Limit);
      if (Hot.all())
        return Outcome::NoSplit;
      std::vector<FlowBlock> Flow = describeFlow(BF);
      for (unsigned I : Hot.set_bits())
        Flow[I].Hot = true;
      std::optional<VersionCounts> Counts = predictFlow(Flow);
      if (!Counts && Random)
        Counts = VersionCounts{std::vector<double>(BF.size()),
                               std::vector<double>(BF.size())};
      if (!Counts)
        continue;
      double Cold = 0;
      for (const BinaryBasicBlock &Block : BF)
        Cold += Counts->Cold[Block.getIndex()] * Block.getNumNonPseudos();
      if (!Random && Cold > MaxColdShare * Weight)
        continue;
      Result = transform(BF, Hot, *Counts, Weight, Context);
      if (Result == Outcome::Optimized)
        break;
    }
    return Result;
  }

  Outcome transform(BinaryFunction &BF, const BitVector &HotBlocks,
                    const VersionCounts &Counts, double Weight,
                    const HotColdContext &Context) {
    const MCPlusBuilder &MIB = *Context.BC.MIB;
    HotVersion Hot(BF, HotBlocks, Context);
    const StackDepth Depth(BF, Context.Stack);
    for (HotVersion::Block &B : Hot.blocks()) {
      for (const MCInst &Inst : B.Code)
        if (MIB.isIndirectBranch(Inst) && !MIB.isTailCall(Inst)) {
          Reason = ": switches";
          return Outcome::Unsupported;
        }
      if (!Depth.into(*B.Original)) {
        Reason = ": the stack pointer";
        return Outcome::Unsupported;
      }
      B.Depth = *Depth.into(*B.Original);
      B.Count = Counts.Hot[B.Original->getIndex()];
      const double Before =
          std::max<uint64_t>(1, B.Original->getKnownExecutionCount());
      auto Info = B.Original->branch_info_begin();
      for (HotVersion::Way &W : B.Ways)
        W.Count = known((Info++)->Count) / Before * B.Count;
    }
    for (HotVersion::Stub &S : Hot.stubs()) {
      if (!Depth.into(*S.Target)) {
        Reason = ": the stack pointer";
        return Outcome::Unsupported;
      }
      S.Depth = *Depth.into(*S.Target);
    }
    for (const HotVersion::Block &B : Hot.blocks())
      for (const HotVersion::Way &W : B.Ways)
        if (W.ToStub)
          Hot.stubs()[W.To].Count = W.Count;
    HotColdGain Gain;
    sinkIntoStubs(Hot, Gain);
    const char *Why = removeFrame(Hot, Gain);
    if (Why)
      Why = slimFrame(Hot, Gain);
    if (Why)
      Reason = std::string(": ") + Why;
    if (ignoresProfit() ? Why && Gain.total() <= 0
                                       : Gain.total() <= MinGain * Weight)
      return Outcome::NoAdvantage;
    if (Number[static_cast<unsigned>(Outcome::Optimized)] >= MaxProcedures)
      return Outcome::NoAdvantage;
    if (PrintHotCold)
      Hot.print(Context.BC.outs());
    if (!Check->accept(Hot))
      return Outcome::Unproved;
    Hot.commit(Counts.Cold);
    Sum.Sunk += Gain.Sunk;
    Sum.Saves += Gain.Saves;
    Sum.Adjusts += Gain.Adjusts;
    Sum.Moves += Gain.Moves;
    return Outcome::Optimized;
  }

  void report(raw_ostream &OS) const {
    OS << "GRAUPEL-INFO: hot-cold optimization took "
       << format("%.2f", 100 * Sum.total() / std::max(Total, 1.0))
       << " % of the executed instructions off the frequent paths: "
       << format("%.2f", 100 * Sum.Saves / std::max(Total, 1.0))
       << " % saves and restores, "
       << format("%.2f", 100 * Sum.Adjusts / std::max(Total, 1.0))
       << " % stack adjustments, "
       << format("%.2f", 100 * Sum.Moves / std::max(Total, 1.0))
       << " % copies, " << format("%.2f", 100 * Sum.Sunk / std::max(Total, 1.0))
       << " % computations\n";
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
