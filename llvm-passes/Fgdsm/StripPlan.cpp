//===- StripPlan.cpp - Which loops are cut into strips --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Ask of each innermost loop whether it can be cut: it must leave from its
//      latch alone, after a number of iterations known beforehand, and call
//      nothing that lets the protocol work.
//   2. Describe each of its accesses as (first address, step, bytes).
//   3. Merge accesses that keep constant distances into streams without gaps,
//      loads and stores apart: a range must not demand a block that the loop
//      does not touch, nor demand to store where it only loads.
//   4. Give what is executed now and then, and so demands nothing by itself, to
//      the streams it lies in.
//   5. Choose the length of a strip.
//
// Nothing here needs an address not to wrap: the range of a strip is computed
// with the same arithmetic as the addresses in it.
//
//===----------------------------------------------------------------------===//

#include "StripPlan.h"
#include "StripMining.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace graupel::fgdsm;

namespace {

/// A range of so many bytes lies in two pages and is checked inline.
constexpr uint64_t MaxRange = 4096;
/// Bytes that may lie between two accesses of a stream. No smaller block
/// exists.
constexpr uint64_t MaxGap = 32;
/// Instructions of a strip: about a microsecond.
constexpr uint64_t StripBudget = 6000;
/// Shorter strips are not worth their checks.
constexpr uint64_t MinStrip = 4;
/// The streams of a loop; each may hold two registers across it.
constexpr unsigned MaxStreams = 16;

/// An access, or several that became one, relative to a loop: in iteration i it
/// touches the Extent bytes from First + i * Step on.
struct Footprint {
  const SCEV *First;
  int64_t Step;
  uint64_t Extent;
  bool Store;
  /// Executed in each iteration.
  bool Always;
  SmallVector<Instruction *, 4> Accesses;
};

class Planner {
public:
  Planner(LoopInfo &LI, ScalarEvolution &SE, DominatorTree &DT,
          const StripQueries &Ask)
      : LI(LI), SE(SE), DT(DT), Ask(Ask) {}

  SmallVector<LoopPlan, 8> run();

private:
  LoopPlan planInnermost(Loop &L);
  std::string refuse(Loop &L, LoopPlan &Plan) const;
  void collect(Loop &L, SmallVectorImpl<Footprint> &Out, std::string &Gap);
  void cluster(SmallVectorImpl<Footprint> &Prints, LoopPlan &Plan,
               std::string &Gap);
  void chooseLength(LoopPlan &Plan, const std::string &Gap);
  /// Can S be computed before L?
  bool canCompute(const SCEV *S, const Loop &L) const;
  /// How many bytes B lies behind A, if that is constant.
  std::optional<int64_t> distance(const Footprint &A, const Footprint &B) const;

  LoopInfo &LI;
  ScalarEvolution &SE;
  DominatorTree &DT;
  const StripQueries &Ask;
};

} // namespace

/// The address, size and mask of an access that a stream may cover.
struct Access {
  Value *Pointer = nullptr;
  uint64_t Bytes = 0;
  bool Store = false;
  bool Masked = false;
};

static bool allLanes(const Value *Mask) {
  auto *C = dyn_cast<Constant>(Mask);
  return C && C->isAllOnesValue();
}

static std::optional<Access> simpleAccess(Instruction &I) {
  const DataLayout &DL = I.getDataLayout();
  Type *Ty = nullptr;
  Access A;
  if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isSimple()) {
    A.Pointer = Load->getPointerOperand();
    Ty = Load->getType();
  } else if (auto *Store = dyn_cast<StoreInst>(&I);
             Store && Store->isSimple()) {
    A.Pointer = Store->getPointerOperand();
    Ty = Store->getValueOperand()->getType();
    A.Store = true;
  } else if (auto *Call = dyn_cast<IntrinsicInst>(&I)) {
    if (Call->getIntrinsicID() == Intrinsic::masked_load) {
      A.Pointer = Call->getArgOperand(0);
      Ty = Call->getType();
      A.Masked = !allLanes(Call->getArgOperand(1));
    } else if (Call->getIntrinsicID() == Intrinsic::masked_store) {
      A.Pointer = Call->getArgOperand(1);
      Ty = Call->getArgOperand(0)->getType();
      A.Masked = !allLanes(Call->getArgOperand(2));
      A.Store = true;
    }
  }
  if (!Ty || A.Pointer->getType()->getPointerAddressSpace() != 0)
    return std::nullopt;
  TypeSize Size = DL.getTypeStoreSize(Ty);
  if (Size.isScalable() || Size.isZero())
    return std::nullopt;
  A.Bytes = Size.getFixedValue();
  return A;
}

