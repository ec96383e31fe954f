//===- Duplication.cpp ----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a plain copy of a function's blocks beside the recording ones (Arnold,
// Ryder 2001). Plain code subtracts its references from the thread's budget
// (Ticks.h), those of a summarized loop or nest before it. Below zero a burst
// is due, or is going on.
//
// 1. Duplication(): give the entry's code a block of its own. Find the blocks
//    where control crosses, count the references of blocks, split the
//    preheaders of summarized loops, and solve where to subtract (Ticks). The
//    budget is in a register if that saves more than calls cost
//    (prefersRegister).
// 2. clone: copy all blocks but the entry, and jump tables. Insert the
//    subtractions into the copy (countAll), and keep the budget in memory over
//    calls.
// 3. connect: join the copies at the entry, before summarized loops, at checks
//    of the budget, and at headers of the recording copy, as below.
// 4. repair: rewrite the uses of values that now have two definitions, erase
//    instructions of the copy that only records need, and make registers of
//    budget and cursor.
//
//   entry:   budget < 0 ? recording copy : plain copy
//   header:  plain: budget < 0 -> recording copy of the header, or
//            instead of that where an iteration takes one of many edges
//            recording: the cursor says that the burst is over -> plain copy
//   summarized loop: plain: budget < 0 before it -> its record
//            recording: the same as at headers, before its record
//
// Crossings lead to a block before the loop (`join`), so that loops keep one
// header and one entry, and later passes know them.
//
//===----------------------------------------------------------------------===//

#include "Duplication.h"
#include "Duplicable.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdaterBulk.h"

using namespace llvm;

