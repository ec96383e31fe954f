//===- Instrumentation.cpp ------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. The contents of loops' records are computed before their loops.
//   2. Records of a block that nothing else may write between are a group: one
//      test for room before it, one step of the cursor behind it.
//   3. The cursor is a variable of the function; it is in memory while code
//      runs that may record. Then it becomes registers.
//
//===----------------------------------------------------------------------===//

#include "Instrumentation.h"
#include "Duplication.h"
#include "NestCode.h"
#include "ThreadVariable.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace graupel::stride {

namespace {

/// The words of a record, and before which instruction it is written.
struct Record {
  Instruction *Before = nullptr;
  Constant *First = nullptr; ///< Site or loop, with the tag.
  SmallVector<Value *, 8> Words;

  unsigned words() const {
    unsigned N = 1;
    for (Value *W : Words)
      N += wordsOf(W);
    return (N + 1) & ~1u;
  }
  static unsigned wordsOf(const Value *W) {
    auto *V = dyn_cast<FixedVectorType>(W->getType());
    return V ? V->getNumElements() : 1;
  }
};

class Instrumenter {
public:
  Instrumenter(const PlanInput &In, const Plan &P,
               const Tables::Addresses &Addresses);
  void run();

private:
  Constant *tagged(Constant *Address, graupel_stride_record Tag) const;
  Record loopRecord(const LoopPlan &L, Constant *Address);
  Record nestRecord(const NestPlan &Nest, Constant *Address);
  void recordReference(const Reference &R, Constant *Site);
  Value *word(IRBuilder<> &B, Value *V) const;
  void groupBlock(BasicBlock &BB);
  void writeGroup(ArrayRef<const Record *> Group);
  void runSingle();
  void runDuplicated();
  void recordAll();
  void groupAll(ArrayRef<BasicBlock *> Blocks);
  void recordRemainder(const Duplication &D, const Duplication::Remainder &R);
  void countLarge(const Duplication &D);

  const PlanInput &In;
  const Plan &P;
  const Tables::Addresses &Addresses;
  Function &F;
  Module &M;
  IntegerType *I64;
  PointerType *Pointer;
  ThreadVariable Cursor;
  /// The records that each block writes, in its order.
  MapVector<BasicBlock *, SmallVector<Record, 4>> Records;
  DenseMap<const LoopPlan *, Record> LoopRecords;
  SmallVector<Record, 4> NestRecords; ///< One for each nest.
};

} // namespace

Instrumenter::Instrumenter(const PlanInput &In, const Plan &P,
                           const Tables::Addresses &Addresses)
    : In(In), P(P), Addresses(Addresses), F(In.F), M(*In.F.getParent()),
      I64(Type::getInt64Ty(M.getContext())),
      Pointer(PointerType::getUnqual(M.getContext())),
      Cursor(F,
             ConstantExpr::getIntToPtr(
                 ConstantInt::get(I64, GRAUPEL_STRIDE_FULL), Pointer),
             "graupel_stride_cursor") {}

Constant *Instrumenter::tagged(Constant *Address,
                               graupel_stride_record Tag) const {
  return Tag ? ConstantExpr::getInBoundsGetElementPtr(
                   Type::getInt8Ty(M.getContext()), Address,
                   ConstantInt::get(I64, Tag))
             : Address;
}

Record Instrumenter::loopRecord(const LoopPlan &L, Constant *Address) {
  Instruction *At = L.L->getLoopPreheader()->getTerminator();
  SCEVExpander Expander(In.SE, "stride");
  auto Expand = [&](const SCEV *S) {
    return Expander.expandCodeFor(S, S->getType(), At->getIterator());
  };
  Record R{At, tagged(Address, GRAUPEL_STRIDE_RECORD_LOOP), {}};
  R.Words.push_back(Expand(In.SE.getAddExpr(
      In.SE.getNoopOrZeroExtend(L.BackedgeTaken, I64), In.SE.getOne(I64))));
  for (const Member &Each : L.Members)
    R.Words.push_back(Expand(Each.Base));
  for (const Member &Each : L.Members)
    if (!isa<SCEVConstant>(Each.Step))
      R.Words.push_back(Expand(Each.Step));
  return R;
}

Record Instrumenter::nestRecord(const NestPlan &Nest, Constant *Address) {
  Instruction *At = Nest.L->getLoopPreheader()->getTerminator();
  return {At, tagged(Address, GRAUPEL_STRIDE_RECORD_LOOP),
          expandNest(In, Nest, At)};
}

