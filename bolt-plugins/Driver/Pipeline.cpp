//===- Driver/Pipeline.cpp - The pass pipeline of graupel-bolt ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs BOLT's passes and the registered ones in one pipeline. BOLT builds its
// list of passes inside one function, BinaryFunctionPassManager::runAllPasses.
// The linker's --wrap option puts the function at the end of this file in its
// place; the original stays reachable.
//
// 1. The original runs with -stock-pipeline, and for an input that is not x86.
// 2. Functions that have to stay are marked: code that the loader changes
//    (leaveRelocatedCodeAlone) and functions that Protect/ names
//    (leaveProtectedAlone). It is an error if our attempt to write over the old
//    text would destroy a function that stays.
// 3. finishInstrumentationOptions() sets the options that hold during the
//    passes of -instrument.
// 4. PipelineBuilder::build() lists the passes and runs them. The list is BOLT
//    22's for x86-64, under the control of BOLT's options, with the registered
//    passes at their stages between.
// 5. checkParts() refuses functions in more than two parts if the input has no
//    relocations.
//
// test/Driver/stock-pipeline.test checks that without registered passes both
// lists produce the same file.
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"
#include "Align/AlignPass.h"
#include "Align/KeptAlignment.h"
#include "Copies/Copies.h"
#include "Copies/CopyGain.h"
#include "DynamicRelocations.h"
#include "Exceptions/Exceptions.h"
#include "ExplainedPass.h"
#include "FrameGuard.h"
#include "HotCold/HotCold.h"
#include "InlineGuard.h"
#include "Instrument/InstrumentPass.h"
#include "Instrument/RecordingRows.h"
#include "Instrumenting.h"
#include "JoinPrefixes.h"
#include "Options/BoltOptions.h"
#include "Options/CopyPlan.h"
#include "Options/LayoutPlan.h"
#include "PLTBinding.h"
#include "ParallelPasses.h"
#include "ProfileCheck.h"
#include "Progress.h"
#include "Protection.h"
#include "Recover/IndirectBranches.h"
#include "Summary.h"
#include "bolt/Passes/Aligner.h"
#include "bolt/Passes/AllocCombiner.h"
#include "bolt/Passes/AsmDump.h"
#include "bolt/Passes/CMOVConversion.h"
#include "bolt/Passes/FrameOptimizer.h"
#include "bolt/Passes/Hugify.h"
#include "bolt/Passes/IdenticalCodeFolding.h"
#include "bolt/Passes/IndirectCallPromotion.h"
#include "bolt/Passes/Inliner.h"
#include "bolt/Passes/JTFootprintReduction.h"
#include "bolt/Passes/LoopInversionPass.h"
#include "bolt/Passes/MCF.h"
#include "bolt/Passes/PatchEntries.h"
#include "bolt/Passes/ProfileQualityStats.h"
#include "bolt/Passes/RegReAssign.h"
#include "bolt/Passes/ReorderData.h"
#include "bolt/Passes/ReorderFunctions.h"
#include "bolt/Passes/RetpolineInsertion.h"
#include "bolt/Passes/SplitFunctions.h"
#include "bolt/Passes/StokeInfo.h"
#include "bolt/Passes/TailDuplication.h"
#include "bolt/Passes/ThreeWayBranch.h"
#include "bolt/Passes/ValidateInternalCalls.h"
#include "bolt/Passes/ValidateMemRefs.h"
#include "bolt/Rewrite/BinaryPassManager.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace opts {
extern cl::opt<std::string> AsmDump;
extern cl::opt<IdenticalCodeFolding::ICFLevel, false,
               DeprecatedICFNumericOptionParser>
    ICF;
} // namespace opts

BoltPassRegistry &graupel::passRegistry() {
  static BoltPassRegistry Registry;
  return Registry;
}