namespace graupel::stride {

static constexpr unsigned ManyWays = 4;

//===--- Where the copies meet --------------------------------------------===//

Duplication::Duplication(const PlanInput &In, const Plan &P)
    : In(In), P(P), F(In.F), DT(In.DT), I64(Type::getInt64Ty(F.getContext())),
      Budget(F, ConstantInt::getSigned(I64, GRAUPEL_STRIDE_NO_BUDGET),
             "graupel_stride_budget") {
  BasicBlock &Entry = F.getEntryBlock();
  BasicBlock::iterator First = Entry.begin();
  for (Instruction &I : make_early_inc_range(Entry)) {
    auto *Alloca = dyn_cast<AllocaInst>(&I);
    if (!Alloca || !Alloca->isStaticAlloca())
      continue;
    if (First == I.getIterator())
      ++First;
    else
      I.moveBefore(First);
  }
  Body = SplitBlock(&Entry, First, &DT, &In.LI);
  findCrossings();
  countBlocks();
  auto SplitPreheader = [&](const Loop *L) {
    BasicBlock *Preheader = L->getLoopPreheader();
    SplitBlock(Preheader, Preheader->getTerminator()->getIterator(), &DT,
               &In.LI);
  };
  for (const LoopPlan &L : P.Loops)
    if (!L.Members.empty())
      SplitPreheader(L.L);
  for (const NestPlan &Nest : P.Nests)
    SplitPreheader(Nest.L);
  for (Crossing &C : Crossings)
    if (BasicBlock *Preheader = C.L ? C.L->getLoopPreheader() : nullptr)
      C.Enter = Preheader->getTerminator();
  BranchProbabilityInfo BPI(F, In.LI);
  BlockFrequencyInfo BFI(F, BPI, In.LI);
  if (!prefersRegister(BFI))
    Budget.stayInMemory();
  Count.emplace(F, BFI, BPI, Counts, Checks);
}

/// The block where each iteration takes one of many edges; the count that each
/// path subtracts is checked there.
static BasicBlock *hubOf(const Loop &L, const DominatorTree &DT) {
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  for (BasicBlock *BB = Latches.front();;
       BB = DT.getNode(BB)->getIDom()->getBlock()) {
    if (all_of(Latches,
               [&](BasicBlock *Latch) { return DT.dominates(BB, Latch); })) {
      SmallPtrSet<BasicBlock *, 8> Ways(llvm::from_range, successors(BB));
      if (Ways.size() >= ManyWays && !isa<InvokeInst>(BB->getTerminator()))
        return BB;
    }
    if (BB == L.getHeader())
      return nullptr;
  }
}

void Duplication::findCrossings() {
  DenseMap<const Loop *, const LoopPlan *> Summarized;
  for (const LoopPlan &L : P.Loops)
    if (!L.Members.empty())
      Summarized[L.L] = &L;
  SmallPtrSet<const Loop *, 8> Refers, RefersItself;
  for (const Reference &R : P.References) {
    const Loop *L = In.LI.getLoopFor(R.Inst->getParent());
    RefersItself.insert(L);
    for (; L; L = L->getParentLoop())
      Refers.insert(L);
  }
  for (const NestPlan &Nest : P.Nests)
    for (Loop *L : Nest.L->getLoopsInPreorder())
      Refers.erase(L);
  Checks.insert(Body);
  for (Loop *L : In.LI.getLoopsInPreorder()) {
    const LoopPlan *Summary = Summarized.lookup(L);
    if (!Refers.contains(L) || (Summary && !Summary->Others))
      continue;
    Crossings.push_back({L->getHeader(), L, nullptr, Summary});
    if (!RefersItself.contains(L))
      continue;
    if (BasicBlock *Hub = Summary ? nullptr : hubOf(*L, DT)) {
      for (BasicBlock *Way : successors(Hub))
        if (L->contains(Way))
          Checks.insert(Way);
    } else {
      Checks.insert(L->getHeader());
    }
  }
  for (BasicBlock *Point : loopPoints(In))
    if (!In.LI.isLoopHeader(Point)) {
      Crossings.push_back({Point, nullptr, nullptr, nullptr});
      Checks.insert(Point);
    }
}

/// The budget is in a register if that saves more accesses than calls cost.
bool Duplication::prefersRegister(const BlockFrequencyInfo &BFI) const {
  auto Calls = [&](BasicBlock *BB) {
    return any_of(*BB,
                  [&](Instruction &I) { return mayRecord(I, In.Library); });
  };
  uint64_t Gain = 0, Loss = 0;
  for (BasicBlock &BB : F) {
    uint64_t Runs = BFI.getBlockFreq(&BB).getFrequency();
    const Loop *L = In.LI.getLoopFor(&BB);
    if (Calls(&BB))
      Loss = SaturatingAdd(Loss, Runs);
    else if (L && Checks.contains(&BB) && none_of(L->blocks(), Calls))
      Gain = SaturatingAdd(Gain, Runs);
  }
  return Gain > Loss;
}

/// Those of summarized loops are counted before these.
void Duplication::countBlocks() {
  SmallPtrSet<const Loop *, 8> Crossed;
  for (Crossing &C : Crossings)
    Crossed.insert(C.L);
  for (const Reference &R : P.References) {
    BasicBlock *BB = R.Inst->getParent();
    const Loop *L = In.LI.getLoopFor(BB);
    if (R.Form != Shape::Bulk && (!L || Crossed.contains(L)))
      Counts[BB] += R.Form == Shape::Plain ? 1 : R.lanes();
  }
}

//===--- The plain copy ---------------------------------------------------===//

void Duplication::clone(ArrayRef<Value *> Iterations,
                        ArrayRef<ArrayRef<Value *>> OfNests) {
  for (auto [N, L] : enumerate(P.Loops))
    if (!L.Members.empty() && !L.Others)
      Summaries.push_back({L.L->getLoopPreheader(), nullptr, L.Members.size(),
                           Iterations.slice(N, 1)});
  for (auto [Nest, Words] : zip(P.Nests, OfNests))
    Summaries.push_back({Nest.L->getLoopPreheader(), &Nest, 0, Words});
  for (BasicBlock &BB : F)
    if (!BB.isEntryBlock())
      Recording.push_back(&BB);
  JumpTables Tables = jumpTables(F);
  for (BasicBlock *BB : Recording) {
    BasicBlock *Copy = CloneBasicBlock(BB, Plain, ".plain", &F);
    Plain[BB] = Copy;
    Copies.push_back(Copy);
  }
  copyJumpTables(Tables, F, Plain);
  remapInstructionsInBlocks(Copies, Plain);
  for (BasicBlock *BB : Recording)
    for (Instruction &I : *BB)
      if (!I.getType()->isVoidTy()) {
        Pairs.push_back({&I, cast<Instruction>(plain(&I))});
        Opposite[plain(&I)] = &I;
      }
  countAll();
  Budget.keep(Copies, In.Library);
}

/// A block on all edges from one to the other.
static BasicBlock *insertBlock(BasicBlock *From, BasicBlock *To) {
  BasicBlock *New =
      BasicBlock::Create(To->getContext(), "tick", To->getParent(), To);
  BranchInst::Create(To, New);
  From->getTerminator()->replaceSuccessorWith(To, New);
  for (PHINode &Phi : To->phis()) {
    Value *In = Phi.getIncomingValueForBlock(From);
    Phi.removeIncomingValueIf(
        [&](unsigned N) { return Phi.getIncomingBlock(N) == From; }, false);
    Phi.addIncoming(In, New);
  }
  return New;
}

void Duplication::countAll() {
  for (BasicBlock *BB : Recording) {
    BasicBlock *Copy = plain(BB);
    if (!Checks.contains(BB))
      countDown(Copy->getFirstInsertionPt(), Count->at(BB));
    Instruction *End = Copy->getTerminatingMustTailCall();
    countDown((End ? End : Copy->getTerminator())->getIterator(),
              Count->atEnd(BB));
  }
  for (const Ticks::Edge &E : Count->edges())
    countDown(insertBlock(plain(E.From), plain(E.To))->begin(), E.Count);
}

/// Returns what is left.
Value *Duplication::countDown(BasicBlock::iterator At, int64_t References) {
  if (!References)
    return nullptr;
  IRBuilder<> B(At->getParent(), At);
  Value *New =
      B.CreateSub(Budget.get(B), ConstantInt::getSigned(I64, References));
  Budget.set(B, New);
  return New;
}

// Erases instructions that only records need.
void Duplication::eraseUnused() {
  SmallVector<WeakTrackingVH, 0> All;
  for (BasicBlock *BB : Copies)
    for (Instruction &I : *BB)
      if (isInstructionTriviallyDead(&I) || isa<PHINode>(I))
        All.push_back(&I);
  for (WeakTrackingVH &Each : All)
    if (auto *I = dyn_cast_or_null<Instruction>(Each)) {
      if (auto *Phi = dyn_cast<PHINode>(I))
        RecursivelyDeleteDeadPHINode(Phi);
      else
        RecursivelyDeleteTriviallyDeadInstructions(I);
    }
}

//===--- Crossings --------------------------------------------------------===//

/// A block that asks for the cursor of a burst. As many references are left as
/// the budget says, and More.
BasicBlock *Duplication::begin(ThreadVariable &Cursor, Value *More,
                               BasicBlock *To) {
  BasicBlock *New = BasicBlock::Create(F.getContext(), "burst", &F);
  IRBuilder<> B(New);
  Cursor.set(B, callRuntime(B, "graupel_stride_begin",
                            B.CreateAdd(Budget.get(B), More)));
  B.CreateBr(To);
  return New;
}

/// Instead of a terminator that leads to Stay only.
static void branch(Instruction *Terminator, Value *Condition, BasicBlock *Cross,
                   BasicBlock *Stay) {
  IRBuilder<> B(Terminator);
  B.CreateCondBr(Condition, Cross, Stay,
                 MDBuilder(B.getContext()).createUnlikelyBranchWeights());
  Terminator->eraseFromParent();
}

static Value *isInGap(IRBuilder<> &B, Value *Cursor) {
  Value *Bits = B.CreateAnd(B.CreatePtrToInt(Cursor, B.getInt64Ty()),
                            B.getInt64(GRAUPEL_STRIDE_GAP));
  return B.CreateICmpNE(Bits, B.getInt64(0));
}

static Value *isNegative(IRBuilder<> &B, Value *V) {
  return B.CreateICmpSLT(V, Constant::getNullValue(V->getType()));
}

/// Replaces a terminator that leads to Stay only: subtracts the amount of a
/// block's check. A register's value is not used where a burst begins: one
/// instruction subtracts from memory.
void Duplication::check(Instruction *End, BasicBlock *Checked,
                        BasicBlock *Cross, BasicBlock *Stay) {
  Value *Left = countDown(End->getIterator(), Count->at(Checked));
  IRBuilder<> B(End);
  branch(End, isNegative(B, Left ? Left : Budget.get(B)), Cross, Stay);
}

/// The amount left before a block's check, when the budget is that behind it.
Value *Duplication::leftBefore(BasicBlock *Checked) const {
  return ConstantInt::getSigned(I64,
                                Count->at(Checked) - Count->pending(Checked));
}

void Duplication::connectEntry(ThreadVariable &Cursor) {
  Instruction *End = F.getEntryBlock().getTerminator();
  Budget.reload(End->getIterator());
  BasicBlock *Record = BasicBlock::Create(F.getContext(), "record", &F);
  check(End, Body, Record, plain(Body));
  IRBuilder<> B(Record);
  BranchInst *Go = B.CreateBr(Body);
  Cursor.reload(Go->getIterator());
  B.SetInsertPoint(Go);
  branch(Go, isInGap(B, Cursor.get(B)), begin(Cursor, leftBefore(Body), Body),
         Body);
}

/// The number of references of all these items; the first of `Iterations` are
/// theirs.
Value *Duplication::references(IRBuilder<> &B, ArrayRef<NestItem> Items,
                               ArrayRef<Value *> &Iterations) const {
  Value *Sum = nullptr;
  uint64_t Own = 0;
  for (size_t N = 0; N < Items.size(); N += 1 + Items[N].Inside) {
    Own += Items[N].Kind == GRAUPEL_STRIDE_NEST_REFERENCE;
    if (Items[N].refers())
      continue;
    // The number of a loop that does not run may be anything.
    Value *Times = B.CreateFreeze(plain(Iterations.front()));
    Iterations = Iterations.drop_front();
    Value *Each =
        references(B, Items.slice(N + 1, Items[N].Inside), Iterations);
    Value *All = B.CreateMul(Times, Each);
    Sum = Sum ? B.CreateAdd(Sum, All) : All;
  }
  Constant *Count = ConstantInt::get(I64, Own);
  return Sum ? B.CreateAdd(Sum, Count) : Count;
}

Value *Duplication::references(IRBuilder<> &B, const Summary &S) const {
  ArrayRef<Value *> Iterations = S.Iterations;
  Value *Outermost = plain(Iterations.front());
  if (!S.Nest)
    return B.CreateMul(Outermost, ConstantInt::get(I64, S.Members));
  Iterations = Iterations.drop_front();
  return B.CreateMul(
      Outermost,
      references(B, ArrayRef(S.Nest->Items).drop_front(), Iterations));
}

void Duplication::connectSummary(ThreadVariable &Cursor, const Summary &S) {
  Instruction *End = plain(S.Preheader)->getTerminator();
  IRBuilder<> B(End);
  Value *All = references(B, S);
  Value *Left = B.CreateSub(Budget.get(B), All);
  Budget.set(B, Left);
  Value *More = B.CreateSub(
      All, ConstantInt::getSigned(I64, Count->pendingBehind(S.Preheader)));
  branch(End, isNegative(B, Left), begin(Cursor, More, S.Preheader),
         End->getSuccessor(0));
  connectBack(Cursor, S.Preheader);
}

/// A block of the recording copy leads to its like if the burst is over.
/// Returns the block that does.
BasicBlock *Duplication::connectBack(ThreadVariable &Cursor, BasicBlock *From) {
  BasicBlock *Stay = SplitBlock(From, From->getFirstInsertionPt());
  Instruction *End = From->getTerminator();
  IRBuilder<> B(End);
  BasicBlock *Over = BasicBlock::Create(F.getContext(), "over", &F);
  branch(End, isInGap(B, Cursor.get(B)), Over, Stay);
  B.SetInsertPoint(Over);
  Instruction *Go = B.CreateBr(plain(From));
  Budget.reload(Go->getIterator());
  countDown(Go->getIterator(), -Count->pending(From));
  return Over;
}

/// Makes From another entry of a loop, with the header's values in the other
/// copy.
static void join(Instruction *Enter, BasicBlock *Header, BasicBlock *From,
                 function_ref<Value *(PHINode &)> Other) {
  if (!Enter) {
    for (PHINode &Phi : Header->phis())
      Phi.addIncoming(Other(Phi), From);
    From->getTerminator()->setSuccessor(0, Header);
    return;
  }
  BasicBlock *Preheader = Enter->getParent();
  BasicBlock *Join = BasicBlock::Create(Header->getContext(), "join",
                                        Header->getParent(), Header);
  IRBuilder<> B(Join);
  for (PHINode &Phi : Header->phis()) {
    PHINode *In = B.CreatePHI(Phi.getType(), 2, Phi.getName());
    int Which = Phi.getBasicBlockIndex(Preheader);
    In->addIncoming(Phi.getIncomingValue(Which), Preheader);
    In->addIncoming(Other(Phi), From);
    Phi.setIncomingValue(Which, In);
    Phi.setIncomingBlock(Which, Join);
  }
  B.CreateBr(Header);
  Enter->setSuccessor(0, Join);
  From->getTerminator()->setSuccessor(0, Join);
}

/// From a block of the plain copy to its like.
void Duplication::connectCheck(ThreadVariable &Cursor, BasicBlock *Checked,
                               const Crossing *C) {
  BasicBlock *Copy = plain(Checked);
  BasicBlock *Stay = SplitBlock(Copy, Copy->getFirstInsertionPt());
  BasicBlock *Burst = begin(Cursor, leftBefore(Checked), Checked);
  check(Copy->getTerminator(), Checked, Burst, Stay);
  if (C && C->Mixed) {
    Instruction *Last = Burst->getTerminator();
    IRBuilder<> B(Last);
    Value *Now = plain(C->Mixed->Counter);
    auto *Enter = cast<Instruction>(plain(C->Enter))->getParent();
    Value *Start = cast<PHINode>(Now)->getIncomingValueForBlock(Enter);
    Remainders.push_back({C->Mixed, Last,
                          iterationsDone(B, *C->Mixed, Start, Now), Enter,
                          Burst});
  }
  join(C ? C->Enter : nullptr, Checked, Burst,
       [&](PHINode &Phi) { return plain(&Phi); });
}

/// Back, when the burst is over.
void Duplication::connectHeader(ThreadVariable &Cursor, const Crossing &C) {
  BasicBlock *Over = connectBack(Cursor, C.Header);
  join(C.Enter ? cast<Instruction>(plain(C.Enter)) : nullptr, plain(C.Header),
       Over, [&](PHINode &Phi) { return Opposite.lookup(&Phi); });
}

Value *Duplication::iterationsDone(IRBuilder<> &B, const LoopPlan &L,
                                   Value *Start, Value *Now) const {
  auto Word = [&](Value *V) {
    return V->getType()->isPointerTy() ? B.CreatePtrToInt(V, I64) : V;
  };
  int64_t Step = L.CounterStep;
  Value *Way = Step > 0 ? B.CreateSub(Word(Now), Word(Start))
                        : B.CreateSub(Word(Start), Word(Now));
  uint64_t Each = Step > 0 ? uint64_t(Step) : 0 - uint64_t(Step);
  return B.CreateUDiv(B.CreateZExt(Way, I64), ConstantInt::get(I64, Each));
}

void Duplication::sink(const Remainder &R) {
  for (Instruction &I : make_early_inc_range(reverse(*R.Enter))) {
    if (isa<PHINode>(I) || I.isTerminator() || I.mayHaveSideEffects() ||
        I.mayReadFromMemory() || I.use_empty())
      continue;
    if (all_of(I.users(), [&](User *U) {
          auto *By = cast<Instruction>(U);
          return !isa<PHINode>(By) &&
                 (By->getParent() == R.Burst ||
                  By->getParent() == R.Before->getParent());
        }))
      I.moveBefore(R.Burst->getFirstInsertionPt());
  }
}

void Duplication::connect(ThreadVariable &Cursor) {
  connectEntry(Cursor);
  for (const Summary &S : Summaries)
    connectSummary(Cursor, S);
  SmallDenseMap<BasicBlock *, const Crossing *> Headers;
  for (const Crossing &C : Crossings)
    Headers[C.Header] = &C;
  for (BasicBlock *BB : Checks)
    if (BB != Body)
      connectCheck(Cursor, BB, Headers.lookup(BB));
  for (const Crossing &C : Crossings)
    connectHeader(Cursor, C);
}

/// Values of both copies that reach one place.
void Duplication::repair(ThreadVariable &Cursor) {
  DT.recalculate(F);
  if (!Summaries.empty() || !Crossings.empty()) {
    SSAUpdaterBulk Updater;
    for (auto [Recorded, Copy] : Pairs) {
      SmallVector<Use *, 8> Uses;
      for (Instruction *Each : {Recorded, Copy})
        for (Use &U : Each->uses()) {
          auto *User = cast<Instruction>(U.getUser());
          auto *Phi = dyn_cast<PHINode>(User);
          BasicBlock *At = Phi ? Phi->getIncomingBlock(U) : User->getParent();
          if (At != Each->getParent())
            Uses.push_back(&U);
        }
      if (Uses.empty())
        continue;
      unsigned Variable =
          Updater.AddVariable(Recorded->getName(), Recorded->getType());
      for (Instruction *Each : {Recorded, Copy})
        Updater.AddAvailableValue(Variable, Each->getParent(), Each);
      for (Use *U : Uses)
        Updater.AddUse(Variable, U);
    }
    Updater.RewriteAllUses(&DT);
  }
  eraseUnused();
  Budget.promote(DT);
  Cursor.promote(DT);
}

} // namespace graupel::stride
