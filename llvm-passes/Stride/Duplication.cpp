//===- Duplication.cpp ----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain code subtracts its references from the thread's budget, in a register:
// a block's that run whenever an earlier one of the same loop does are
// subtracted there, a summarised loop's or nest's before it. Below zero a burst
// is due, or is going on.
//
//   entry:   budget < 0 ? recording copy : plain copy
//   header:  plain: budget < 0 -> recording copy of the header
//            recording: the cursor says that the burst is over -> plain copy
//   summarised loop: plain: budget < 0 before it -> its record
//            recording: the same as at headers, before its record
//
// Crossings lead to a block before the loop (`join`), so that loops keep one
// header and one way in, and later passes know them.
//
//===----------------------------------------------------------------------===//

#include "Duplication.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdaterBulk.h"

using namespace llvm;

namespace graupel::stride {

//===--- What cannot be there twice ---------------------------------------===//

// `${:uid}` and local labels (`1:`) are made to be copied.
static bool definesLabels(const InlineAsm *Assembly) {
  StringRef Text = Assembly->getAsmString();
  for (size_t Colon = Text.find(':'); Colon != StringRef::npos;
       Colon = Text.find(':', Colon + 1)) {
    size_t Start = Colon;
    while (Start && (isAlnum(Text[Start - 1]) || Text[Start - 1] == '_' ||
                     Text[Start - 1] == '.' || Text[Start - 1] == '$'))
      --Start;
    StringRef Word = Text.slice(Start, Colon);
    if (!Word.empty() && !all_of(Word, isDigit))
      return true;
  }
  return false;
}

static StringRef whyNotTwice(const Instruction &I) {
  if (I.getType()->isTokenTy())
    return "tokens";
  if (isa<IndirectBrInst, CallBrInst>(I))
    return "computed jumps";
  if (I.isEHPad() && !isa<LandingPadInst>(I))
    return "funclets";
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return "";
  if (Call->cannotDuplicate() || Call->isConvergent())
    return "calls that must not be copied";
  if (auto *Assembly = dyn_cast<InlineAsm>(Call->getCalledOperand());
      Assembly && definesLabels(Assembly))
    return "assembly with labels";
  switch (Call->getIntrinsicID()) {
  case Intrinsic::localescape:
  case Intrinsic::eh_sjlj_setup_dispatch:
  case Intrinsic::eh_sjlj_setjmp:
  case Intrinsic::asan_check_memaccess:
    return "calls that must not be copied";
  default:
    return "";
  }
}

/// Blocks that all cycles have one of: headers, and where several entries lead
/// into a cycle.
static SmallSetVector<BasicBlock *, 8> loopPoints(const PlanInput &In) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 16> Edges;
  FindFunctionBackedges(In.F, Edges);
  SmallSetVector<BasicBlock *, 8> Points;
  for (Loop *L : In.LI.getLoopsInPreorder())
    Points.insert(L->getHeader());
  for (auto [From, To] : Edges)
    Points.insert(const_cast<BasicBlock *>(To));
  return Points;
}

StringRef whyNotTwice(const PlanInput &In) {
  if (In.F.isPresplitCoroutine())
    return "a coroutine";
  if (In.F.callsFunctionThatReturnsTwice())
    return "a call may return twice";
  for (BasicBlock &BB : In.F) {
    if (BB.hasAddressTaken())
      return "addresses of code";
    for (Instruction &I : BB)
      if (StringRef Why = whyNotTwice(I); !Why.empty())
        return Why;
  }
  for (Argument &A : In.F.args())
    if (A.hasSwiftErrorAttr())
      return "swifterror";
  for (BasicBlock *Point : loopPoints(In))
    if (Point->isEHPad())
      return "a loop of exceptions";
  return "";
}

//===--- Where the copies meet --------------------------------------------===//

Duplication::Duplication(const PlanInput &In, const Plan &P)
    : In(In), P(P), F(In.F), DT(In.DT), I64(Type::getInt64Ty(F.getContext())),
      Budget(F, I64, "graupel_stride_budget") {
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
}

