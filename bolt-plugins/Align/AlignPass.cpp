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
// 4. The function is emitted again with this padding. Padding makes jumps
//    longer, so blocks may lie elsewhere than planned: the plan is made again
//    with the sizes that came of it, a few times. The padding with the best
//    score, from the addresses that it really led to, stays; none, if that is
//    the best.
//
// The design is in docs/design/alignment.md.
//
//===----------------------------------------------------------------------===//

#include "AlignPass.h"
#include "BlockPlace.h"
#include "FetchCost.h"
#include "Options/BoltOptions.h"
#include "Options/LayoutPlan.h"
#include "PaddingPlan.h"
#include "bolt/Core/ParallelUtilities.h"
#include "bolt/Passes/Aligner.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Support/Debug.h"
#include <map>
#include <mutex>
#include <tuple>

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
/// Maximum number of rounds that plan the padding of a function.
static constexpr unsigned Rounds = 4;

/// Whether the user gave options for alignment, which BOLT applies.
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
      : BF(BF), BC(BF.getBinaryContext()), Costs(Costs),
        Emitter(BC.createIndependentMCCodeEmitter()) {
    for (BinaryBasicBlock *B : BF.getLayout().getMainFragment())
      Blocks.push_back(B);
  }

  /// True if \p BF is better for it.
  bool apply() {
    takeRecords();
    std::vector<PlacedBlock> Placed = place();
    ScoreBefore = ScoreAfter = score(Placed);
    Paddings Best(Blocks.size()), Last;
    for (unsigned Round = 0; Round < Rounds; ++Round) {
      const Paddings Next = plan(Placed);
      if (Next == Last || Next == Paddings(Blocks.size()))
        break;
      set(Next);
      Last = Next;
      Placed = place();
      if (const double Score = score(Placed); Score < ScoreAfter) {
        ScoreAfter = Score;
        Best = Next;
      }
    }
    set(Best);
    if (ScoreAfter < ScoreBefore) {
      count();
      return true;
    }
    NumRejected += !Last.empty();
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
  struct Padding {
    uint16_t Alignment = 1, MaxBytes = 0;

    bool operator==(const Padding &Other) const {
      return std::tie(Alignment, MaxBytes) ==
             std::tie(Other.Alignment, Other.MaxBytes);
    }
  };
  using Paddings = std::vector<Padding>; ///< One for each block.

  BinaryFunction &BF;
  const BinaryContext &BC;
  const PaddingCosts &Costs;
  const BinaryContext::IndependentCodeEmitter Emitter;
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

  /// Emits the function to see where its blocks are.
  std::vector<PlacedBlock> place() {
    const_cast<BinaryContext &>(BC).calculateEmittedSize(BF, false);
    std::vector<PlacedBlock> Placed;
    const BinaryBasicBlock *Previous = nullptr;
    for (size_t I = 0; I < Blocks.size(); ++I) {
      const BinaryBasicBlock &B = *Blocks[I];
      const uint64_t Begin = B.getOutputAddressRange().first;
      const uint64_t End = codeEnd(
          B, I + 1 < Blocks.size() ? Blocks[I + 1] : nullptr, *Emitter.MCE);
      PlacedBlock P =
          placeBlock(B, Begin, End, Previous, Previous ? Placed.back().End : 0);
      P.JumpSize = jumpSize(B, End - Begin, *Emitter.MCE);
      Placed.push_back(P);
      Previous = &B;
    }
    return Placed;
  }

  std::vector<PaddingBlock> describe(ArrayRef<PlacedBlock> Placed) const {
    std::vector<PaddingBlock> Result;
    for (const auto &[P, Was] : zip_equal(Placed, WasAligned))
      Result.push_back({P.End - P.Begin, P.Count, P.FallIn, P.JumpSize, Was});
    return Result;
  }

  /// The best paddings if blocks keep the sizes that they have in \p Placed.
  Paddings plan(ArrayRef<PlacedBlock> Placed) const {
    Paddings Result;
    uint64_t End = 0;
    for (const auto &[P, Alignment] :
         zip_equal(Placed, planPadding(describe(Placed), Costs))) {
      const uint64_t Start = alignTo(End, Alignment);
      const uint64_t Limit =
          std::min<uint64_t>(Start - End + Slack, Alignment - 1);
      Result.push_back({Alignment, static_cast<uint16_t>(Limit)});
      End = Start + (P.End - P.Begin);
    }
    return Result;
  }

  void set(const Paddings &NewPaddings) {
    for (const auto &[B, P] : zip_equal(Blocks, NewPaddings)) {
      B->setAlignment(P.Alignment);
      B->setAlignmentMaxBytes(P.MaxBytes);
    }
  }

  double score(ArrayRef<PlacedBlock> Placed) const {
    double Sum = 0;
    for (const auto &[P, Was] : zip_equal(Placed, WasAligned))
      Sum += placedCost(P, Was, Costs);
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
