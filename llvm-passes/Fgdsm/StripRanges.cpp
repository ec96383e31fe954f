//===- StripRanges.cpp - The ranges that a strip relies on ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Step 3 of StripMining.cpp: where each stream begins in a strip, and how far
// it goes.
//
// 1. chooseOrigins, before the loop is changed: choose an address for each
//    moving stream that the loop computes anyway. It lies at a constant
//    distance from the stream, and few steps compute it from the loop's phis
//    (canRestart).
// 2. mark: compute the stream's start in the strip's first iteration, from that
//    address (restart), or as the first address plus the step for each
//    iteration done.
// 3. Compute the length: how far the stream moves in the strip, plus its
//    extent. If the step is negative, move the start down by that distance.
// 4. Call the range marker with start, length, direction and a new number. Note
//    the number on the loads and stores that the range covers.
// 5. copyForAreas: a copy of the loop with a range for each area, for strips that
//    begin while all of them are valid.
// 6. markedRange, coveringRanges and setCoveringRanges read and write these
//    marks for other passes.
//
//===----------------------------------------------------------------------===//

#include "StripMiner.h"
#include "StripMining.h"
#include "StripPlanner.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace graupel::fgdsm;

/// Whether V can be computed for the strip's first iteration from what the loop
/// carries into it, in few steps.
bool StripMiner::canRestart(const Loop &L, const Value *V,
                            unsigned &Steps) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    const Loop *PhiLoop = LI.getLoopFor(Phi->getParent());
    return Phi->getParent() == PhiLoop->getHeader() &&
           (PhiLoop == &L ||
            canRestart(
                L, Phi->getIncomingValueForBlock(PhiLoop->getLoopPreheader()),
                Steps));
  }
  if (!isa<GetElementPtrInst, BinaryOperator, CastInst>(I) || Steps == 0 ||
      !isSafeToSpeculativelyExecute(I))
    return false;
  --Steps;
  return all_of(I->operands(), [&](const Use &Operand) {
    return canRestart(L, Operand, Steps);
  });
}

/// An address in the loop's first iteration: the start of all that it is a
/// function of.
static const SCEV *atStart(const SCEV *Address, const Loop &L) {
  while (auto *Rec = dyn_cast<SCEVAddRecExpr>(Address)) {
    if (!L.contains(Rec->getLoop()))
      break;
    Address = Rec->getStart();
  }
  return Address;
}

/// Addresses that the loop computes anyhow, relative to which ranges begin;
/// before the loop is changed. Ranges that counted strips by themselves would
/// hold a register or two each across the loop.
void StripMiner::chooseOrigins(const LoopPlan &Plan) {
  static constexpr unsigned MostSteps = 4;
  Origins.assign(Plan.Streams.size(), {});
  Restarted.clear();
  if (!Plan.StripLength)
    return;
  for (auto [Chosen, S] : zip_equal(Origins, Plan.Streams)) {
    if (S.Step->isZero())
      continue;
    for (Instruction *I : S.Covers) {
      std::optional<StripAccess> A = simpleAccess(*I);
      unsigned Steps = MostSteps;
      if (!A || !canRestart(*Plan.L, A->Pointer, Steps))
        continue;
      const SCEV *First = atStart(SE.getSCEV(A->Pointer), *Plan.L);
      auto *Behind = dyn_cast<SCEVConstant>(SE.getMinusSCEV(First, S.First));
      if (!Behind || Behind->getAPInt().getSignificantBits() > 32)
        continue;
      Chosen = {A->Pointer, Behind->getAPInt().getSExtValue()};
      if (Chosen.Behind == 0)
        break;
    }
  }
}

Value *StripMiner::restart(const Loop &L, Value *V, IRBuilder<> &B) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (Value *Known = Restarted.lookup(V))
    return Known;
  Value *Result;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    Loop *PhiLoop = LI.getLoopFor(Phi->getParent());
    Result =
        PhiLoop != &L
            ? restart(
                  L, Phi->getIncomingValueForBlock(PhiLoop->getLoopPreheader()),
                  B)
            : Carried.lookup(Phi);
  } else {
    Instruction *Copy = I->clone();
    for (Use &Operand : Copy->operands())
      Operand.set(restart(L, Operand, B));
    Copy->dropPoisonGeneratingFlags();
    Copy->dropUnknownNonDebugMetadata();
    Result = B.Insert(Copy, I->getName());
  }
  Restarted[V] = Result;
  return Result;
}