void Instrumenter::recordReference(const Reference &R, Constant *Site) {
  Record New{R.Inst, Site, {}};
  IRBuilder<> B(R.Inst);
  auto Mask = [&]() -> Value * {
    Value *Bits =
        B.CreateBitCast(R.Mask, IntegerType::get(M.getContext(), R.lanes()));
    return B.CreateZExt(Bits, I64);
  };
  switch (R.Form) {
  case Shape::Plain:
    New.Words = {R.Pointer};
    break;
  case Shape::Lanes:
    New.First = tagged(Site, GRAUPEL_STRIDE_RECORD_LANES);
    New.Words = {Mask(), R.Pointer};
    break;
  case Shape::Masked:
    New.First = tagged(Site, GRAUPEL_STRIDE_RECORD_MASKED);
    New.Words = {R.Pointer, Mask()};
    break;
  case Shape::Packed: {
    // As many lanes as are active are the first ones.
    New.First = tagged(Site, GRAUPEL_STRIDE_RECORD_MASKED);
    Value *Active = B.CreateUnaryIntrinsic(Intrinsic::ctpop, Mask());
    Value *None = B.CreateICmpEQ(Active, ConstantInt::get(I64, 0));
    Value *Ones = B.CreateLShr(Constant::getAllOnesValue(I64),
                               B.CreateSub(ConstantInt::get(I64, 64), Active));
    New.Words = {R.Pointer,
                 B.CreateSelect(None, ConstantInt::get(I64, 0), Ones)};
    break;
  }
  case Shape::Bulk:
    New.First = tagged(Site, GRAUPEL_STRIDE_RECORD_BULK);
    New.Words = {R.Pointer, B.CreateZExtOrTrunc(R.Length, I64)};
    break;
  }
  Records[R.Inst->getParent()].push_back(std::move(New));
}

// A loop's record stands last in its block, and is added first.
void Instrumenter::groupBlock(BasicBlock &BB) {
  auto Found = Records.find(&BB);
  if (Found == Records.end())
    return;
  DenseMap<const Instruction *, SmallVector<const Record *, 2>> At;
  for (const Record &R : Found->second)
    At[R.Before].push_back(&R);
  SmallVector<SmallVector<const Record *, 8>, 2> Groups(1);
  unsigned Words = 0;
  for (Instruction &I : BB) {
    for (const Record *R : At.lookup(&I)) {
      if (8 * (Words + R->words()) > GRAUPEL_STRIDE_GROUP_BYTES) {
        Groups.emplace_back();
        Words = 0;
      }
      Groups.back().push_back(R);
      Words += R->words();
    }
    if (mayRecord(I, In.Library)) {
      Groups.emplace_back();
      Words = 0;
    }
  }
  for (const auto &Group : Groups)
    if (!Group.empty())
      writeGroup(Group);
}

void Instrumenter::writeGroup(ArrayRef<const Record *> Group) {
  Instruction *Head = Group.front()->Before;
  IRBuilder<> B(Head);
  Value *Room = Cursor.get(B);
  Value *Full =
      B.CreateICmpNE(B.CreateAnd(B.CreatePtrToInt(Room, I64),
                                 ConstantInt::get(I64, GRAUPEL_STRIDE_FULL)),
                     ConstantInt::get(I64, 0));
  BasicBlock *From = Head->getParent();
  Instruction *Then = SplitBlockAndInsertIfThen(
      Full, Head, false,
      MDBuilder(M.getContext()).createUnlikelyBranchWeights());
  IRBuilder<> Slow(Then);
  CallInst *Call = callRuntime(Slow, "graupel_stride_drain", Room);
  PHINode *Place = PHINode::Create(Pointer, 2, "", Head->getParent()->begin());
  Place->addIncoming(Room, From);
  Place->addIncoming(Call, Then->getParent());

  unsigned Word = 0;
  for (const Record *R : Group) {
    IRBuilder<> At(R->Before);
    unsigned Next = Word;
    auto Put = [&](Value *V) {
      At.CreateAlignedStore(V, At.CreateConstGEP1_64(I64, Place, Next),
                            Align(8));
      Next += Record::wordsOf(V);
    };
    Put(R->First);
    for (Value *V : R->Words)
      Put(V);
    Word += R->words();
  }
  IRBuilder<> End(Group.back()->Before);
  Cursor.set(End, End.CreateConstGEP1_64(I64, Place, Word));
}

