//===- Instrumentation.cpp ------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. What loops' records hold is computed before their loops.
//   2. Records of a block that nothing else may write between are a group: one
//      test for room before it, one step of the cursor behind it.
//   3. The cursor is a variable of the function; it is in memory while code
//   runs
//      that may record. Then it becomes registers.
//
//===----------------------------------------------------------------------===//

#include "Instrumentation.h"
#include "NestCode.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace graupel::stride {

namespace {

/// The words of a record, and before which instruction it is written.
struct Record {
  Instruction *Before;
  Constant *First; ///< Site or loop, with the tag.
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
  void recordLoop(const LoopPlan &L, Constant *Address);
  void recordNest(const NestPlan &Nest, Constant *Address);
  void recordReference(const Reference &R, Constant *Site);
  Value *word(IRBuilder<> &B, Value *V) const;
  void groupBlock(BasicBlock &BB);
  void writeGroup(ArrayRef<const Record *> Group);
  void keepCursor();
  Value *cursorAddress(IRBuilder<> &B) const;
  void spill(Instruction *Before);
  void reload(BasicBlock::iterator Before);
  void promote();

  const PlanInput &In;
  const Plan &P;
  const Tables::Addresses &Addresses;
  Function &F;
  Module &M;
  IntegerType *I64;
  PointerType *Pointer;
  GlobalVariable *Shared;
  FunctionCallee Drain;
  AllocaInst *Cursor = nullptr;
  SmallVector<LoadInst *, 8> Reloads;
  SmallVector<StoreInst *, 8> Spills;
  /// What each block writes, in its order.
  MapVector<BasicBlock *, SmallVector<Record, 4>> Records;
};

} // namespace

static GlobalVariable *sharedCursor(Module &M) {
  if (GlobalVariable *Known = M.getNamedGlobal("graupel_stride_cursor"))
    return Known;
  return new GlobalVariable(M, PointerType::getUnqual(M.getContext()), false,
                            GlobalValue::ExternalLinkage, nullptr,
                            "graupel_stride_cursor", nullptr,
                            GlobalValue::InitialExecTLSModel);
}

static FunctionCallee drainFunction(Module &M, PointerType *Pointer) {
  FunctionCallee Drain =
      M.getOrInsertFunction("graupel_stride_drain", Pointer, Pointer);
  auto *F = cast<Function>(Drain.getCallee());
  F->setCallingConv(CallingConv::PreserveAll);
  F->setDoesNotThrow();
  F->addFnAttr(Attribute::Cold);
  // The dynamic linker's lazy binding preserves less.
  F->addFnAttr(Attribute::NonLazyBind);
  return Drain;
}

Instrumenter::Instrumenter(const PlanInput &In, const Plan &P,
                           const Tables::Addresses &Addresses)
    : In(In), P(P), Addresses(Addresses), F(In.F), M(*In.F.getParent()),
      I64(Type::getInt64Ty(M.getContext())),
      Pointer(PointerType::getUnqual(M.getContext())), Shared(sharedCursor(M)),
      Drain(drainFunction(M, Pointer)) {}

Constant *Instrumenter::tagged(Constant *Address,
                               graupel_stride_record Tag) const {
  return Tag ? ConstantExpr::getInBoundsGetElementPtr(
                   Type::getInt8Ty(M.getContext()), Address,
                   ConstantInt::get(I64, Tag))
             : Address;
}

void Instrumenter::recordLoop(const LoopPlan &L, Constant *Address) {
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
  Records[At->getParent()].push_back(std::move(R));
}

void Instrumenter::recordNest(const NestPlan &Nest, Constant *Address) {
  Instruction *At = Nest.L->getLoopPreheader()->getTerminator();
  Records[At->getParent()].push_back(
      {At, tagged(Address, GRAUPEL_STRIDE_RECORD_LOOP),
       expandNest(In, Nest, At)});
}