/// Where the stream begins in the strip's first iteration.
Value *StripMiner::startOf(const LoopPlan &Plan, unsigned Index,
                           IRBuilder<> &B) {
  const Stream &S = Plan.Streams[Index];
  const Origin &From = Origins[Index];
  if (From.Pointer) {
    Value *Start = restart(*Plan.L, From.Pointer, B);
    return From.Behind ? B.CreatePtrAdd(Start, B.getInt64(-From.Behind))
                       : Start;
  }
  Instruction *Outside = Preheader->getTerminator();
  Value *Start = expand(S.First, B.getPtrTy(), Outside);
  if (!Done || S.Step->isZero())
    return Start;
  return B.CreatePtrAdd(Start, B.CreateMul(Done, expand(S.Step, I64, Outside)));
}

/// The distance that a stream with this step moves in a strip.
Value *StripMiner::travel(IRBuilder<> &B, const SCEV *Step) {
  Value *Iterations = Ahead;
  if (AheadScale != 1) {
    auto *Constant = dyn_cast<SCEVConstant>(Step);
    if (Constant && Constant->getAPInt().srem(AheadScale) == 0)
      Step = SE.getConstant(Constant->getAPInt().sdiv(AheadScale));
    else
      Iterations = B.CreateLShr(Ahead, Log2_64(AheadScale));
  }
  return B.CreateMul(Iterations, expand(Step, I64, Preheader->getTerminator()));
}

/// Marks the streams of a strip before an instruction that the strip begins
/// with. Ahead and Done describe the strip.
void StripMiner::mark(const LoopPlan &Plan, Instruction *Before) {
  for (unsigned Index = 0; Index != Plan.Streams.size(); ++Index) {
    const Stream &S = Plan.Streams[Index];
    IRBuilder<> B(Before);
    B.SetCurrentDebugLocation(S.Covers.front()->getDebugLoc());
    Instruction *Outside = Preheader->getTerminator();
    Value *Start = startOf(Plan, Index, B);
    Value *Bytes = expand(S.Extent, I64, Outside);
    if (!S.Step->isZero()) {
      const SCEV *Advance = S.Step;
      auto *Constant = dyn_cast<SCEVConstant>(S.Step);
      if (Constant && Constant->getAPInt().isNegative()) {
        Advance = SE.getNegativeSCEV(S.Step);
        Start = B.CreatePtrAdd(Start, travel(B, S.Step), "strip.start");
      }
      Bytes = B.CreateAdd(travel(B, Advance), Bytes, "strip.bytes");
    }
    markRange(B, Start, Bytes, MaxRange, S.Store, S.Covers);
  }
}

/// Marks [Start, Start + Bytes), of MostBytes at most.
void StripMiner::markRange(IRBuilder<> &B, Value *Start, Value *Bytes,
                           uint64_t MostBytes, bool Store,
                           ArrayRef<Instruction *> Covers) {
  callMarker(B, RangeMarkerName, B.getVoidTy(), Start, Bytes, MostBytes, Store);
  for (Instruction *I : Covers)
    setCoveringRanges(*I, NextID);
  ++NextID;
}

CallInst *StripMiner::callMarker(IRBuilder<> &B, const char *Name, Type *Result,
                                 Value *Start, Value *Bytes, uint64_t MostBytes,
                                 bool Store) {
  FunctionCallee Marker = F.getParent()->getOrInsertFunction(
      Name, Result, B.getPtrTy(), I64, B.getInt1Ty(), I64);
  CallInst *Call = B.CreateCall(
      Marker, {Start, Bytes, B.getInt1(Store), B.getInt64(NextID)});
  if (!isa<Constant>(Bytes))
    Call->addParamAttr(
        1,
        Attribute::get(F.getContext(), Attribute::Range,
                       ConstantRange(APInt(64, 1), APInt(64, MostBytes + 1))));
  return Call;
}