void Instrumenter::recordAll() {
  for (auto [L, Address] : zip(P.Loops, Addresses.Loops))
    if (!L.Members.empty()) {
      Record R = loopRecord(L, Address);
      Records[R.Before->getParent()].push_back(R);
      LoopRecords[&L] = std::move(R);
    }
  for (auto [Nest, Address] : zip(P.Nests, Addresses.Nests)) {
    Record R = nestRecord(Nest, Address);
    Records[R.Before->getParent()].push_back(R);
    NestRecords.push_back(std::move(R));
  }
  for (auto [R, Site, Single] : zip(P.References, Addresses.Sites, P.Single))
    if (Single)
      recordReference(R, Site);
}

void Instrumenter::groupAll(ArrayRef<BasicBlock *> Blocks) {
  for (BasicBlock *BB : Blocks)
    groupBlock(*BB);
}

void Instrumenter::runSingle() {
  SmallVector<BasicBlock *, 16> Blocks(make_pointer_range(F));
  recordAll();
  Cursor.keep(Blocks, In.Library);
  groupAll(Blocks);
  Cursor.reload(F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  DominatorTree DT(F);
  Cursor.promote(DT);
}

// Records the rest of a loop when its recording begins.
void Instrumenter::recordRemainder(const Duplication &D,
                                   const Duplication::Remainder &R) {
  const Record &Whole = LoopRecords.find(R.Summarized)->second;
  IRBuilder<> B(R.Before);
  Record New{R.Before, Whole.First, {}};
  auto Word = Whole.Words.begin();
  New.Words.push_back(B.CreateOr(B.CreateSub(D.plain(*Word++), R.Done),
                                 ConstantInt::get(I64, GRAUPEL_STRIDE_REST)));
  unsigned Steps = 1 + R.Summarized->Members.size();
  for (const Member &Each : R.Summarized->Members) {
    auto *Fixed = dyn_cast<SCEVConstant>(Each.Step);
    Value *Step = Fixed ? Fixed->getValue() : D.plain(Whole.Words[Steps++]);
    New.Words.push_back(B.CreatePtrAdd(
        D.plain(*Word++), B.CreateMul(R.Done, B.CreateSExtOrTrunc(Step, I64))));
  }
  for (; Word != Whole.Words.end(); ++Word)
    New.Words.push_back(D.plain(*Word));
  writeGroup({&New});
}

/// Bursts would seldom meet large copies and fills: plain code tells of them.
void Instrumenter::countLarge(const Duplication &D) {
  for (auto [R, Site, Single] : zip(P.References, Addresses.Sites, P.Single)) {
    auto *Block = dyn_cast<AnyMemIntrinsic>(D.plain(R.Inst));
    if (R.Form != Shape::Bulk || !Single || !Block || Block == R.Inst)
      continue;
    auto *Known = dyn_cast<ConstantInt>(Block->getLength());
    if (Known && Known->getValue().ult(GRAUPEL_STRIDE_LARGE))
      continue;
    IRBuilder<> B(Block);
    Value *Bytes = B.CreateZExtOrTrunc(Block->getLength(), I64);
    Value *IsLarge =
        B.CreateICmpUGE(Bytes, ConstantInt::get(I64, GRAUPEL_STRIDE_LARGE));
    Instruction *Then = SplitBlockAndInsertIfThen(
        IsLarge, Block->getIterator(), false,
        MDBuilder(M.getContext()).createUnlikelyBranchWeights());
    B.SetInsertPoint(Then);
    Value *Address = R.Store ? Block->getRawDest()
                             : cast<AnyMemTransferInst>(Block)->getRawSource();
    callRuntime(B, "graupel_stride_large", {Site, Address, Bytes});
  }
}

void Instrumenter::runDuplicated() {
  Duplication D(In, P);
  recordAll();
  SmallVector<Value *, 8> Iterations;
  for (const LoopPlan &L : P.Loops)
    Iterations.push_back(L.Members.empty() ? nullptr
                                           : LoopRecords[&L].Words.front());
  SmallVector<ArrayRef<Value *>, 4> OfNests;
  for (const Record &R : NestRecords)
    OfNests.push_back(R.Words);
  D.clone(Iterations, OfNests);
  Cursor.keep(D.recording(), In.Library);
  groupAll(D.recording());
  D.connect(Cursor);
  for (const Duplication::Remainder &R : D.remainders()) {
    recordRemainder(D, R);
    Duplication::sink(R);
  }
  D.repair(Cursor);
  countLarge(D);
}

void Instrumenter::run() {
  if (P.WhyNotDuplicable.empty())
    runDuplicated();
  else
    runSingle();
}

void instrument(const PlanInput &In, const Plan &P,
                const Tables::Addresses &Addresses) {
  Instrumenter(In, P, Addresses).run();
}

} // namespace graupel::stride
