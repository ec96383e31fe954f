//===- Statistics/StatisticsPass.cpp - Measures a program -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. At the start of the pipeline: sizes, and all figures of executed
//    functions, from the input's own layout and addresses.
// 2. At its end (PassStage::Late): transfers in the final layout, and where in
//    its fragment each executed block will be. BOLT's own emitter tells, so the
//    offsets are those of the output but for what BOLT's frame optimizations
//    remove after this stage.
// 3. When the code has been emitted: the addresses of the fragments, from which
//    cache lines and pages follow.
//
//===----------------------------------------------------------------------===//

#include "Align/BlockPlace.h"
#include "Copies/CopyGain.h"
#include "FetchMeasure.h"
#include "Footprint.h"
#include "InstructionRoles.h"
#include "Options/BoltOptions.h"
#include "Options/CopyPlan.h"
#include "Options/LayoutPlan.h"
#include "PortraitCheck.h"
#include "Split/SplitOutcome.h"
#include "Statistics.h"
#include "Writers.h"
#include "bolt/Core/ParallelUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// Executed bytes of one fragment, by offset.
struct FragmentRanges {
  const BinaryFunction *BF;
  unsigned Fragment;
  std::vector<std::pair<uint64_t, uint64_t>> Ranges;
};

/// A function in the input's layout.
struct FunctionInInput {
  uint64_t Instructions = 0; ///< Executed.
  TransferCounts Transfers;
  std::vector<std::pair<uint64_t, uint64_t>> Ranges; ///< Executed, addresses.
  FetchMeasure::Entries Fetches;
};

/// Results of the passes for the end of the run.
struct Measured {
  Portrait P;
  /// Where copies are made: a function may stay whose copy brings nothing.
  DenseMap<const BinaryFunction *, FunctionInInput> InInput;
  std::vector<const FunctionInInput *> Staying;
  std::vector<FragmentRanges> After;
  FetchMeasure Fetches;
  /// Size in the input of the functions with a profile that BOLT rewrites.
  uint64_t BytesBefore = 0;
  /// Those that are left at the end: identical ones may have become one.
  std::vector<const BinaryFunction *> Rewritten;
};

Measured &measured() {
  static Measured M;
  return M;
}

bool isCode(const BinaryFunction &BF) {
  return !BF.isPseudo() && !BF.isPLTFunction() && !BF.isInjected() &&
         !BF.isFolded();
}

/// Functions that all figures but sizes are about: the ones that the layout
/// passes work on.
bool isMeasured(const BinaryFunction &BF) {
  return isCode(BF) && BF.hasValidProfile() && BF.isSimple() &&
         !BF.isIgnored() && !BF.empty() &&
         BF.getState() == BinaryFunction::State::CFG;
}

uint64_t executedInstructions(const BinaryFunction &BF) {
  uint64_t Sum = 0;
  for (const BinaryBasicBlock &B : BF)
    Sum += B.getKnownExecutionCount() * B.getNumNonPseudos();
  return Sum;
}

class PassBase : public BinaryFunctionPass {
public:
  PassBase() : BinaryFunctionPass(/*PrintPass=*/false) {}
  bool shouldPrint(const BinaryFunction &) const override { return false; }
};

/// Step 1.
class MeasureInput : public PassBase {
public:
  const char *getName() const override { return "graupel-statistics-input"; }

  Error runOnFunctions(BinaryContext &BC) override {
    Portrait &P = measured().P;
    const FrameReader Frames(BC);
    PortraitBuilder Builder;
    Footprint Executed;
    LayoutChange Change;
    for (auto &[Address, BF] : BC.getBinaryFunctions()) {
      if (!isCode(BF))
        continue;
      addSize(BF, P);
      if (!isMeasured(BF)) {
        P.ExecutedWithoutFlow += BF.getKnownExecutionCount() != 0;
        continue;
      }
      measured().BytesBefore += BF.getSize();
      if (!executedInstructions(BF))
        continue;
      FunctionInInput F = addExecuted(BF, P, Executed);
      const ProcedureFlow Flow = flowOf(BF);
      Builder.add(Flow);
      F.Fetches = measured().Fetches.addInput(BF, Flow);
      if (makesCopies())
        measured().InInput[&BF] = std::move(F);
      P.Frames += Frames.count(BF);
    }
    // The 1 % of the original splitting unless told otherwise: the threshold
    // describes the program, not what our layout happens to do with it.
    Builder.finish(P, isGiven("cold-share") ? layoutPlan().ColdShare : 0.01);
    if (!P.Executed)
      return Error::success();
    Change.Before = {P.Executed, P.Transfers, Executed.bytes(),
                     Executed.units(Portrait::LineSize),
                     Executed.units(Portrait::PageSize)};
    P.Layout = std::move(Change);
    return Error::success();
  }

private:
  static void addSize(const BinaryFunction &BF, Portrait &P) {
    ++P.Image.Functions;
    P.Image.Bytes += BF.getSize();
    if (!BF.hasInstructions()) {
      ++P.NotDecoded.Functions;
      P.NotDecoded.Bytes += BF.getSize();
    } else if (BF.hasCFG()) {
      P.Image.Blocks += BF.size();
      for (const BinaryBasicBlock &B : BF)
        P.Image.Instructions += B.getNumNonPseudos();
    } else {
      const auto Instructions = BF.instrs();
      P.Image.Instructions +=
          std::distance(Instructions.begin(), Instructions.end());
    }
  }