/// Roughly the instructions of one iteration.
static uint64_t bodyCost(const Loop &L) {
  uint64_t Cost = 0;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      Cost += !isa<PHINode, GetElementPtrInst, CastInst>(I) &&
              !I.isDebugOrPseudoInst();
  return std::max<uint64_t>(Cost, 1);
}

static uint64_t magnitude(int64_t Step) {
  return Step < 0 ? -static_cast<uint64_t>(Step) : Step;
}

//===----------------------------------------------------------------------===//
// 1. Which loops
//===----------------------------------------------------------------------===//

bool Planner::canCompute(const SCEV *S, const Loop &L) const {
  SCEVExpander Expander(SE, "strip", /*PreserveLCSSA=*/false);
  return Expander.isSafeToExpandAt(S, L.getLoopPreheader()->getTerminator());
}

std::string Planner::refuse(Loop &L, LoopPlan &Plan) const {
  if (!L.getLoopPreheader() || !L.getLoopLatch() || !L.hasDedicatedExits())
    return "not in simplified form";
  BasicBlock *Exiting = L.getExitingBlock();
  if (!Exiting || Exiting != L.getLoopLatch())
    return "it is not left from its end alone";
  if (!isa<BranchInst>(Exiting->getTerminator()))
    return "it does not end with a branch";
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (Ask.MayHandshake(I)) {
        auto *Call = dyn_cast<CallBase>(&I);
        Function *Callee = Call ? Call->getCalledFunction() : nullptr;
        return Callee
                   ? formatv("call of '{0}' may poll", Callee->getName()).str()
                   : std::string("a call may poll");
      }
  Plan.Last = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Plan.Last))
    return "trip count not computable";
  if (SE.getTypeSizeInBits(Plan.Last->getType()) > 64)
    return "trip count wider than 64 bits";
  if (!canCompute(Plan.Last, L))
    return "trip count costs too much to compute";
  return "";
}

//===----------------------------------------------------------------------===//
// 2. Accesses as affine functions of the iteration
//===----------------------------------------------------------------------===//

void Planner::collect(Loop &L, SmallVectorImpl<Footprint> &Out,
                      std::string &Gap) {
  for (BasicBlock *BB : L.blocks()) {
    bool Always = DT.dominates(BB, L.getLoopLatch());
    for (Instruction &I : *BB) {
      if (!I.mayReadOrWriteMemory() || !Ask.NeedsCheck(I))
        continue;
      std::optional<Access> A = simpleAccess(I);
      if (!A)
        continue;
      const SCEV *Address = SE.getSCEVAtScope(A->Pointer, &L);
      const SCEV *First = Address;
      int64_t Step = 0;
      if (auto *Rec = dyn_cast<SCEVAddRecExpr>(Address);
          Rec && Rec->getLoop() == &L) {
        auto *By = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
        if (!Rec->isAffine() || !By ||
            By->getAPInt().getSignificantBits() > 32) {
          if (Gap.empty())
            Gap = "stride not known";
          continue;
        }
        First = Rec->getStart();
        Step = By->getAPInt().getSExtValue();
      }
      if (!SE.isLoopInvariant(First, &L) || !canCompute(First, L))
        continue;
      Out.push_back(
          {First, Step, A->Bytes, A->Store, Always && !A->Masked, {&I}});
    }
  }
}

//===----------------------------------------------------------------------===//
// 3., 4. Streams
//===----------------------------------------------------------------------===//

std::optional<int64_t> Planner::distance(const Footprint &A,
                                         const Footprint &B) const {
  if (A.Step != B.Step)
    return std::nullopt;
  auto *D = dyn_cast<SCEVConstant>(SE.getMinusSCEV(B.First, A.First));
  if (!D || D->getAPInt().getSignificantBits() > 32)
    return std::nullopt;
  return D->getAPInt().getSExtValue();
}