namespace {

cl::opt<bool> StockPipeline(
    "stock-pipeline",
    cl::desc("run llvm-bolt's pipeline unchanged; the output is llvm-bolt's "
             "but for the note that records the command line (default: false)"),
    cl::cat(opts::BoltCategory));

/// A pass manager filled stage by stage.
class PipelineBuilder {
public:
  explicit PipelineBuilder(BinaryContext &BC) : Manager(BC), BC(BC) {}

  Error build() {
    addStatistics();
    addInstrumentation();
    // Instrumented code stays in its order.
    addIf<JoinPrefixes>(!instrumentedImage());
    addRegistered(PassStage::Start);
    addCodeChanges();
    addRegistered(PassStage::PreLayout);
    addBlockLayout();
    addFunctionLayout();
    addFinalTouches();
    addRegistered(PassStage::Late);
    addLowering();
    return Manager.runPasses();
  }

private:
  BinaryFunctionPassManager Manager;
  BinaryContext &BC;

  /// Adds BOLT's pass of type \p PassT. Most take the flag that says whether
  /// to print each function after the pass as their first argument.
  template <typename PassT, typename... ArgTs> void add(ArgTs &&...Args) {
    Manager.registerPass(std::make_unique<PassT>(std::forward<ArgTs>(Args)...));
  }
  template <typename PassT, typename... ArgTs>
  void addIf(bool Condition, ArgTs &&...Args) {
    if (Condition)
      add<PassT>(std::forward<ArgTs>(Args)...);
  }

  /// With -instrument adds ours, which is faster if all functions are changed,
  /// else BOLT's.
  template <typename OursT, typename BoltsT>
  void addForAll(const cl::opt<bool> &Print) {
    if (instrumentedImage())
      add<OursT>(Print);
    else
      add<BoltsT>(Print);
  }

  void addRegistered(PassStage Stage) {
    for (const BoltPassRegistry::Entry &Entry : passRegistry().entries())
      if (Entry.Stage == Stage)
        if (std::unique_ptr<BinaryFunctionPass> Pass = Entry.Make())
          Manager.registerPass(std::move(Pass));
  }

  /// Whether functions stay that gain nothing; tests of layouts want all.
  static bool choosesCopies() {
    return makesCopies() && !makesGainlessCopies() && !instrumentedImage() &&
           !isGiven("stress-layout");
  }

  static cl::opt<bool> &neverPrint() { return boltOpt<bool>("never-print"); }

  void addStatistics() {
    add<ProfileCheck>();
    add<EstimateEdgeCounts>(boltOpt<bool>("print-estimate-edge-counts"));
    add<DynoStatsSetPass>();
    addIf<NoteOriginalCost>(choosesCopies());
    addIf<AsmDumpPass>(opts::AsmDump.getNumOccurrences());
    add<PrintProgramStats>();
    addIf<PrintProfileStats>(boltFlag("print-profile-stats"), neverPrint());
    add<PrintProfileQualityStats>(neverPrint());
    addForAll<CheckInternalCalls, ValidateInternalCalls>(neverPrint());
    addForAll<CheckMemRefs, ValidateMemRefs>(neverPrint());
  }

  void addInstrumentation() {
    if (InstrumentedImage *Image = instrumentedImage())
      add<InstrumentPass>(*Image);
    else
      addIf<HugePage>(opts::Hugify, neverPrint());
  }

