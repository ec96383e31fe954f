//===- Align/AlignPass.cpp - Alignment where it pays ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. At the start of the pipeline: blocks that begin at a multiple of 16 behind
//    padding were aligned by the compiler. The block remembers it as its
//    alignment, which BOLT ignores until step 4.
// 2. When the code is final but for frame optimizations: functions that hold
//    HotShare of the executed instructions start at a cache line; others that
//    run do so if it is cheap; the rest is not aligned.
// 3. For each hot function BOLT's own emitter tells where its blocks lie, and
//    planPadding() where padding pays.
// 4. The function is emitted again with this padding. Unless its score, from
//    the addresses that came of it, is better than before, it gets none.
//
// The design is in docs/design/alignment.md.
//
//===----------------------------------------------------------------------===//

#include "AlignPass.h"
#include "BlockPlace.h"
#include "Driver/BoltOptions.h"
#include "Driver/LayoutPlan.h"
#include "FetchCost.h"
#include "PaddingPlan.h"
#include "bolt/Core/ParallelUtilities.h"
#include "bolt/Passes/Aligner.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Support/Debug.h"
#include <map>
#include <mutex>

#define DEBUG_TYPE "graupel-align"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

STATISTIC(NumPadded, "blocks aligned by profile");
STATISTIC(NumKept, "of these, blocks that the compiler had aligned");
STATISTIC(NumRejected, "functions whose padding turned out not to pay");

namespace opts {
extern cl::opt<bool> AlignBlocks;
} // namespace opts

static cl::opt<bool>
    AlignLoops("align-hot-blocks",
               cl::desc("align blocks of hot functions, loop heads above all, "
                        "where the profile says that it pays (default: true)"),
               cl::init(true), cl::cat(opts::BoltCategory));
static cl::opt<bool> PrintAlignment(
    "print-alignment",
    cl::desc("print which blocks are aligned, and what it is expected to save "
             "(default: false)"),
    cl::cat(opts::BoltCategory));

// Measured: docs/design/alignment.md.
static cl::opt<double> ByteShare(
    "align-byte-share",
    cl::desc("share of all decode windows that the program enters which one "
             "byte of padding has to save"),
    cl::init(2e-5), cl::Hidden, cl::cat(opts::BoltCategory));
static cl::opt<double>
    NopCost("align-nop-cost",
            cl::desc("decode windows that one executed padding instruction "
                     "costs"),
            cl::init(1.0), cl::Hidden, cl::cat(opts::BoltCategory));

// Functions that hold at least HotShare of the executed instructions start at a
// cache line; others that run do if that takes at most MaxPadding bytes and no
// more than they are long. Measured: docs/results/layout.md.
static constexpr uint64_t MaxPadding = 32;
static constexpr double HotShare = 0.001;
/// Executed instructions for each entered window, roughly.
static constexpr double InstructionsPerWindow = 4;
/// Later passes may shift code by a few bytes.
static constexpr uint64_t Slack = 4;

/// What the user asked of alignment is BOLT's to do.
static bool isUsersChoice() {
  return isGiven("align-functions") || isGiven("align-functions-max-bytes") ||
         isGiven("use-compact-aligner") || isGiven("align-blocks") ||
         isGiven("preserve-blocks-alignment");
}

/// Executed instructions of \p BF's main fragment.
static uint64_t weight(const BinaryFunction &BF) {
  uint64_t Sum = 0;
  for (const BinaryBasicBlock *Block : BF.getLayout().getMainFragment())
    Sum += Block->getKnownExecutionCount() * Block->getNumNonPseudos();
  return Sum;
}

/// Bytes of \p BF's main fragment.
static uint64_t mainSize(const BinaryFunction &BF) {
  const BinaryContext &BC = BF.getBinaryContext();
  uint64_t Size = 0;
  for (const BinaryBasicBlock *Block : BF.getLayout().getMainFragment())
    Size += BC.computeCodeSize(Block->begin(), Block->end());
  return Size;
}

namespace {

/// Step 1.
class RecordAlignment : public BinaryFunctionPass {
public:
  RecordAlignment() : BinaryFunctionPass(/*PrintPass=*/false) {}
  const char *getName() const override { return "graupel-record-alignment"; }
  bool shouldPrint(const BinaryFunction &) const override { return false; }