  static FunctionInInput addExecuted(BinaryFunction &BF, Portrait &P,
                                     Footprint &Executed) {
    FunctionInInput F;
    F.Instructions = executedInstructions(BF);
    ++P.ExecutedFunctions.Functions;
    P.ExecutedFunctions.Bytes += BF.getSize();
    ++P.ExecutedBlocks.Functions;
    for (BinaryBasicBlock &B : BF) {
      ++P.ExecutedFunctions.Blocks;
      P.ExecutedFunctions.Instructions += B.getNumNonPseudos();
      if (!B.getKnownExecutionCount())
        continue;
      ++P.ExecutedBlocks.Blocks;
      P.ExecutedBlocks.Instructions += B.getNumNonPseudos();
      F.Transfers += countTransfers(B);
      if (!isInInput(B))
        continue;
      P.ExecutedBlocks.Bytes += B.getOriginalSize();
      F.Ranges.push_back({BF.getAddress() + B.getInputOffset(),
                          BF.getAddress() + B.getEndOffset()});
      Executed.add(F.Ranges.back().first, F.Ranges.back().second);
    }
    P.Transfers += F.Transfers;
    return F;
  }
};

/// Step 2.
class MeasureLayout : public PassBase {
public:
  const char *getName() const override { return "graupel-statistics-layout"; }

  Error runOnFunctions(BinaryContext &BC) override {
    Measured &M = measured();
    if (!M.P.Layout)
      return Error::success();
    ParallelUtilities::runOnEachFunction(
        BC, ParallelUtilities::SchedulingPolicy::SP_BB_LINEAR,
        [&](BinaryFunction &BF) { BC.calculateEmittedSize(BF, false); },
        [&](const BinaryFunction &BF) { return !isMeasured(BF); },
        "graupel-statistics");
    if (makesCopies())
      addJumpsToCopies(BC, M);
    uint64_t Others = 0;
    for (auto &[Address, BF] : BC.getBinaryFunctions()) {
      if (!isCode(BF))
        continue;
      if (const auto It = M.InInput.find(&BF);
          It != M.InInput.end() && BF.isIgnored()) {
        addStaying(BF, It->second, M);
        continue;
      }
      if (!isMeasured(BF)) {
        // Without a profile or without a flow graph.
        Others += BF.hasValidProfile();
        continue;
      }
      M.Rewritten.push_back(&BF);
      M.P.Layout->SplitFunctions += BF.isSplit();
      addFunction(BF, M);
      if (executedInstructions(BF))
        M.Fetches.addOutput(BF);
    }
    explainUnsplit(BC, *M.P.Layout, Others);
    return Error::success();
  }

private:
  static void addStaying(const BinaryFunction &BF, const FunctionInInput &F,
                         Measured &M) {
    M.BytesBefore -= BF.getSize();
    M.P.Layout->StayingBytes += BF.getSize();
    LayoutFigures &After = M.P.Layout->After;
    After.Instructions += F.Instructions;
    After.Transfers += F.Transfers;
    M.Fetches.addStaying(F.Fetches);
    M.Staying.push_back(&F);
  }

  /// Each is an instruction, and a branch that is taken.
  static void addJumpsToCopies(BinaryContext &BC, Measured &M) {
    LayoutChange &Change = *M.P.Layout;
    for (const auto &[BF, Jumps] : entriesByOriginal(BC, isMeasured))
      Change.JumpsToCopies += Jumps;
    Change.After.Instructions += Change.JumpsToCopies;
    Change.After.Transfers.Jumps += Change.JumpsToCopies;
  }

  static void addFunction(BinaryFunction &BF, Measured &M) {
    LayoutFigures &After = M.P.Layout->After;
    for (FunctionFragment &Fragment : BF.getLayout().fragments()) {
      FragmentRanges F = {&BF, Fragment.getFragmentNum().get(), {}};
      for (BinaryBasicBlock *B : Fragment) {
        const uint64_t Count = B->getKnownExecutionCount();
        if (!Count)
          continue;
        After.Instructions += Count * B->getNumNonPseudos();
        After.Transfers += countTransfers(*B);
        const auto [Begin, End] = B->getOutputAddressRange();
        if (!F.Ranges.empty() && F.Ranges.back().second == Begin)
          F.Ranges.back().second = End;
        else
          F.Ranges.push_back({Begin, End});
      }
      if (!F.Ranges.empty())
        M.After.push_back(std::move(F));
    }
  }