  void addCodeChanges() {
    const bool FoldIdentical =
        opts::ICF != IdenticalCodeFolding::ICFLevel::None;
    auto &Memcpy1 =
        static_cast<cl::list<std::string> &>(boltOption("memcpy1-spec"));

    addIf<ShortenInstructions>(boltFlag("shorten-instructions"), neverPrint());
    addIf<RemoveNops>(!boltFlag("keep-nops"), neverPrint());
    add<NormalizeCFG>(boltOpt<bool>("print-normalized"));
    addIf<StripRepRet>(boltFlag("strip-rep-ret"), neverPrint());
    addIf<FoldingClasses>(FoldIdentical);
    addIf<IdenticalCodeFolding>(FoldIdentical, boltOpt<bool>("print-icf"));
    addIf<SpecializeMemcpy1>(!Memcpy1.empty(), neverPrint(), Memcpy1);
    addIf<InlineMemcpy>(boltFlag("inline-memcpy"), neverPrint());
    add<IndirectCallPromotion>(boltOpt<bool>("print-icp"));
    addIf<JTFootprintReduction>(
        boltFlag("jt-footprint-reduction"),
        boltOpt<bool>("print-after-jt-footprint-reduction"));
    addIf<SimplifyRODataLoads>(boltFlag("simplify-rodata-loads"),
                               boltOpt<bool>("print-simplify-rodata-loads"));
    addIf<RegReAssign>(boltFlag("reg-reassign"),
                       boltOpt<bool>("print-regreassign"));
    add<GuardedInliner>(boltOpt<bool>("print-inline"));
    // Inlining makes more functions identical.
    addIf<FoldingClasses>(FoldIdentical);
    addIf<IdenticalCodeFolding>(FoldIdentical, boltOpt<bool>("print-icf"));
    if (layoutPlan().any())
      add<LazyPLTCall>(boltOpt<bool>("print-plt"));
    else
      add<PLTCall>(boltOpt<bool>("print-plt"));
    addIf<ThreeWayBranch>(boltFlag("three-way-branch"));
  }

  void addBlockLayout() {
    add<HandlersTogether>();
    add<ReorderBasicBlocks>(boltOpt<bool>("print-reordered"));
    addRegistered(PassStage::BlockOrder);
    addIf<RemoveUnreachable>(boltFlag("eliminate-unreachable"),
                             boltOpt<bool>("print-uce"));
    add<SplitFunctions>(boltOpt<bool>("print-split"));
    addRegistered(PassStage::Split);
    add<LoopInversionPass>();
    add<TailDuplication>();
    addIf<CMOVConversion>(boltFlag("cmov-conversion"));
    addForAll<FixBranches, FixupBranches>(
        boltOpt<bool>("print-after-branch-fixup"));
  }

  void addFunctionLayout() {
    addIf<LeaveOriginals>(makesCopies() && !instrumentedImage(),
                          choosesCopies(), hasInlinedParts);
    // Functions must have been given their place before the list of output
    // functions is made; some splitting strategies decide after that.
    addIf<ReorderFunctions>(!layoutPlan().Place && !isGiven("stress-layout"),
                            boltOpt<bool>("print-reordered-functions"));
    addRegistered(PassStage::FunctionOrder);
    add<PopulateOutputFunctions>();
    add<SplitFunctions>(boltOpt<bool>("print-split"));
  }

  void addFinalTouches() {
    addIf<DynoStatsPrintPass>(boltFlag("dyno-stats") ||
                                  boltFlag("dyno-stats-all"),
                              "after all optimizations before SCTC and FOP");
    addIf<StokeInfo>(boltFlag("stoke"), boltOpt<bool>("print-stoke"));
    addIf<SimplifyConditionalTailCalls>(
        boltFlag("simplify-conditional-tail-calls"),
        boltOpt<bool>("print-sctc"));
    add<Peepholes>(boltOpt<bool>("print-peepholes"));
    if (layoutPlan().any())
      add<CodeAlignment>();
    else if (!instrumentedImage()) // Which aligns its functions.
      add<AlignerPass>();
    if (layoutPlan().Kind != LayoutKind::None || instrumentedImage())
      add<KeptAlignment>(opts::ICF == IdenticalCodeFolding::ICFLevel::Safe);
    add<ReorderData>();
    addIf<ExplainedPass<PatchEntries>>(BC.HasRelocations && !makesCopies(),
                                       "its old entries cannot be patched");
    addIf<OriginalAddresses>(makesCopies());
    addIf<PatchOriginals>(makesCopies());
  }