/// Merges Prints[I] of one kind into runs without gaps.
static void mergeDense(ArrayRef<std::pair<int64_t, Footprint *>> Sorted,
                       bool Store, SmallVectorImpl<Footprint> &Out) {
  int64_t Low = 0, High = 0;
  bool Open = false;
  for (auto &[Offset, Print] : Sorted) {
    if (Print->Store != Store || !Print->Always)
      continue;
    int64_t End = Offset + static_cast<int64_t>(Print->Extent);
    if (!Open || Offset - High > static_cast<int64_t>(MaxGap)) {
      Out.push_back(
          {Print->First, Print->Step, Print->Extent, Store, true, {}});
      Low = Offset;
      High = End;
      Open = true;
    }
    High = std::max(High, End);
    Out.back().Extent = High - Low;
    Out.back().Accesses.append(Print->Accesses);
  }
}

void Planner::cluster(SmallVectorImpl<Footprint> &Prints, LoopPlan &Plan,
                      std::string &Gap) {
  SmallVector<bool, 32> Done(Prints.size(), false);
  for (size_t I = 0; I != Prints.size(); ++I) {
    if (Done[I])
      continue;
    // All that keeps its distance to Prints[I], in order of addresses.
    SmallVector<std::pair<int64_t, Footprint *>, 16> Group;
    for (size_t J = I; J != Prints.size(); ++J)
      if (!Done[J])
        if (auto D = distance(Prints[I], Prints[J])) {
          Group.push_back({*D, &Prints[J]});
          Done[J] = true;
        }
    llvm::sort(Group);

    SmallVector<Footprint, 4> Stores, Loads;
    mergeDense(Group, true, Stores);
    mergeDense(Group, false, Loads);
    auto Inside = [&](const Footprint &A, const Footprint &B) {
      int64_t D = *distance(B, A);
      return D >= 0 && D + A.Extent <= B.Extent;
    };
    auto Give = [&](Footprint &From, MutableArrayRef<Footprint> To) {
      for (Footprint &T : To)
        if (Inside(From, T)) {
          T.Accesses.append(From.Accesses);
          return true;
        }
      return false;
    };
    auto IsSparse = [&](const Footprint &F) {
      uint64_t Distance = magnitude(F.Step);
      if (!Distance || Distance <= F.Extent + MaxGap)
        return false;
      if (Gap.empty())
        Gap = formatv("stride of {0} bytes leaves gaps", F.Step).str();
      return true;
    };
    llvm::erase_if(Stores, IsSparse);
    llvm::erase_if(Loads, [&](Footprint &L) { return Give(L, Stores); });
    llvm::erase_if(Loads, IsSparse);
    for (auto &[Offset, Print] : Group)
      if (!Print->Always && !Give(*Print, Stores) && !Print->Store)
        Give(*Print, Loads);
    for (auto *Kind : {&Stores, &Loads})
      for (Footprint &F : *Kind)
        Plan.Streams.push_back(
            {F.First, F.Step, F.Extent, F.Store, std::move(F.Accesses)});
  }
}

//===----------------------------------------------------------------------===//
// 5. Lengths
//===----------------------------------------------------------------------===//

void Planner::chooseLength(LoopPlan &Plan, const std::string &Gap) {
  llvm::erase_if(Plan.Streams,
                 [](const Stream &S) { return S.Extent > MaxRange; });
  if (Plan.Streams.size() > MaxStreams)
    Plan.Streams.truncate(MaxStreams);
  if (none_of(Plan.Streams, [](const Stream &S) { return S.Step != 0; })) {
    Plan.Streams.clear();
    Plan.Refusal =
        Gap.empty() ? "no address is an affine function of the iteration" : Gap;
    return;
  }

  uint64_t Cost = bodyCost(*Plan.L);
  uint64_t Length = std::max<uint64_t>(StripBudget / Cost, 1);
  for (const Stream &S : Plan.Streams)
    if (S.Step)
      Length = std::min(Length, (MaxRange - S.Extent) / magnitude(S.Step) + 1);

  auto *Max =
      dyn_cast<SCEVConstant>(SE.getConstantMaxBackedgeTakenCount(Plan.L));
  if (Max && Max->getAPInt().ult(Length)) {
    Plan.Short = true;
    return;
  }
  if (Length < MinStrip) {
    Plan.Streams.clear();
    Plan.Refusal = formatv("a strip would have {0} iterations only", Length);
    return;
  }
  Plan.StripLength = Length;
}

