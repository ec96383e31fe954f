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
//   6. Find memory that the loop accesses here and there within bounds
//      (StripAreas.cpp).
//   7. Loops around others are nests (StripNest.cpp) or cut for what they
//      access themselves (StripOuter.cpp).
//
// Nothing here needs an address not to wrap: the range of a strip is computed
// with the same arithmetic as the addresses in it.
//
//===----------------------------------------------------------------------===//

#include "StripPlan.h"
#include "Hints.h"
#include "StripMining.h"
#include "StripPlanner.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace graupel::fgdsm;

static bool allLanes(const Value *Mask) {
  auto *C = dyn_cast<Constant>(Mask);
  return C && C->isAllOnesValue();
}

std::optional<StripAccess> graupel::fgdsm::simpleAccess(Instruction &I) {
  const DataLayout &DL = I.getDataLayout();
  Type *Ty = nullptr;
  StripAccess A;
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

//===----------------------------------------------------------------------===//
// 1. Which loops
//===----------------------------------------------------------------------===//

bool StripPlanner::canCompute(const SCEV *S, const Loop &L) const {
  SCEVExpander Expander(SE, "strip", /*PreserveLCSSA=*/false);
  return Expander.isSafeToExpandAt(S, L.getLoopPreheader()->getTerminator());
}

std::string StripPlanner::refuse(Loop &L, LoopPlan &Plan) const {
  if (!L.getLoopPreheader() || !L.getLoopLatch() || !L.hasDedicatedExits() ||
      isa<IndirectBrInst>(L.getLoopPreheader()->getTerminator()))
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

bool graupel::fgdsm::mayCopy(const Loop &L) {
  return L.isSafeToClone() && none_of(L.blocks(), [](const BasicBlock *BB) {
           return BB->hasAddressTaken();
         });
}

//===----------------------------------------------------------------------===//
// 2. Accesses as affine functions of the iteration
//===----------------------------------------------------------------------===//

void StripPlanner::collect(Loop &L, SmallVectorImpl<Footprint> &Out,
                           std::string &Gap) {
  for (BasicBlock *BB : L.blocks()) {
    if (LI.getLoopFor(BB) != &L)
      continue;
    bool Always = DT.dominates(BB, L.getLoopLatch());
    for (Instruction &I : *BB) {
      if (!I.mayReadOrWriteMemory() || !Ask.NeedsCheck(I))
        continue;
      std::optional<StripAccess> A = simpleAccess(I);
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

std::optional<int64_t> StripPlanner::distance(const SCEV *A,
                                              const SCEV *B) const {
  auto *D = dyn_cast<SCEVConstant>(SE.getMinusSCEV(B, A));
  if (!D || D->getAPInt().getSignificantBits() > 32)
    return std::nullopt;
  return D->getAPInt().getSExtValue();
}

const SCEV *StripPlanner::constant(int64_t N) const {
  return SE.getConstant(APInt(64, N, /*isSigned=*/true));
}

void graupel::fgdsm::mergeDense(
    ArrayRef<std::pair<int64_t, Footprint *>> Sorted, bool Store,
    SmallVectorImpl<Footprint> &Out) {
  int64_t Low = 0, High = 0;
  bool Open = false;
  for (auto &[Offset, Print] : Sorted) {
    if (Print->Store != Store || !Print->Always)
      continue;
    int64_t End = Offset + static_cast<int64_t>(Print->Extent);
    // A block may fit into MaxGap bytes.
    if (!Open || Offset - High >= static_cast<int64_t>(MaxGap) ||
        End - Low > static_cast<int64_t>(MaxRange)) {
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

/// Hands over the prints that keep constant distances, in order of addresses.
void StripPlanner::forEachGroup(
    SmallVectorImpl<Footprint> &Prints,
    function_ref<void(ArrayRef<std::pair<int64_t, Footprint *>>)> Each) {
  SmallVector<bool, 32> Done(Prints.size(), false);
  for (size_t I = 0; I != Prints.size(); ++I) {
    if (Done[I])
      continue;
    SmallVector<std::pair<int64_t, Footprint *>, 16> Group;
    for (size_t J = I; J != Prints.size(); ++J)
      if (!Done[J] && Prints[I].Step == Prints[J].Step)
        if (auto D = distance(Prints[I].First, Prints[J].First)) {
          Group.push_back({*D, &Prints[J]});
          Done[J] = true;
        }
    llvm::sort(Group);
    Each(Group);
  }
}

void StripPlanner::cluster(SmallVectorImpl<Footprint> &Prints, LoopPlan &Plan,
                           std::string &Gap) {
  forEachGroup(Prints, [&](ArrayRef<std::pair<int64_t, Footprint *>> Group) {
    SmallVector<Footprint, 4> Stores, Loads;
    mergeDense(Group, true, Stores);
    mergeDense(Group, false, Loads);
    auto Inside = [&](const Footprint &A, const Footprint &B) {
      int64_t D = *distance(B.First, A.First);
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
        Plan.Streams.push_back({F.First, constant(F.Step), constant(F.Extent),
                                F.Store, std::move(F.Accesses)});
  });
}

//===----------------------------------------------------------------------===//
// 5. Lengths
//===----------------------------------------------------------------------===//

/// Trips that are assumed of a loop within a loop: as recorded, or else a
/// guess.
static uint64_t usualTrips(const Loop &L) {
  constexpr uint64_t Guess = 16, Most = 1 << 16;
  const Hints &Known = Hints::get(L.getHeader()->getContext());
  const uint64_t Trips = Known.trips(L.getStartLoc());
  return Trips ? std::min(Trips, Most) : Guess;
}

uint64_t StripPlanner::cost(const Loop &L) const {
  uint64_t Cost = 0;
  for (BasicBlock *BB : L.blocks()) {
    uint64_t Times = 1;
    for (Loop *C = LI.getLoopFor(BB); C != &L; C = C->getParentLoop()) {
      auto *Last = dyn_cast<SCEVConstant>(SE.getBackedgeTakenCount(C));
      Times *= Last && Last->getAPInt().getActiveBits() < 16
                   ? Last->getAPInt().getZExtValue() + 1
                   : usualTrips(*C);
    }
    for (Instruction &I : *BB)
      if (!isa<PHINode, GetElementPtrInst, CastInst>(I) &&
          !I.isDebugOrPseudoInst())
        Cost += Times;
  }
  return std::max<uint64_t>(Cost, 1);
}

static int64_t value(const SCEV *Constant) {
  return cast<SCEVConstant>(Constant)->getAPInt().getSExtValue();
}

/// Streams are of constant sizes here.
void StripPlanner::chooseLength(LoopPlan &Plan, const std::string &Gap) {
  llvm::erase_if(Plan.Streams, [](const Stream &S) {
    return static_cast<uint64_t>(value(S.Extent)) > MaxRange;
  });
  if (Plan.Streams.size() > MaxStreams)
    Plan.Streams.truncate(MaxStreams);
  // A loop over private memory alone is cut for its polls.
  bool Private = none_of(Plan.L->blocks(), [&](BasicBlock *BB) {
    return any_of(*BB, [&](Instruction &I) {
      return I.mayReadOrWriteMemory() && Ask.NeedsCheck(I);
    });
  });
  if (none_of(Plan.Streams, [](const Stream &S) { return value(S.Step); }) &&
      Plan.L->isInnermost() && !Private) {
    Plan.Streams.clear();
    Plan.Refusal =
        Gap.empty() ? "no address is an affine function of the iteration" : Gap;
    return;
  }

  uint64_t Fits = 1 << 13;
  for (const Stream &S : Plan.Streams)
    if (uint64_t Step = magnitude(value(S.Step)))
      Fits = std::min(Fits, (MaxRange - value(S.Extent)) / Step + 1);
  uint64_t Cost = cost(*Plan.L);
  // Several microseconds without a poll are nothing that a loop of its own is
  // made for.
  auto *Max =
      dyn_cast<SCEVConstant>(SE.getConstantMaxBackedgeTakenCount(Plan.L));
  if (Max && Max->getAPInt().ult(std::min(Fits, 4 * StripBudget / Cost)))
    return;
  uint64_t Length = std::min(Fits, std::max<uint64_t>(StripBudget / Cost, 1));
  if (Length < MinStrip && Cost * Length < StripBudget / 2) {
    Plan.Streams.clear();
    Plan.Refusal = formatv("a strip would have {0} iterations only", Length);
    return;
  }
  Plan.StripLength = Length;
}

//===----------------------------------------------------------------------===//
// All loops
//===----------------------------------------------------------------------===//

LoopPlan StripPlanner::planInnermost(Loop &L) {
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
  DenseSet<const Instruction *> Covered;
  for (const Stream &S : Plan.Streams)
    Covered.insert_range(S.Covers);
  Plan.OwnChecks = any_of(L.blocks(), [&](BasicBlock *BB) {
    return any_of(*BB, [&](Instruction &I) {
      return I.mayReadOrWriteMemory() && Ask.NeedsCheck(I) &&
             !Covered.contains(&I);
    });
  });
  findAreas(Plan);
  return Plan;
}

/// Whether strips make L cheaper. A loop without memory that might run for long
/// would poll in each iteration.
bool StripPlanner::hasWork(Loop &L) const {
  bool Accesses = any_of(L.blocks(), [&](BasicBlock *BB) {
    return any_of(*BB, [&](Instruction &I) {
      // Private ones too: the loop polls less often in strips.
      return I.mayReadOrWriteMemory() && simpleAccess(I);
    });
  });
  if (Accesses || !L.isInnermost())
    return Accesses || any_of(L, [&](Loop *Inner) { return hasWork(*Inner); });
  const unsigned Most = SE.getSmallConstantMaxTripCount(&L);
  return Most == 0 || SaturatingMultiply<uint64_t>(Most, cost(L)) > StripBudget;
}

/// Loops within loops are often so short that they are one strip. Cutting such
/// a loop would be most of its cost; so the program compares the iterations
/// once, and has a copy for more than a strip of them. So do loops that would
/// be cut for their polls alone.
void StripPlanner::expectOneStrip(LoopPlan &Plan) const {
  unsigned Instructions = 0;
  for (const BasicBlock *BB : Plan.L->blocks())
    Instructions += BB->size();
  if (!Plan.Refusal.empty() || Plan.StripLength == 0 || !Plan.Areas.empty() ||
      !Plan.L->getParentLoop() || Instructions > MaxCopied ||
      (!Plan.OwnChecks && !Plan.Streams.empty()) || Plan.Streams.size() > 3 ||
      SE.getTypeSizeInBits(Plan.Last->getType()) < 32 || !mayCopy(*Plan.L))
    return;
  // A quotient is no larger if what is divided is smaller than the next multiple.
  const SCEV *Last = Plan.Last;
  uint64_t Most = Plan.StripLength - 1;
  if (auto *Quotient = dyn_cast<SCEVUDivExpr>(Last))
    if (auto *By = dyn_cast<SCEVConstant>(Quotient->getRHS());
        By && By->getAPInt().isStrictlyPositive() && By->getAPInt().ule(4096)) {
      Last = Quotient->getLHS();
      Most = Most * By->getAPInt().getZExtValue() +
             (By->getAPInt().getZExtValue() - 1);
    }
  Plan.Conditions.emplace_back(Last, SE.getConstant(Last->getType(), Most));
  Plan.StripLength = 0;
}

void StripPlanner::plan(Loop &L, bool Nests, SmallVectorImpl<LoopPlan> &Plans) {
  if (findStringMetadataForLoop(&L, StripLoopMetadataName) || !hasWork(L))
    return;
  if (L.isInnermost()) {
    Plans.push_back(planInnermost(L));
    if (Nests)
      expectOneStrip(Plans.back());
    return;
  }
  if (Nests)
    if (std::optional<LoopPlan> Nest = planNest(L)) {
      Plans.push_back(std::move(*Nest));
      return;
    }
  for (Loop *Inner : reverse(L))
    plan(*Inner, Nests, Plans);
  if (std::optional<LoopPlan> Outer = planOuter(L))
    Plans.push_back(std::move(*Outer));
}

SmallVector<LoopPlan, 8>
graupel::fgdsm::planStrips(LoopInfo &LI, ScalarEvolution &SE, DominatorTree &DT,
                           const StripQueries &Ask, Loop *Within) {
  SmallVector<LoopPlan, 8> Plans;
  StripPlanner P(LI, SE, DT, Ask);
  if (Within)
    P.plan(*Within, false, Plans);
  else
    for (Loop *L : reverse(LI))
      P.plan(*L, true, Plans);
  return Plans;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static StringRef loopName(const Loop &L) {
  return L.getHeader()->hasName() ? L.getHeader()->getName() : "(unnamed)";
}

static void print(const LoopPlan &Plan, raw_ostream &OS) {
  OS << "  loop '" << loopName(*Plan.L) << "': ";
  if (!Plan.Refusal.empty()) {
    OS << "left alone: " << Plan.Refusal << "\n";
    return;
  }
  if (Plan.StripLength)
    OS << (Plan.Measured ? "at most " : "") << Plan.StripLength
       << " iterations a strip\n";
  else
    OS << "one strip\n";
  for (auto &[Small, Large] : Plan.Conditions)
    OS << "    if " << *Small << " <= " << *Large << "\n";
  for (const Stream &S : Plan.Streams)
    OS << "    " << (S.Store ? "store " : "load ") << *S.First << " step "
       << *S.Step << " bytes " << *S.Extent << " for " << S.Covers.size()
       << (S.Covers.size() == 1 ? " access\n" : " accesses\n");
  for (const Area &A : Plan.Areas) {
    OS << "    if valid, " << (A.Store ? "store " : "load ") << *A.First
       << " bytes " << *A.Extent << " for " << A.Covers.size()
       << (A.Covers.size() == 1 ? " access" : " accesses");
    if (A.Small)
      OS << ", if " << *A.Small << " <= " << *A.Large;
    OS << "\n";
  }
}

PreservedAnalyses StripPlanPrinterPass::run(Module &M,
                                            ModuleAnalysisManager &MAM) {
  StripFacts Facts(M, MAM);
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    OS << "Strips of function '" << F.getName() << "':\n";
    for (const LoopPlan &Plan :
         planStrips(FAM.getResult<LoopAnalysis>(F),
                    FAM.getResult<ScalarEvolutionAnalysis>(F),
                    FAM.getResult<DominatorTreeAnalysis>(F), Facts.of(F)))
      print(Plan, OS);
  }
  return PreservedAnalyses::all();
}