  void addLowering() {
    add<ExplainedPass<FinalizeFunctions>>(
        "its unwind rules do not allow the new order",
        boltOpt<bool>("print-finalized"));
    addIf<RecordingRows>(instrumentedImage());
    // Rewrites unwind information, which must describe the final layout.
    addIf<GuardedFrameOptimizer>(!instrumentedImage() || isGiven("frame-opt"),
                                 boltOpt<bool>("print-fop"));
    add<AllocCombinerPass>(boltOpt<bool>("print-fop"));
    add<RetpolineInsertion>(boltOpt<bool>("print-retpoline-insertion"));
    add<AssignSections>();
    addForAll<LowerInstructions, InstructionLowering>(
        boltOpt<bool>("print-after-lowering"));
    addIf<ExplainedPass<CheckLargeFunctions>>(
        !BC.HasRelocations, "its new code does not fit in its place",
        neverPrint());
    addForAll<LowerArgumentSizes, LowerAnnotations>(neverPrint());
    add<CleanMCState>(neverPrint());
  }
};

/// True if our attempt to write over the old text would destroy a function that
/// BOLT leaves where it is.
bool wouldDestroyCode(const BinaryContext &BC) {
  if (!opts::UseOldText || isGiven("use-old-text"))
    return false;
  return llvm::any_of(llvm::make_second_range(BC.getBinaryFunctions()),
                      [](const BinaryFunction &BF) {
                        return BF.isIgnored() && !BF.isPseudo() &&
                               !BF.isPLTFunction() && BF.getSize();
                      });
}

/// BOLT has a place for two parts of a function that does not move, and would
/// lose the others.
void checkParts(const BinaryContext &BC) {
  if (BC.HasRelocations)
    return;
  for (const BinaryFunction &BF : make_second_range(BC.getBinaryFunctions())) {
    if (BF.getLayout().fragment_size() <= 2)
      continue;
    WithColor::error(errs(), "graupel-bolt")
        << BC.getFilename() << ": " << BF.getPrintName()
        << " was split into more than two parts, for which there is no place "
           "without relocations; leave out -split-strategy, or link with "
           "-Wl,--emit-relocs\n";
    std::exit(1);
  }
}

} // namespace

// BinaryFunctionPassManager::runAllPasses(BinaryContext &), mangled.
#define GRAUPEL_RUN_ALL_PASSES                                                 \
  _ZN4llvm4bolt25BinaryFunctionPassManager12runAllPassesERNS0_13BinaryContextE
#define GRAUPEL_CONCAT_(A, B) A##B
#define GRAUPEL_CONCAT(A, B) GRAUPEL_CONCAT_(A, B)

// C linkage is for the name alone; both sides are C++.
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"

extern "C" {

Error GRAUPEL_CONCAT(__real_, GRAUPEL_RUN_ALL_PASSES)(BinaryContext &BC);

Error GRAUPEL_CONCAT(__wrap_, GRAUPEL_RUN_ALL_PASSES)(BinaryContext &BC) {
  if (StockPipeline)
    return GRAUPEL_CONCAT(__real_, GRAUPEL_RUN_ALL_PASSES)(BC);
  progress::enter("optimizing");
  Summary::get().measure(BC);
  if (!BC.isX86()) {
    BC.errs() << "graupel-bolt: warning: only llvm-bolt's own passes run: the "
                 "input is not x86-64\n";
    return GRAUPEL_CONCAT(__real_, GRAUPEL_RUN_ALL_PASSES)(BC);
  }
  if (Error E = leaveRelocatedCodeAlone(BC))
    return E;
  if (Error E = leaveProtectedAlone(BC))
    return E;
  if (wouldDestroyCode(BC))
    return createFatalBOLTError("the old text holds code that has to stay");
  reportRecovered(BC);
  finishInstrumentationOptions(BC);
  if (Error E = PipelineBuilder(BC).build())
    return E;
  checkParts(BC);
  progress::enter("writing the output");
  return Error::success();
}
}