  Error runOnFunctions(BinaryContext &BC) override {
    for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
      if (BF.hasValidProfile() && BF.hasCFG())
        record(BF);
    return Error::success();
  }

private:
  static void record(BinaryFunction &BF) {
    const BinaryBasicBlock *Previous = nullptr;
    for (BinaryBasicBlock *B : BF.getLayout().blocks()) {
      const uint64_t Address = BF.getAddress() + B->getInputOffset();
      if (Previous && Address % 16 == 0 && isPadded(*Previous, *B))
        B->setAlignment(16);
      Previous = B;
    }
  }

  /// There are no-ops between \p Previous and \p B. BOLT leaves them at the end
  /// of the block before, or drops them.
  static bool isPadded(const BinaryBasicBlock &Previous,
                       const BinaryBasicBlock &B) {
    const BinaryContext &BC = B.getFunction()->getBinaryContext();
    if (Previous.getEndOffset() < B.getInputOffset())
      return true;
    const MCInst *Last = Previous.getLastNonPseudoInstr();
    return Last && BC.MIB->isNoop(*Last);
  }
};

/// Steps 3 and 4 for one function.
class FunctionPadding {
public:
  FunctionPadding(BinaryFunction &BF, const PaddingCosts &Costs)
      : BF(BF), BC(BF.getBinaryContext()), Costs(Costs) {
    for (BinaryBasicBlock *B : BF.getLayout().getMainFragment())
      Blocks.push_back(B);
  }

  /// True if \p BF is better for it.
  bool apply() {
    takeRecords();
    const std::vector<PlacedBlock> Before = place();
    const std::vector<uint8_t> Alignments =
        planPadding(describe(Before), Costs);
    if (!set(Alignments, Before))
      return false;
    ScoreBefore = score(Before);
    ScoreAfter = score(place());
    if (ScoreAfter < ScoreBefore) {
      count();
      return true;
    }
    ++NumRejected;
    reset();
    return false;
  }

  void print(raw_ostream &OS) const {
    OS << BF.getPrintName() << ": decode windows " << uint64_t(ScoreBefore)
       << " -> " << uint64_t(ScoreAfter) << '\n';
    for (const auto &[B, Was] : zip_equal(Blocks, WasAligned))
      if (B->getAlignment() > 1)
        OS << "  " << B->getName() << " at " << B->getAlignment() << ", count "
           << B->getKnownExecutionCount()
           << (Was ? ", as the compiler had it\n" : "\n");
  }

private:
  BinaryFunction &BF;
  const BinaryContext &BC;
  const PaddingCosts &Costs;
  std::vector<BinaryBasicBlock *> Blocks;
  std::vector<bool> WasAligned;
  double ScoreBefore = 0, ScoreAfter = 0;

  void count() const {
    for (const auto &[B, Was] : zip_equal(Blocks, WasAligned))
      if (B->getAlignment() > 1) {
        ++NumPadded;
        NumKept += Was;
      }
  }

  void takeRecords() {
    for (BinaryBasicBlock *B : Blocks)
      WasAligned.push_back(B->getAlignment() > 1);
    for (BinaryBasicBlock &B : BF)
      B.setAlignment(1); // Also those of cold parts.
  }

  void reset() {
    for (BinaryBasicBlock *B : Blocks) {
      B->setAlignment(1);
      B->setAlignmentMaxBytes(0);
    }
  }

  /// Emits the function to see where its blocks are.
  std::vector<PlacedBlock> place() {
    const_cast<BinaryContext &>(BC).calculateEmittedSize(BF, false);
    std::vector<PlacedBlock> Placed;
    const BinaryBasicBlock *Previous = nullptr;
    for (const BinaryBasicBlock *B : Blocks) {
      const auto [Begin, End] = B->getOutputAddressRange();
      PlacedBlock P = placeBlock(*B, Begin, End, Previous,
                                 Previous ? Placed.back().End : 0);
      P.JumpSize = jumpSize(*B, End - Begin);
      Placed.push_back(P);
      Previous = B;
    }
    return Placed;
  }

  std::vector<PaddingBlock> describe(ArrayRef<PlacedBlock> Placed) const {
    std::vector<PaddingBlock> Result;
    for (const auto &[P, Was] : zip_equal(Placed, WasAligned))
      Result.push_back({P.End - P.Begin, P.Count, P.FallIn, P.JumpSize, Was});
    return Result;
  }

