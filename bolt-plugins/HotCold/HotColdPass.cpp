//===- HotCold/HotColdPass.cpp - Hot-cold optimization --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass of hot-cold optimization, its options, and two passes at the end of
// the pipeline.
//
// 1. HotColdPass reads all functions: for the optimizations
//    (RegisterSummaries), and at the same time for the proof (DraftCheck).
// 2. makeLimits() computes the count above which a block is hot and the gain
//    that a byte more has to bring, from the counts of all blocks.
// 3. ProcedureOptimizer::optimizeAll() gives a hot version to each procedure
//    that is executed often enough if that is a gain.
// 4. inlineIntoCallers() replaces frequent calls by hot parts of the callees,
//    callees first. It folds branches that are decided in the caller, which may
//    then get a hot version again.
// 5. duplicateTails() gives frequent paths copies of the blocks at their ends.
// 6. At the end of the pipeline CheckEntries fails if an inlined part's
//    function has come to stay. MeasureParts measures the sizes for the report.
//
//===----------------------------------------------------------------------===//

#include "BranchFolding.h"
#include "CallOrder.h"
#include "Copies/Copies.h"
#include "Copies/MissingSymbols.h"
#include "Growth.h"
#include "HotCold.h"
#include "HotCold/Proof/DraftCheck.h"
#include "Options/BoltOptions.h"
#include "Options/CopyPlan.h"
#include "PartialInlining.h"
#include "ProcedureOptimizer.h"
#include "Protect/StayingCode.h"
#include "Split/HotThreshold.h"
#include "TailDuplication.h"
#include "bolt/Core/ParallelUtilities.h"
#include "bolt/Passes/BinaryPasses.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "graupel/LayoutPasses.h"
#include <optional>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

