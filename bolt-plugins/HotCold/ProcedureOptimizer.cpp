//===- HotCold/ProcedureOptimizer.cpp - One procedure's hot part ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Leave out procedures that are too rare, or with code that no hot version
//    can have (whyUnsupported, callsAgainstABI).
// 2. Draft one hot version for each set of hot blocks, let the optimizations of
//    drafts change it, and take the draft that saves most (chooseDraft).
// 3. Commit drafts in the order of what they save for each byte, as long as the
//    image may grow, each only if it is proved (carryOut).
// 4. Repeat this with the new code of a procedure (optimizeFurther).
//
//===----------------------------------------------------------------------===//

#include "ProcedureOptimizer.h"
#include "CallOrder.h"
#include "Copies/MissingSymbols.h"
#include "ForeignCalls.h"
#include "Frame.h"
#include "Growth.h"
#include "HotBlocks.h"
#include "HotCold/Machine/Parts.h"
#include "Support/FunctionEntry.h"
#include "SwitchTables.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "bolt/Core/ParallelUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

// As a fraction of all executed instructions. Cohn, Goodwin and Lowney 1997
// skip procedures below 0.1 %; today's big programs spend most time there.
constexpr double MinWeight = 0.00003;
// As a fraction of the procedure's instructions: less is not worth a copy.
constexpr double MinGain = 0.005;
constexpr unsigned MaxRounds = 3;
// As a fraction of a procedure's size, in percent; for small ones, in bytes.
constexpr uint64_t MaxGrowth = 120, AlwaysGrowth = 64;

/// Null if the callee of \p Call returns behind it, or ends the function if it
/// is a tail call.
const char *whyUnsupportedCall(const BinaryFunction &BF, const MCInst &Call,
                               const HotColdContext &Context) {
  BinaryContext &BC = const_cast<BinaryContext &>(BF.getBinaryContext());
  const MCSymbol *Target = BC.MIB->getTargetSymbol(Call);
  if (Target && BF.getBasicBlockForLabel(Target))
    return "a call of its own code";
  if (entersForeignPart(BF, Call))
    return "a jump into another procedure";
  const RegisterSummaries::Summary Callee = Context.Summaries.ofCall(Call);
  if (!Callee.KeepsStack)
    return "a callee that returns elsewhere";
  // A second version of the call returns to a second address.
  if (Callee.ReadsReturnAddress)
    return "a callee that reads its return address";
  if (BC.MIB->isTailCall(Call) && !findFunctionEntry(BC, Target).IsBeginning)
    return "a jump into another procedure";
  return nullptr;
}

/// Null if \p BF can have a hot version.
const char *whyUnsupported(const BinaryFunction &BF,
                           const HotColdContext &Context) {
  const BinaryContext &BC = BF.getBinaryContext();
  if (!BF.isSimple() || BF.hasUnknownControlFlow() || BF.isMultiEntry() ||
      BF.isFragment() || BF.hasIslandsInfo())
    return "its control flow";
  if (BF.front().pred_size())
    return "it loops to its entry";
  if (mayBePart(BF))
    return "it may be a cold part, or jump to one that is not known";
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
      if (Context.Registers.isRequest(Inst))
        return "a request to valgrind";
      if (Context.Registers.isAnsweredElsewhere(Inst))
        return "a request to a hypervisor, an enclave or a device";
      if (BC.MIB->isCall(Inst))
        if (const char *Reason = whyUnsupportedCall(BF, Inst, Context))
          return Reason;
    }
  }
  return nullptr;
}

BitVector findSwitches(const BinaryFunction &BF) {
  BitVector Result(BF.size());
  for (const BinaryBasicBlock &Block : BF)
    if (endsWithSwitch(Block))
      Result.set(Block.getIndex());
  return Result;
}