  /// False if there is nothing to align.
  bool set(ArrayRef<uint8_t> Alignments, ArrayRef<PlacedBlock> Before) {
    uint64_t End = 0;
    bool Any = false;
    for (size_t I = 0; I < Blocks.size(); ++I) {
      const uint64_t Start = alignTo(End, Alignments[I]);
      if (Alignments[I] > 1) {
        Blocks[I]->setAlignment(Alignments[I]);
        Blocks[I]->setAlignmentMaxBytes(
            std::min<uint64_t>(Start - End + Slack, Alignments[I] - 1));
        Any = true;
      }
      End = Start + (Before[I].End - Before[I].Begin);
    }
    return Any;
  }

  double score(ArrayRef<PlacedBlock> Placed) const {
    double Sum = 0;
    for (const PlacedBlock &P : Placed)
      Sum += unitsEntered(P, DecodeWindow) +
             Costs.JumpAtBoundary * jumpsAtBoundary(P);
    for (const auto &[P, Was] : zip_equal(Placed, WasAligned))
      if (Was)
        Sum += Costs.LostAlignment * (P.Count - P.FallIn) * (P.Begin % 16) / 16;
    return Sum;
  }
};

} // namespace

/// Step 2.
static void alignFunction(BinaryFunction &BF, bool Hot) {
  BF.setAlignment(CacheLine);
  BF.setMaxAlignmentBytes(Hot ? CacheLine - 1
                              : std::min(mainSize(BF), MaxPadding));
}

static void forget(BinaryFunction &BF) {
  if (BF.hasCFG())
    for (BinaryBasicBlock &B : BF)
      B.setAlignment(1);
}

/// Steps 3 and 4 for all \p Hot functions of a program that executes \p Total
/// instructions.
static void alignBlocks(BinaryContext &BC, double Total,
                        const DenseSet<const BinaryFunction *> &Hot) {
  PaddingCosts Costs;
  Costs.Nop = NopCost;
  Costs.Byte = ByteShare * Total / InstructionsPerWindow;
  opts::AlignBlocks = true; // BOLT's emitter asks for it.
  std::mutex Printing;
  std::map<uint64_t, std::string> Printed;
  ParallelUtilities::runOnEachFunction(
      BC, ParallelUtilities::SchedulingPolicy::SP_BB_LINEAR,
      [&](BinaryFunction &BF) {
        FunctionPadding Padding(BF, Costs);
        if (!Padding.apply() || !PrintAlignment)
          return;
        std::string Text;
        raw_string_ostream OS(Text);
        Padding.print(OS);
        std::lock_guard<std::mutex> Lock(Printing);
        Printed[BF.getAddress()] = std::move(Text);
      },
      [&](const BinaryFunction &BF) { return !Hot.contains(&BF); },
      "graupel-align");
  for (const auto &[Address, Text] : Printed)
    BC.outs() << Text;
}

Error CodeAlignment::runOnFunctions(BinaryContext &BC) {
  if (isUsersChoice())
    return AlignerPass().runOnFunctions(BC);

  double Total = 0;
  for (const auto &[Address, BF] : BC.getBinaryFunctions())
    if (BF.hasValidProfile())
      Total += weight(BF);
  DenseSet<const BinaryFunction *> HotFunctions;
  for (BinaryFunction *BF : BC.getOutputBinaryFunctions()) {
    BF->setMaxColdAlignmentBytes(0);
    BF->setAlignment(BF->getMinAlignment());
    BF->setMaxAlignmentBytes(0);
    // A function that is not simple has no counts of its blocks and could not
    // be instrumented; it is taken for hot.
    const bool Runs =
        !BF->isSimple() || (BF->hasProfile() && BF->hasValidIndex());
    const bool Hot =
        Runs && (!BF->isSimple() || weight(*BF) >= HotShare * Total);
    if (Runs)
      alignFunction(*BF, Hot);
    if (Hot && BF->isSimple() && BF->hasCFG() && BF->hasValidProfile() &&
        AlignLoops)
      HotFunctions.insert(BF);
    else
      forget(*BF);
  }
  if (!HotFunctions.empty())
    alignBlocks(BC, Total, HotFunctions);
  return Error::success();
}

void graupel::registerAlignPasses(BoltPassRegistry &Registry) {
  Registry.add(PassStage::Start, "graupel-record-alignment",
               []() -> std::unique_ptr<BinaryFunctionPass> {
                 if (!layoutPlan().any() || isUsersChoice())
                   return nullptr;
                 return std::make_unique<RecordAlignment>();
               });
}