cl::opt<bool> HotCold("hco",
                      cl::desc("take instructions off the frequent paths of "
                               "procedures (default: true with a profile and "
                               "-layout=graupel)"),
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

cl::opt<uint64_t> MaxProcedures(
    "hco-max",
    cl::desc("with -hco: optimize at most so many procedures, to find the one "
             "that breaks a program (default: no limit)"),
    cl::init(UINT64_MAX), cl::cat(opts::BoltOptCategory));

cl::opt<unsigned> MaxGrowth(
    "hco-growth",
    cl::desc("with -hco: percent by which the code of the image may grow "
             "(default: 8)"),
    cl::init(8), cl::cat(opts::BoltOptCategory));

constexpr double ColdInstructions = 0.01;
// As a fraction of all executed instructions: rarer calls and jumps stay.
constexpr double MinCallWeight = 0.00002;
constexpr double MinJumpWeight = 0.00004;
// Instructions that an additional byte has to save, as a fraction of the
// instructions that a byte of the image executes.
constexpr double MinRelativeDensity = 0.25;

uint64_t weigh(const BinaryFunction &BF) {
  uint64_t Sum = 0;
  for (const BinaryBasicBlock &Block : BF)
    Sum += Block.getKnownExecutionCount() * Block.getNumNonPseudos();
  return Sum;
}

uint64_t codeSize(const BinaryContext &BC) {
  uint64_t Sum = 0;
  for (const auto &[Address, BF] : BC.getBinaryFunctions())
    Sum += BF.getSize();
  return Sum;
}

class HotColdPass : public BinaryFunctionPass {
public:
  HotColdPass() : BinaryFunctionPass(/*PrintPass=*/false) {}

  const char *getName() const override { return "graupel-hot-cold"; }

  bool shouldOptimize(const BinaryFunction &BF) const override {
    return !BF.empty() && BinaryFunctionPass::shouldOptimize(BF) &&
           !staysOriginal(BF) &&
           (BF.hasValidProfile() || RandomCold.getNumOccurrences() || Invert);
  }

  Error runOnFunctions(BinaryContext &BC) override {
    Recorder.start(BC);
    if (hasStrangeCode()) {
      BC.outs()
          << "GRAUPEL-INFO: no hot-cold optimization: code without unwind "
             "records may use registers in its own way\n";
      Recorder.finish(BC);
      return Error::success();
    }
    followFolding(BC);
    const RegisterModel Registers(BC);
    const StackModel Stack(BC, Registers);
    const MachineModel Model{BC, Registers, Stack};
    // The proof has facts of its own: they are found beside the optimizer's.
    std::optional<DraftCheck> Check;
    ThreadPoolInterface &Pool = ParallelUtilities::getThreadPool();
    auto makeCheck = [&] { Check.emplace(BC, Model); };
    if (opts::NoThreads)
      makeCheck();
    else
      Pool.async(makeCheck);
    RegisterSummaries Summaries(BC, Registers, Stack);
    Pool.wait();
    if (PrintHotCold)
      Summaries.print(BC.outs(), Registers);
    const HotColdContext Context{Model, Summaries};
    const HotColdLimits Limits = makeLimits(BC);
    ProcedureOptimizer Optimizer(Context, Limits, Recorder, *Check);
    GrowthBudget::get().start(codeSize(BC) * MaxGrowth / 100);
    std::vector<ProcedureOptimizer::Procedure> Procedures;
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (shouldOptimize(BF))
        Procedures.push_back({&BF, double(weigh(BF))});
    Optimizer.optimizeAll(Procedures);
    inlineIntoCallers(BC, Summaries, Context, Optimizer, Limits);
    duplicateTails(BC, Summaries, Optimizer, Limits);
    Recorder.finish(BC);
    Recorder.printSummary(BC.outs());
    return Check->finish();
  }

private:
  HotColdRecorder &Recorder = hotColdRecorder();

  HotColdLimits makeLimits(BinaryContext &BC) const {
    HotColdLimits Limits;
    CountDistribution Distribution;
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (shouldOptimize(BF)) {
        Limits.Total += weigh(BF);
        for (const BinaryBasicBlock &Block : BF)
          Distribution.add(Block.getKnownExecutionCount(),
                           Block.getNumNonPseudos());
      }
    Limits.MinDensity =
        MinRelativeDensity * Limits.Total / std::max<uint64_t>(1, codeSize(BC));
    Limits.Threshold = Distribution.coldThreshold(ColdInstructions);
    if (RandomCold.getNumOccurrences())
      Limits.Seed = RandomCold;
    Limits.Invert = Invert;
    Limits.MaxProcedures = MaxProcedures;
    Limits.Print = PrintHotCold;
    return Limits;
  }

  bool hasFlow(const BinaryFunction &BF) const {
    return shouldOptimize(BF) && BF.isSimple() && BF.hasValidProfile() &&
           !BF.hasIslandsInfo();
  }

  /// Whether PatchEntries is going to have old code lead to new code, as it
  /// must if code that stays has references that it does not know. Where
  /// originals stay only their beginnings are.
  static bool isOldCodePatched(BinaryContext &BC) {
    if (makesCopies())
      return false;
    return boltFlag("force-patch") ||
           any_of(make_second_range(BC.getBinaryFunctions()),
                  [&](const BinaryFunction &BF) {
                    return BF.needsPatch() || (!BC.shouldEmit(BF) &&
                                               !BF.hasExternalRefRelocations());
                  });
  }

  /// Inlined code is in its final form.
  void inlineIntoCallers(BinaryContext &BC, RegisterSummaries &Summaries,
                         const HotColdContext &Context,
                         ProcedureOptimizer &Optimizer,
                         const HotColdLimits &Limits) {
    const RegisterModel &Registers = Context.Registers;
    const ValueModel Values(Context);
    const bool IsPatched = isOldCodePatched(BC);
    DenseMap<const BinaryFunction *, InlinablePart> Parts;
    auto partOf = [&](BinaryFunction &BF) -> const InlinablePart & {
      auto [At, IsNew] = Parts.try_emplace(&BF);
      // Each copy would call the rest of it from an address of its own.
      if (IsNew && !Summaries.of(BF).ReadsReturnAddress)
        At->second = InlinablePart::find(BF, Registers, IsPatched);
      // Without relocations a function that gets too long for its place stays
      // as it was, without an entry for the rest that its callers call. So do
      // functions that cannot be copied.
      if (IsNew && (!BC.HasRelocations || staysOriginal(BF)) &&
          !At->second.isWhole())
        At->second = InlinablePart();
      return At->second;
    };
    DenseMap<const BinaryFunction *, double> Taken;
    const auto MinCount = static_cast<uint64_t>(MinCallWeight * Limits.Total);
    for (BinaryFunction *BF : calleesFirst(BC)) {
      if (!hasFlow(*BF))
        continue;
      const InliningResult Result = inlineHotParts(
          *BF, MinCount, Limits.MinDensity, partOf, Registers, Summaries,
          [&](uint64_t Bytes) { return Optimizer.mayChange(Bytes); });
      if (!Result.NumCalls)
        continue;
      HotColdGain Gain;
      Gain.Calls = Result.Saved;
      Gain.Branches = decideBranches(*BF, Context, Values, Optimizer);
      Recorder.add(*BF, Gain);
      for (const BinaryBasicBlock *Rare : Result.RareCalls)
        Recorder.mark(*Rare, HotColdRecorder::Part::Stub);
      Optimizer.optimizeAgain({BF, double(weigh(*BF))});
      for (const auto &[Callee, Count] : Result.Executions)
        Taken[Callee] += double(Count);
      Parts.erase(BF); // Its blocks are others now; cycles may ask again.
      Taken.erase(BF);
    }
    // Only now: callers that came later had to see all counts.
    for (const auto &[Callee, Count] : Taken)
      Parts[Callee].takeExecutions(Count);
  }

  double decideBranches(BinaryFunction &BF, const HotColdContext &Context,
                        const ValueModel &Values,
                        ProcedureOptimizer &Optimizer) {
    const DecidedBranches Decided(BF, Context, Values);
    if (Decided.branches().empty() || !Optimizer.mayChange(/*Growth=*/0))
      return 0;
    if (PrintHotCold)
      Decided.print(Context.BC.outs());
    return foldBranches(Decided);
  }

  void duplicateTails(BinaryContext &BC, const RegisterSummaries &Summaries,
                      ProcedureOptimizer &Optimizer,
                      const HotColdLimits &Limits) {
    const auto MinCount = std::max<uint64_t>(
        1, static_cast<uint64_t>(MinJumpWeight * Limits.Total));
    for (auto &[Address, BF] : BC.getBinaryFunctions()) {
      if (!hasFlow(BF))
        continue;
      HotColdGain Gain;
      Gain.Jumps = graupel::duplicateTails(
          BF, MinCount, Limits.MinDensity,
          [&](const MCInst &Call) {
            return !Summaries.ofCall(Call).ReadsReturnAddress;
          },
          [&](uint64_t Bytes) { return Optimizer.mayChange(Bytes); });
      Recorder.add(BF, Gain);
    }
  }
};

/// At the end of the pipeline: calls of functions that have come to stay since
/// would have no target.
class CheckEntries : public BinaryFunctionPass {
public:
  CheckEntries() : BinaryFunctionPass(/*PrintPass=*/false) {}
  const char *getName() const override { return "graupel-hot-cold-entries"; }
  bool shouldPrint(const BinaryFunction &) const override { return false; }
  Error runOnFunctions(BinaryContext &) override {
    if (const BinaryFunction *Lost = findLostCallee())
      return createFatalBOLTError(
          "a part of " + Lost->getPrintName() +
          " was inlined, which has to stay; try -hco=false, and report this "
          "with the file");
    return Error::success();
  }
};

/// Measures the sizes of the parts, at the end of the pipeline.
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
  Registry.add(PassStage::Late, "graupel-hot-cold-entries",
               []() -> std::unique_ptr<BinaryFunctionPass> {
                 if (!HotCold)
                   return nullptr;
                 return std::make_unique<CheckEntries>();
               });
  Registry.add(PassStage::Late, "graupel-hot-cold-sizes",
               []() -> std::unique_ptr<BinaryFunctionPass> {
                 if (!hotColdReportPlan().any())
                   return nullptr;
                 return std::make_unique<MeasureParts>();
               });
}