void Duplication::findCrossings() {
  DenseMap<const Loop *, const LoopPlan *> Summarised;
  for (const LoopPlan &L : P.Loops)
    if (!L.Members.empty())
      Summarised[L.L] = &L;
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
  for (Loop *L : In.LI.getLoopsInPreorder()) {
    const LoopPlan *Summary = Summarised.lookup(L);
    if (Refers.contains(L) && !(Summary && !Summary->Others))
      Crossings.push_back(
          {L->getHeader(), L, nullptr, RefersItself.contains(L), 0, Summary});
  }
  for (BasicBlock *Point : loopPoints(In))
    if (!In.LI.isLoopHeader(Point)) {
      IsReducible = false;
      Crossings.push_back({Point, nullptr, nullptr, true, 0, nullptr});
    }
}

/// The first block of the same loop that runs if and only if this one does.
BasicBlock *Duplication::leaderOf(BasicBlock *BB,
                                  PostDominatorTree &PDT) const {
  const Loop *L = In.LI.getLoopFor(BB);
  BasicBlock *Leader = BB;
  for (auto *Node = DT.getNode(BB); Node && Node->getIDom();) {
    Node = Node->getIDom();
    BasicBlock *Above = Node->getBlock();
    if (Above == &F.getEntryBlock() || (L && !L->contains(Above)) ||
        !PDT.dominates(BB, Above))
      break;
    if (In.LI.getLoopFor(Above) == L)
      Leader = Above;
  }
  return Leader;
}