  static void explainUnsplit(const BinaryContext &BC, LayoutChange &Change,
                             uint64_t WithoutFlow) {
    auto add = [&](StringRef Reason, uint64_t Functions) {
      Reason.consume_front("not split: ");
      if (Functions)
        Change.NotSplit.push_back({Reason.str(), Functions});
    };
    for (SplitOutcome O : {SplitOutcome::AllHot, SplitOutcome::AllCold,
                           SplitOutcome::NotSmaller})
      add(explain(O), splitTally()[static_cast<size_t>(O)]);
    // Conditional tail calls may have taken the place of all cold blocks.
    const uint64_t Decided =
        splitTally()[static_cast<size_t>(SplitOutcome::Split)];
    if (Decided > Change.SplitFunctions)
      add("the cold part became empty later", Decided - Change.SplitFunctions);
    uint64_t NoProfile = 0;
    for (const auto &[Address, BF] : BC.getBinaryFunctions())
      NoProfile += isCode(BF) && !BF.hasValidProfile();
    add("no profile", NoProfile);
    add("llvm-bolt does not understand the flow", WithoutFlow);
    if (!layoutPlan().Split)
      add("splitting was not Graupel's to do",
          measured().Rewritten.size() - Change.SplitFunctions);
  }
};

/// Step 3.
void finishLayout(Measured &M) {
  LayoutChange &Change = *M.P.Layout;
  Footprint Executed;
  for (const FragmentRanges &F : M.After) {
    const auto [Base, Size] = emittedAt(*F.BF, F.Fragment);
    // Code that was removed late makes the fragment end earlier.
    for (const auto &[Begin, End] : F.Ranges)
      Executed.add(Base + Begin, Base + std::min(End, Size));
  }
  for (const FunctionInInput *F : M.Staying)
    for (const auto &[Begin, End] : F->Ranges)
      Executed.add(Begin, End);
  Change.After.ExecutedBytes = Executed.bytes();
  Change.After.Lines = Executed.units(Portrait::LineSize);
  Change.After.Pages = Executed.units(Portrait::PageSize);
  M.Fetches.finish(Change, M.P.Executed);
  Change.BytesBefore = M.BytesBefore;
  for (const BinaryFunction *BF : M.Rewritten) {
    Change.HotBytes += BF->getOutputSize();
    for (const FunctionFragment &F : BF->getLayout().getSplitFragments())
      Change.ColdBytes += F.getImageSize();
  }
}

} // namespace

void graupel::registerStatisticsPasses(BoltPassRegistry &Registry) {
  Registry.add(PassStage::Start, "graupel-statistics-input",
               []() -> std::unique_ptr<BinaryFunctionPass> {
                 if (!statisticsPlan().any())
                   return nullptr;
                 return std::make_unique<MeasureInput>();
               });
  Registry.add(PassStage::Late, "graupel-statistics-layout",
               []() -> std::unique_ptr<BinaryFunctionPass> {
                 if (!statisticsPlan().any())
                   return nullptr;
                 return std::make_unique<MeasureLayout>();
               });
}

Error graupel::writeStatistics(const BinaryContext &BC) {
  const Destination &Plan = statisticsPlan();
  if (!Plan.any())
    return Error::success();
  Measured &M = measured();
  M.P.Program = BC.getFilename().str();
  M.P.Profile = boltOpt<std::string>(isGiven("data") ? "data" : "perfdata");
  if (!M.P.Image.Functions)
    WithColor::warning(errs(), "graupel-bolt")
        << "no statistics: they are measured on x86-64 only\n";
  if (M.P.Layout)
    finishLayout(M);
  else
    WithColor::warning(errs(), "graupel-bolt")
        << "statistics show sizes only: "
        << (M.P.Profile.empty() ? "there is no profile; give one with -data\n"
                                : "nothing was executed by the profile\n");
  uint64_t FileBytes = 0;
  if (std::error_code EC = sys::fs::file_size(M.P.Program, FileBytes))
    return createStringError(EC, M.P.Program + ": " + EC.message());
  if (Error E = checkFigures(M.P, FileBytes))
    return E;
  return writeToOutput(Plan.File, [&](raw_ostream &OS) -> Error {
    switch (Plan.Format) {
    case ReportFormat::None:
      break;
    case ReportFormat::Text:
      writeText(M.P, OS);
      break;
    case ReportFormat::JSON:
      writeJSON(M.P, OS);
      break;
    case ReportFormat::HTML:
      writeHTML(M.P, OS);
    }
    return Error::success();
  });
}