/// Where an area would be, before the loop. The loop might not get where it uses
/// the address or the mask, so these may be anything: Exists tells whether there
/// is such memory, and Looked is an address that has summaries in any case.
StripMiner::Place StripMiner::placeOf(const Area &A, Instruction *Before) {
  IRBuilder<> B(Before);
  auto Defined = [&](const SCEV *S, Type *Ty) {
    Value *V = expand(S, Ty, Before);
    return isGuaranteedNotToBeUndefOrPoison(V) ? V : B.CreateFreeze(V);
  };
  Place P;
  P.Start = Defined(A.First, B.getPtrTy());
  P.Bytes = Defined(A.Extent, I64);
  P.Exists = B.CreateICmpULT(B.CreatePtrToInt(P.Start, I64),
                             B.getInt64(EndOfAddresses - MaxArea));
  P.Looked =
      B.CreateSelect(P.Exists, P.Start, ConstantPointerNull::get(B.getPtrTy()));
  if (A.Small) {
    P.Exists = B.CreateAnd(
        P.Exists, B.CreateICmpULE(Defined(A.Small, A.Small->getType()),
                                  cast<SCEVConstant>(A.Large)->getValue()));
    P.Exists = B.CreateAnd(P.Exists,
                           B.CreateICmpULE(P.Bytes, B.getInt64(A.MostBytes)));
  }
  return P;
}

/// Has the program look whether all areas are valid as a strip begins. If they
/// are, L runs, where they are ranges; else a copy without them.
void StripMiner::copyForAreas(Loop &L, const LoopPlan &Plan) {
  SmallVector<Place, 2> Places;
  for (const Area &A : Plan.Areas)
    Places.push_back(placeOf(A, Preheader->getTerminator()));
  const uint64_t FirstID = NextID;
  copyBeside(L, "strip.areas", [&](IRBuilder<> &B) {
    B.SetCurrentDebugLocation(Loc);
    Value *Valid = nullptr;
    auto Also = [&](Value *Holds) {
      Valid = Valid ? B.CreateAnd(Valid, Holds, "strip.areas") : Holds;
    };
    for (auto [A, P] : zip_equal(Plan.Areas, Places)) {
      Also(P.Exists);
      Also(B.CreateNot(callMarker(B, RefusedMarkerName, B.getInt1Ty(), P.Looked,
                                  P.Bytes, A.MostBytes, A.Store)));
      ++NextID;
    }
    return Valid;
  });
  NextID = FirstID;
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  B.SetCurrentDebugLocation(Loc);
  for (auto [A, P] : zip_equal(Plan.Areas, Places))
    markRange(B, P.Start, P.Bytes, A.MostBytes, A.Store, A.Covers);
}

//===-- Marks that remain in the code -------------------------------------===//

bool graupel::fgdsm::isMarker(const Instruction &I, StringRef Name) {
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == Name;
}

std::optional<uint64_t> graupel::fgdsm::markedRange(const Instruction &I) {
  if (!isMarker(I, RangeMarkerName))
    return std::nullopt;
  return cast<ConstantInt>(cast<CallBase>(I).getArgOperand(3))->getZExtValue();
}

SmallVector<uint64_t, 2> graupel::fgdsm::coveringRanges(const Instruction &I) {
  SmallVector<uint64_t, 2> Numbers;
  if (MDNode *Covered = I.getMetadata(CoveredMetadataName))
    for (const MDOperand &Number : Covered->operands())
      Numbers.push_back(mdconst::extract<ConstantInt>(Number)->getZExtValue());
  return Numbers;
}

void graupel::fgdsm::setCoveringRanges(Instruction &I,
                                       ArrayRef<uint64_t> Numbers) {
  LLVMContext &C = I.getContext();
  SmallVector<Metadata *, 2> Operands;
  for (uint64_t Number : Numbers)
    Operands.push_back(
        ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(C), Number)));
  I.setMetadata(CoveredMetadataName, MDNode::get(C, Operands));
}