/// The subset of \p Switches that has to be cold.
BitVector findUncopyable(const BinaryFunction &BF, const BitVector &Switches,
                         const Liveness &Live, const HotColdContext &Context) {
  BitVector Result = Switches;
  for (const BinaryBasicBlock &Block : BF)
    if (Result.test(Block.getIndex()) &&
        canCopySwitch(Block, Context.Registers, Live))
      Result.reset(Block.getIndex());
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

/// Takes an emitter for its lifetime: making one takes as long as a draft.
class ProcedureOptimizer::OwnEmitter {
public:
  explicit OwnEmitter(ProcedureOptimizer &Optimizer) : Optimizer(Optimizer) {
    std::lock_guard Locked(Optimizer.Lock);
    if (Optimizer.Emitters.empty())
      Optimizer.Emitters.push_back(
          Optimizer.Context.BC.createIndependentMCCodeEmitter());
    Emitter = std::move(Optimizer.Emitters.back());
    Optimizer.Emitters.pop_back();
  }
  ~OwnEmitter() {
    std::lock_guard Locked(Optimizer.Lock);
    Optimizer.Emitters.push_back(std::move(Emitter));
  }
  const MCCodeEmitter &operator*() const { return *Emitter.MCE; }

private:
  ProcedureOptimizer &Optimizer;
  BinaryContext::IndependentCodeEmitter Emitter;
};

/// Analyses that all drafts of one procedure share.
struct ProcedureOptimizer::Analyses {
  std::shared_ptr<const Liveness> Live;
  StackDepth Depth;
  std::vector<FlowBlock> Flow;
  const OwnEmitter Emitter;
  std::vector<uint64_t> Sizes; ///< Sizes of the blocks, in bytes.

  Analyses(BinaryFunction &BF, const HotColdContext &Context,
           ProcedureOptimizer &Optimizer)
      : Live(std::make_shared<Liveness>(BF, Context.Registers,
                                        Context.Summaries)),
        Depth(BF, Context.Stack), Flow(describeFlow(BF)), Emitter(Optimizer) {
    for (const BinaryBasicBlock &Block : BF)
      Sizes.push_back(
          Context.BC.computeCodeSize(Block.begin(), Block.end(), &*Emitter));
  }
};

struct ProcedureOptimizer::Draft {
  std::unique_ptr<HotVersion> Hot;
  VersionCounts Counts;
  HotColdGain Gain = {};
  std::string Why = {};                ///< The frame is unchanged.
  std::vector<std::string> Notes = {}; ///< Impossible optimizations.
  double Saving = 0;
  int64_t Growth = 0; ///< In bytes.
};

struct ProcedureOptimizer::Plan {
  Procedure Proc;
  Result IfNone;
  std::unique_ptr<Draft> D;
  bool IsWorthIt = false;

  /// Instructions saved for each byte.
  double density() const { return D->Saving / std::max<int64_t>(D->Growth, 1); }
};

ProcedureOptimizer::~ProcedureOptimizer() = default;

std::vector<BitVector>
ProcedureOptimizer::candidates(BinaryFunction &BF, const Liveness &Live) const {
  const BitVector Switches = findSwitches(BF);
  const BitVector Excluded = findUncopyable(BF, Switches, Live, Context);
  if (!Limits.ignoreProfit()) {
    std::vector<BitVector> Result =
        candidateHotBlocks(BF, Limits.Threshold, Excluded);
    // Paths around a switch may need less than any path through it.
    if (Excluded != Switches)
      for (BitVector &Hot : candidateHotBlocks(BF, Limits.Threshold, Switches))
        if (!is_contained(Result, Hot))
          Result.push_back(std::move(Hot));
    return Result;
  }
  if (Excluded.test(BF.front().getIndex()))
    return {};
  return {reachableHotBlocks(BF, [&](const BinaryBasicBlock &Block) {
    return (Limits.Seed ? isHotByChance(Block, *Limits.Seed)
                        : Block.getKnownExecutionCount() <= Limits.Threshold) &&
           !Excluded.test(Block.getIndex());
  })};
}

bool ProcedureOptimizer::isTooLarge(Draft &D, const Analyses &Shared) {
  const HotVersion::Sizes Sizes = D.Hot->sizes(Shared.Sizes, *Shared.Emitter);
  D.Growth = int64_t(Sizes.total()) - int64_t(Sizes.Original);
  std::lock_guard Locked(Lock);
  const uint64_t Original =
      OriginalSizes.try_emplace(&D.Hot->function(), Sizes.Original)
          .first->second;
  return !Limits.ignoreProfit() &&
         Sizes.total() >
             Original + std::max(Original * MaxGrowth / 100, AlwaysGrowth);
}

std::unique_ptr<ProcedureOptimizer::Draft>
ProcedureOptimizer::makeDraft(BinaryFunction &BF, const BitVector &HotBlocks,
                              const Analyses &Shared, Result &IfNone) {
  std::vector<FlowBlock> Flow = Shared.Flow;
  for (unsigned I : HotBlocks.set_bits())
    Flow[I].Hot = true;
  std::optional<VersionCounts> Counts = predictFlow(Flow);
  if (!Counts && Limits.ignoreProfit())
    Counts = VersionCounts{std::vector<double>(BF.size()),
                           std::vector<double>(BF.size())};
  if (!Counts)
    return nullptr;
  auto D = std::make_unique<Draft>(
      std::make_unique<HotVersion>(BF, HotBlocks, Context, Shared.Live),
      *Counts);
  HotVersion &Hot = *D->Hot;
  if (!Hot.setDepths(Shared.Depth)) {
    IfNone = {HotColdCategory::SPModified, "its depth is not known"};
    return nullptr;
  }
  Hot.setCounts(Counts->Hot);
  propagateCopies(Hot);
  makeCopiesInStubs(Hot, D->Gain);
  sinkIntoStubs(Hot, D->Gain);
  const char *Why = removeFrame(Hot, D->Gain);
  if (Why) {
    D->Notes.push_back(std::string("frame not removed: ") + Why);
    Why = slimFrame(Hot, D->Gain);
  }
  if (Why) {
    D->Notes.push_back(std::string("no saves left out: ") + Why);
    D->Why = Why;
  }
  D->Saving = Hot.saving();
  return D;
}

/// The one that saves most.
std::unique_ptr<ProcedureOptimizer::Draft>
ProcedureOptimizer::chooseDraft(BinaryFunction &BF, Result &IfNone) {
  std::unique_ptr<Draft> Best;
  bool AllHot = false;
  const Analyses Shared(BF, Context, *this);
  if (callsAgainstABI(BF, Context, *Shared.Live)) {
    IfNone = {HotColdCategory::Unsupported,
              "a callee that seems to have a convention of its own"};
    return nullptr;
  }
  for (const BitVector &Hot : candidates(BF, *Shared.Live)) {
    AllHot |= Hot.all();
    std::unique_ptr<Draft> D = makeDraft(BF, Hot, Shared, IfNone);
    if (D && isTooLarge(*D, Shared))
      IfNone = {HotColdCategory::NoAdvantage, "it would grow too much"};
    else if (D && (!Best || D->Saving > Best->Saving))
      Best = std::move(D);
  }
  if (AllHot)
    IfNone = {HotColdCategory::NoSplit, ""};
  return Best;
}

ProcedureOptimizer::Plan ProcedureOptimizer::makePlan(const Procedure &P) {
  Plan Result{P, {HotColdCategory::Infrequent, ""}, nullptr, false};
  if (!Limits.ignoreProfit() &&
      (P.Weight < MinWeight * Limits.Total || P.Weight == 0))
    return Result;
  if (const char *Why = whyUnsupported(*P.BF, Context)) {
    Result.IfNone = {HotColdCategory::Unsupported, Why};
    return Result;
  }
  Result.IfNone = {HotColdCategory::Loop, ""};
  Result.D = chooseDraft(*P.BF, Result.IfNone);
  if (!Result.D)
    return Result;
  const Draft &D = *Result.D;
  Result.IsWorthIt = Limits.ignoreProfit()
                         ? D.Why.empty() || D.Gain.total() > 0
                         : D.Saving > std::max(MinGain * P.Weight,
                                               Limits.MinDensity * D.Growth);
  if (!Result.IsWorthIt && Result.IfNone.Category != HotColdCategory::NoSplit)
    Result.IfNone = {D.Why == StackPointerModified
                         ? HotColdCategory::SPModified
                         : HotColdCategory::NoAdvantage,
                     D.Why};
  return Result;
}

std::vector<ProcedureOptimizer::Plan>
ProcedureOptimizer::makePlans(ArrayRef<Procedure> Procedures) {
  std::vector<Plan> Plans(Procedures.size());
  DenseMap<const BinaryFunction *, unsigned> Numbers;
  for (unsigned I = 0; I < Procedures.size(); ++I)
    Numbers[Procedures[I].BF] = I;
  if (!Numbers.empty())
    ParallelUtilities::runOnEachFunction(
        Procedures.front().BF->getBinaryContext(),
        ParallelUtilities::SchedulingPolicy::SP_BB_LINEAR,
        [&](BinaryFunction &BF) {
          const unsigned Number = Numbers.lookup(&BF);
          Plans[Number] = makePlan(Procedures[Number]);
        },
        [&](const BinaryFunction &BF) { return !Numbers.contains(&BF); },
        "graupel-hot-cold");
  return Plans;
}

bool ProcedureOptimizer::mayChange(int64_t Growth) {
  if (NumCommitted >= Limits.MaxProcedures ||
      (!GrowthBudget::get().spend(Growth) && !Limits.ignoreProfit()))
    return false;
  ++NumCommitted;
  return true;
}

ProcedureOptimizer::Result ProcedureOptimizer::carryOut(Plan &P) {
  if (!P.D)
    return P.IfNone;
  HotVersion &Hot = *P.D->Hot;
  Recorder.draft(Hot, P.D->Gain, P.D->Notes);
  if (!P.IsWorthIt)
    return P.IfNone;
  if (!Check.accept(Hot))
    return {HotColdCategory::Unproved, ""};
  if (!mayChange(P.D->Growth))
    return {HotColdCategory::NoAdvantage, "the image would grow too much"};
  if (Limits.Print)
    Hot.print(Context.BC.outs());
  Hot.commit(P.D->Counts.Cold);
  Recorder.commit(Hot);
  return {HotColdCategory::Optimized, ""};
}

void ProcedureOptimizer::report(const Plan &P, const Result &R) const {
  if (!Limits.Print || R.Category == HotColdCategory::Optimized)
    return;
  Context.BC.outs() << P.Proc.BF->getPrintName() << ": " << describe(R.Category)
                    << (R.Reason.empty() ? "" : ": ") << R.Reason
                    << format(" (%.2f %% of the instructions)\n",
                              100 * P.Proc.Weight /
                                  std::max(Limits.Total, 1.0));
}

void ProcedureOptimizer::optimizeAll(ArrayRef<Procedure> Procedures) {
  std::vector<Plan> Plans = makePlans(Procedures);
  std::vector<Plan *> Order;
  for (Plan &P : Plans)
    Order.push_back(&P);
  stable_sort(Order, [](const Plan *A, const Plan *B) {
    return A->IsWorthIt && (!B->IsWorthIt || A->density() > B->density());
  });
  for (Plan *P : Order) {
    Recorder.begin(*P->Proc.BF, [&](const BinaryBasicBlock &Block) {
      return Block.getKnownExecutionCount() > Limits.Threshold;
    });
    if (Recorder.watches(*P->Proc.BF))
      *P = makePlan(P->Proc);
    const Result First = carryOut(*P);
    P->D.reset();
    if (First.Category == HotColdCategory::Optimized)
      optimizeFurther(P->Proc, MaxRounds - 1);
    Recorder.end(*P->Proc.BF, First.Category, First.Reason);
    report(*P, First);
  }
}

void ProcedureOptimizer::optimizeAgain(const Procedure &P) {
  optimizeFurther(P, MaxRounds);
}

void ProcedureOptimizer::optimizeFurther(const Procedure &P, unsigned Rounds) {
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    Plan Next = makePlan(P);
    if (!Next.IsWorthIt ||
        carryOut(Next).Category != HotColdCategory::Optimized)
      return;
  }
}