LoopPlan Planner::planInnermost(Loop &L) {
  LoopPlan Plan;
  Plan.L = &L;
  std::string Gap;
  SmallVector<Footprint, 16> Prints;
  Plan.Refusal = refuse(L, Plan);
  if (!Plan.Refusal.empty())
    return Plan;
  collect(L, Prints, Gap);
  cluster(Prints, Plan, Gap);
  chooseLength(Plan, Gap);
  return Plan;
}

SmallVector<LoopPlan, 8> Planner::run() {
  SmallVector<LoopPlan, 8> Plans;
  auto Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops)) {
    if (!L->isInnermost() ||
        findStringMetadataForLoop(L, StripLoopMetadataName))
      continue;
    bool Checked = any_of(L->blocks(), [&](BasicBlock *BB) {
      return any_of(*BB, [&](Instruction &I) {
        return I.mayReadOrWriteMemory() && simpleAccess(I) && Ask.NeedsCheck(I);
      });
    });
    if (Checked)
      Plans.push_back(planInnermost(*L));
  }
  return Plans;
}

SmallVector<LoopPlan, 8> graupel::fgdsm::planStrips(LoopInfo &LI,
                                                    ScalarEvolution &SE,
                                                    DominatorTree &DT,
                                                    const StripQueries &Ask) {
  return Planner(LI, SE, DT, Ask).run();
}

StripFacts::StripFacts(Function &, FunctionAnalysisManager &)
    : Needs([this](const Instruction &I) { return needsCheck(I); }),
      Handshakes([this](const Instruction &I) { return mayHandshake(I); }) {}

bool StripFacts::needsCheck(const Instruction &I) const {
  const Value *P = getLoadStorePointerOperand(&I);
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    if (Call->getIntrinsicID() == Intrinsic::masked_load ||
        Call->getIntrinsicID() == Intrinsic::masked_store)
      P = Call->getArgOperand(Call->getIntrinsicID() ==
                              Intrinsic::masked_store);
  if (!P)
    return false;
  const Value *Object = getUnderlyingObject(P, 0);
  return !isa<AllocaInst, GlobalVariable>(Object);
}

bool StripFacts::mayHandshake(const Instruction &I) const {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || Call->doesNotAccessMemory())
    return false;
  if (isa<AnyMemIntrinsic>(Call))
    return true;
  return !isa<IntrinsicInst>(Call);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static StringRef loopName(const Loop &L) {
  return L.getHeader()->hasName() ? L.getHeader()->getName() : "(unnamed)";
}

PreservedAnalyses StripPlanPrinterPass::run(Function &F,
                                            FunctionAnalysisManager &FAM) {
  StripFacts Facts(F, FAM);
  OS << "Strips of function '" << F.getName() << "':\n";
  for (const LoopPlan &Plan :
       planStrips(FAM.getResult<LoopAnalysis>(F),
                  FAM.getResult<ScalarEvolutionAnalysis>(F),
                  FAM.getResult<DominatorTreeAnalysis>(F), Facts.queries())) {
    OS << "  loop '" << loopName(*Plan.L) << "': ";
    if (!Plan.Refusal.empty()) {
      OS << "left alone: " << Plan.Refusal << "\n";
      continue;
    }
    if (Plan.StripLength)
      OS << Plan.StripLength << " iterations a strip\n";
    else
      OS << "one strip\n";
    for (const Stream &S : Plan.Streams)
      OS << "    " << (S.Store ? "store " : "load ") << *S.First << " step "
         << S.Step << " bytes " << S.Extent << " for " << S.Covers.size()
         << (S.Covers.size() == 1 ? " access\n" : " accesses\n");
  }
  return PreservedAnalyses::all();
}