void Duplication::countBlocks() {
  PostDominatorTree PDT(F);
  DenseMap<const Loop *, Crossing *> ByLoop;
  for (Crossing &C : Crossings)
    if (C.L)
      ByLoop[C.L] = &C;
  for (const Reference &R : P.References) {
    if (R.How == Shape::Bulk)
      continue;
    uint64_t Count = R.How == Shape::Plain ? 1 : R.lanes();
    BasicBlock *BB = R.Inst->getParent();
    const Loop *L = In.LI.getLoopFor(BB);
    Crossing *C = L ? ByLoop.lookup(L) : nullptr;
    if (L && !C)
      continue; // Summarised, counted before it.
    BasicBlock *Leader = IsReducible ? leaderOf(BB, PDT) : BB;
    if (C && (C->Mixed || Leader == L->getHeader()))
      C->References += Count;
    else
      Counts[Leader] += Count;
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
  for (BasicBlock *BB : Recording) {
    BasicBlock *Copy = CloneBasicBlock(BB, Plain, ".plain", &F);
    Plain[BB] = Copy;
    Copies.push_back(Copy);
  }
  remapInstructionsInBlocks(Copies, Plain);
  for (BasicBlock *BB : Recording)
    for (Instruction &I : *BB)
      if (!I.getType()->isVoidTy()) {
        Pairs.push_back({&I, cast<Instruction>(plain(&I))});
        Opposite[plain(&I)] = &I;
      }
  Budget.keep(Copies, In.Library);
  for (auto [Leader, Count] : Counts)
    if (Leader != Body)
      countDown(plain(Leader)->getFirstInsertionPt(), Count);
}

/// Returns what is left.
Value *Duplication::countDown(BasicBlock::iterator At, uint64_t Count) {
  IRBuilder<> B(At->getParent(), At);
  Value *Left = Budget.get(B);
  if (!Count)
    return Left;
  Value *New = B.CreateSub(Left, ConstantInt::get(I64, Count));
  Budget.set(B, New);
  return New;
}

// What only records need.
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

/// A block that asks for the cursor of a burst, `Left` references away.
BasicBlock *Duplication::begin(ThreadVariable &Cursor, Value *Left,
                               BasicBlock *To) {
  Module &M = *F.getParent();
  auto *Pointer = PointerType::getUnqual(M.getContext());
  FunctionCallee Begin =
      M.getOrInsertFunction("graupel_stride_begin", Pointer, I64);
  auto *Callee = cast<Function>(Begin.getCallee());
  Callee->setCallingConv(CallingConv::PreserveAll);
  Callee->setDoesNotThrow();
  Callee->addFnAttr(Attribute::Cold);
  Callee->addFnAttr(Attribute::NonLazyBind);
  BasicBlock *New = BasicBlock::Create(M.getContext(), "burst", &F);
  IRBuilder<> B(New);
  CallInst *Call = B.CreateCall(Begin, Left);
  Call->setCallingConv(CallingConv::PreserveAll);
  if (F.getSubprogram())
    Call->setDebugLoc(DILocation::get(M.getContext(), 0, 0, F.getSubprogram()));
  Cursor.set(B, Call);
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

void Duplication::connectEntry(ThreadVariable &Cursor) {
  Instruction *End = F.getEntryBlock().getTerminator();
  Budget.reload(End->getIterator());
  IRBuilder<> B(End);
  Value *Before = Budget.get(B);
  Value *Left = countDown(End->getIterator(), Counts.lookup(Body));
  BasicBlock *Record = BasicBlock::Create(F.getContext(), "record", &F);
  branch(End, isNegative(B, Left), Record, plain(Body));
  B.SetInsertPoint(Record);
  BranchInst *Go = B.CreateBr(Body);
  Cursor.reload(Go->getIterator());
  B.SetInsertPoint(Go);
  branch(Go, isInGap(B, Cursor.get(B)), begin(Cursor, Before, Body), Body);
}

/// What all these items refer to; the first of `Iterations` are theirs.
Value *Duplication::references(IRBuilder<> &B, ArrayRef<NestItem> Items,
                               ArrayRef<Value *> &Iterations) const {
  Value *Sum = nullptr;
  uint64_t Own = 0;
  for (size_t N = 0; N < Items.size(); N += 1 + Items[N].Inside) {
    Own += Items[N].Kind == GRAUPEL_STRIDE_NEST_REFERENCE;
    if (Items[N].refers())
      continue;
    // What does not run may have any number.
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
  Value *Before = Budget.get(B);
  Value *Left = B.CreateSub(Before, references(B, S));
  Budget.set(B, Left);
  branch(End, isNegative(B, Left), begin(Cursor, Before, S.Preheader),
         End->getSuccessor(0));
  connectBack(Cursor, S.Preheader, plain(S.Preheader));
}

/// The recording copy's block leads to the plain one if the burst is over.
/// Returns the block that does.
BasicBlock *Duplication::connectBack(ThreadVariable &Cursor, BasicBlock *From,
                                     BasicBlock *To) {
  BasicBlock *Rest = SplitBlock(From, From->getFirstInsertionPt());
  Instruction *End = From->getTerminator();
  IRBuilder<> B(End);
  BasicBlock *Over = BasicBlock::Create(F.getContext(), "over", &F);
  branch(End, isInGap(B, Cursor.get(B)), Over, Rest);
  B.SetInsertPoint(Over);
  Budget.reload(B.CreateBr(To)->getIterator());
  return Over;
}

/// Makes From another way into a loop, with the header's values in the other
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

void Duplication::connectLoop(ThreadVariable &Cursor, const Crossing &C) {
  BasicBlock *Header = C.Header, *PlainHeader = plain(Header);
  auto *PlainEnter = C.Enter ? cast<Instruction>(plain(C.Enter)) : nullptr;
  // Plain to recording.
  BasicBlock *Burst = nullptr;
  if (C.Refers) {
    BasicBlock::iterator At = PlainHeader->getFirstInsertionPt();
    BasicBlock *Rest = SplitBlock(PlainHeader, At);
    Instruction *End = PlainHeader->getTerminator();
    IRBuilder<> B(End);
    Value *Before = Budget.get(B);
    Value *Left = countDown(End->getIterator(), C.References);
    Burst = begin(Cursor, Before, Header);
    branch(End, isNegative(B, Left), Burst, Rest);
    if (C.Mixed) {
      Instruction *Last = Burst->getTerminator();
      B.SetInsertPoint(Last);
      Value *Now = plain(C.Mixed->Counter);
      Value *Start =
          cast<PHINode>(Now)->getIncomingValueForBlock(PlainEnter->getParent());
      Rests.push_back({C.Mixed, Last, iterationsDone(B, *C.Mixed, Start, Now)});
    }
  }
  // Recording to plain.
  BasicBlock *Over = connectBack(Cursor, Header, PlainHeader);
  join(PlainEnter, PlainHeader, Over,
       [&](PHINode &Phi) { return Opposite.lookup(&Phi); });
  if (Burst)
    join(C.Enter, Header, Burst, [&](PHINode &Phi) { return plain(&Phi); });
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

void Duplication::connect(ThreadVariable &Cursor) {
  connectEntry(Cursor);
  for (const Summary &S : Summaries)
    connectSummary(Cursor, S);
  for (const Crossing &C : Crossings)
    connectLoop(Cursor, C);
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