void Instrumenter::recordReference(const Reference &R, Constant *Site) {
  Record New{R.Inst, Site, {}};
  IRBuilder<> B(R.Inst);
  auto Mask = [&]() -> Value * {
    Value *Bits =
        B.CreateBitCast(R.Mask, IntegerType::get(M.getContext(), R.lanes()));
    return B.CreateZExt(Bits, I64);
  };
  switch (R.How) {
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
  Value *Room = B.CreateLoad(Pointer, Cursor);
  Value *Full =
      B.CreateICmpNE(B.CreateAnd(B.CreatePtrToInt(Room, I64),
                                 ConstantInt::get(I64, GRAUPEL_STRIDE_FULL)),
                     ConstantInt::get(I64, 0));
  BasicBlock *From = Head->getParent();
  Instruction *Then = SplitBlockAndInsertIfThen(
      Full, Head, false,
      MDBuilder(M.getContext()).createUnlikelyBranchWeights());
  IRBuilder<> Slow(Then);
  CallInst *Call = Slow.CreateCall(Drain, Room);
  Call->setCallingConv(CallingConv::PreserveAll);
  if (!Call->getDebugLoc() && F.getSubprogram())
    Call->setDebugLoc(DILocation::get(M.getContext(), 0, 0, F.getSubprogram()));
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
  End.CreateStore(End.CreateConstGEP1_64(I64, Place, Word), Cursor);
}

Value *Instrumenter::cursorAddress(IRBuilder<> &B) const {
  return B.CreateThreadLocalAddress(Shared);
}

void Instrumenter::spill(Instruction *Before) {
  IRBuilder<> B(Before);
  Value *Address = cursorAddress(B);
  Spills.push_back(B.CreateStore(B.CreateLoad(Pointer, Cursor), Address));
}

void Instrumenter::reload(BasicBlock::iterator Before) {
  IRBuilder<> B(Before->getParent(), Before);
  if (F.getSubprogram())
    B.SetCurrentDebugLocation(
        DILocation::get(M.getContext(), 0, 0, F.getSubprogram()));
  LoadInst *Load = B.CreateLoad(Pointer, cursorAddress(B));
  Reloads.push_back(Load);
  B.CreateStore(Load, Cursor);
}

// Around whatever may record, and at the ends of the function.
void Instrumenter::keepCursor() {
  SmallVector<Instruction *, 16> Calls, Ends;
  SmallVector<BasicBlock *, 4> Pads;
  for (BasicBlock &BB : F) {
    if (BB.isLandingPad())
      Pads.push_back(&BB);
    for (Instruction &I : BB) {
      if (mayRecord(I, In.Library))
        Calls.push_back(&I);
      if (isa<ReturnInst, ResumeInst>(I))
        Ends.push_back(&I);
    }
  }
  for (Instruction *I : Calls) {
    auto *Call = dyn_cast<CallInst>(I);
    if (Call && Call->getCalledFunction() == Drain.getCallee())
      continue;
    spill(I);
    if (Call && !Call->isMustTailCall()) {
      reload(std::next(I->getIterator()));
    } else if (auto *Invoke = dyn_cast<InvokeInst>(I)) {
      BasicBlock *To = Invoke->getNormalDest();
      if (!To->getSinglePredecessor())
        To = SplitEdge(Invoke->getParent(), To);
      reload(To->getFirstInsertionPt());
    }
  }
  for (BasicBlock *Pad : Pads)
    reload(Pad->getFirstInsertionPt());
  for (Instruction *I : Ends)
    if (!I->getParent()->getTerminatingMustTailCall())
      spill(I);
}

// What was loaded from memory and not moved is in memory already.
static bool isReload(Value *V, ArrayRef<LoadInst *> Reloads,
                     SmallPtrSetImpl<Value *> &Seen) {
  if (!Seen.insert(V).second)
    return true;
  if (auto *Phi = dyn_cast<PHINode>(V))
    return all_of(Phi->incoming_values(),
                  [&](Value *In) { return isReload(In, Reloads, Seen); });
  return is_contained(Reloads, V);
}

void Instrumenter::promote() {
  DominatorTree DT(F);
  PromoteMemToReg({Cursor}, DT);
  for (StoreInst *S : Spills) {
    SmallPtrSet<Value *, 8> Seen;
    if (isReload(S->getValueOperand(), Reloads, Seen)) {
      auto *Address = cast<Instruction>(S->getPointerOperand());
      S->eraseFromParent();
      if (Address->use_empty())
        Address->eraseFromParent();
    }
  }
  for (LoadInst *L : Reloads)
    if (L->use_empty()) {
      auto *Address = cast<Instruction>(L->getPointerOperand());
      L->eraseFromParent();
      if (Address->use_empty())
        Address->eraseFromParent();
    }
}

void Instrumenter::run() {
  for (auto [L, Address] : zip(P.Loops, Addresses.Loops))
    if (!L.Members.empty())
      recordLoop(L, Address);
  for (auto [Nest, Address] : zip(P.Nests, Addresses.Nests))
    recordNest(Nest, Address);
  for (auto [R, Site, Single] : zip(P.References, Addresses.Sites, P.Single))
    if (Single)
      recordReference(R, Site);

  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  Cursor = B.CreateAlloca(Pointer, nullptr, "graupel.cursor");
  SmallVector<BasicBlock *, 16> Blocks(make_pointer_range(F));
  for (BasicBlock *BB : Blocks)
    groupBlock(*BB);
  keepCursor();
  reload(std::next(Cursor->getIterator()));
  promote();
}

void instrument(const PlanInput &In, const Plan &P,
                const Tables::Addresses &Addresses) {
  Instrumenter(In, P, Addresses).run();
}

} // namespace graupel::stride
