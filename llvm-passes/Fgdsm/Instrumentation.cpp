//===- Instrumentation.cpp ------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inserts the code for a plan.
//
// 1. run: go through the steps of the plan in order. The option none leaves out
//    all checks, stores leaves out the tests of loads.
// 2. insertTable: move the computation of addresses before the check, load all
//    tags or summaries, and branch to the slow path if any refuses. A range
//    that is too long for a test always takes the slow path. Addresses are
//    computed apart for test, slow path and access where that is possible
//    (separateAddress).
// 3. insertSentinel: test the value behind the load or gather. The slow path
//    makes the memory valid and loads again; a phi takes the place of the
//    value.
// 4. insertLanes: load the tags of all active lanes before a gather or scatter,
//    and branch to the slow path.
// 5. insertPoll: test the poll flag, and call the runtime if it is set.
//    insertLook: only tell what the summaries are.
// 6. Slow paths call graupel_dsm_load or graupel_dsm_store for one range of
//    constant size (callForCheck). For all else they write the ranges, own and
//    live ones, to the set of the function and pass its constant description
//    (callWithSet).
//
//===----------------------------------------------------------------------===//

#include "Instrumentation.h"
#include "Markers.h"
#include "Options.h"
#include "Sequences.h"
#include "StripMining.h"
#include "ValueTests.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace graupel::fgdsm {

namespace {

/// A range as the slow path gets it (graupel_dsm_described): Unit is null if
/// PerUnit is 0.
struct Entry {
  Value *Start;
  uint32_t SizeAndStore;
  uint32_t PerUnit = 0;
  Value *Unit = nullptr;
};

class Inserter {
public:
  Inserter(Function &F, CheckPlan &Plan)
      : F(F), M(*F.getParent()), C(F.getContext()), Plan(Plan),
        I64(Type::getInt64Ty(C)) {}

  void run();

private:
  std::optional<Tags> load(IRBuilder<> &B, const Tested &Test);
  void insertTable(Check &C);
  void insertSentinel(Check &C);
  void insertLanes(Check &C);
  void insertPoll(Poll &P);
  void insertLook(CallBase &Marker);

  /// Splits before At; the result is where slow code goes.
  Instruction *branchIf(Value *Refused, Instruction *At);
  void branchAlso(Instruction &Refused, BasicBlock *Slow, Instruction *At);
  void callWithSet(IRBuilder<> &B, SmallVector<Entry, 8> Entries,
                   const LiveSet &Live, StringRef Single, StringRef Acquire);
  void callForCheck(IRBuilder<> &B, const Check &K);
  Value *startOf(IRBuilder<> &B, const LiveRange &R);
  Entry entryOf(IRBuilder<> &B, const LiveRange &R);
  SmallVector<Entry, 8> laneEntries(IRBuilder<> &B, const Check &C);
  CallInst *call(IRBuilder<> &B, StringRef Entry, ArrayRef<Value *> Arguments);
  Value *setStorage(unsigned Words);
  Constant *describe(ArrayRef<uint32_t> Description);
  const DebugLoc location(const Instruction *I) const;

  Function &F;
  Module &M;
  LLVMContext &C;
  CheckPlan &Plan;
  Type *I64;
  AllocaInst *Storage = nullptr;
  unsigned StorageWords = 0;
};

} // namespace

//===-- Slow paths --------------------------------------------------------===//

const DebugLoc Inserter::location(const Instruction *I) const {
  if (DebugLoc Location = I->getDebugLoc())
    return Location;
  // Calls in functions with line numbers need one.
  if (DISubprogram *Program = F.getSubprogram())
    return DILocation::get(C, 0, 0, Program);
  return DebugLoc();
}

Instruction *Inserter::branchIf(Value *Refused, Instruction *At) {
  return SplitBlockAndInsertIfThen(Refused, At, false,
                                   MDBuilder(C).createUnlikelyBranchWeights());
}

// Moves I, and operands in its block that have no users but moved instructions.
static void moveTogether(Instruction &I, BasicBlock *To) {
  BasicBlock *From = I.getParent();
  I.moveBefore(To->getFirstInsertionPt());
  for (Value *Operand : I.operands())
    if (auto *Def = dyn_cast<Instruction>(Operand);
        Def && Def->getParent() == From && !isa<PHINode, AllocaInst>(Def) &&
        all_of(Def->users(),
               [&](const User *U) {
                 return cast<Instruction>(U)->getParent() == To;
               }) &&
        (isa<LoadInst>(Def)
             ? cast<LoadInst>(Def)->getPointerAddressSpace() == 256
             : isSafeToSpeculativelyExecute(Def)))
      moveTogether(*Def, To);
}

// One more edge to a slow path, from a block between the first branch and all
// that is behind it. Its tags are loaded there, so that one instruction loads
// and compares. Addresses of accesses stay behind it (separateAddress): the
// first branch leads around this block.
void Inserter::branchAlso(Instruction &Refused, BasicBlock *Slow,
                          Instruction *At) {
  BasicBlock *Between = At->getParent();
  BasicBlock *Behind = SplitBlock(Between, Between->begin());
  Slow->getTerminator()->replaceSuccessorWith(Between, Behind);
  Between->getTerminator()->eraseFromParent();
  auto *Branch = BranchInst::Create(Slow, Behind, &Refused, Between->end());
  Branch->setMetadata(LLVMContext::MD_prof,
                      MDBuilder(C).createUnlikelyBranchWeights());
  Branch->setDebugLoc(location(At));
  moveTogether(Refused, Between);
}

CallInst *Inserter::call(IRBuilder<> &B, StringRef Entry,
                         ArrayRef<Value *> Arguments) {
  SmallVector<Type *, 2> Types;
  for (Value *Argument : Arguments)
    Types.push_back(Argument->getType());
  FunctionCallee Callee = M.getOrInsertFunction(
      Entry, FunctionType::get(Type::getVoidTy(C), Types, false));
  auto *Declaration = cast<Function>(Callee.getCallee());
  Declaration->setCallingConv(CallingConv::PreserveAll);
  Declaration->setDoesNotThrow();
  // The dynamic linker's resolver keeps R10 as little as R11.
  Declaration->addFnAttr(Attribute::NonLazyBind);
  CallInst *Call = B.CreateCall(Callee, Arguments);
  Call->setCallingConv(CallingConv::PreserveAll);
  // Merged, calls would lose what they say in reports.
  Call->addFnAttr(Attribute::NoMerge);
  Call->addFnAttr(Attribute::Cold);
  Call->setDoesNotThrow();
  return Call;
}

// The words of a set; one array a function, as large as any slow path needs.
Value *Inserter::setStorage(unsigned Words) {
  StorageWords = std::max(StorageWords, Words);
  if (!Storage) {
    IRBuilder<> B(C);
    BasicBlock &Block = F.getEntryBlock();
    B.SetInsertPoint(&Block, Block.begin());
    Storage = B.CreateAlloca(I64, B.getInt64(Words), "fgdsm.set");
    Storage->setAlignment(Align(8));
  }
  Storage->setOperand(0, ConstantInt::get(I64, StorageWords));
  return Storage;
}

// A graupel_dsm_set; one for all slow paths that have equal ones.
Constant *Inserter::describe(ArrayRef<uint32_t> Description) {
  std::string Name = "graupel.fgdsm.set";
  for (uint32_t Word : Description)
    Name += '.' + std::to_string(Word);
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return Known;
  Constant *Words = ConstantDataArray::get(C, Description);
  auto *Set = new GlobalVariable(M, Words->getType(), true,
                                 GlobalValue::PrivateLinkage, Words, Name);
  Set->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  Set->setAlignment(Align(4));
  return Set;
}

Value *Inserter::startOf(IRBuilder<> &B, const LiveRange &R) {
  if (R.Bytes || !R.Offset)
    return R.Start;
  // The base from which R.Start was computed may be at hand.
  APInt Offset(64, R.Offset, /*isSigned=*/true);
  Value *Base = R.Start->stripAndAccumulateConstantOffsets(
      M.getDataLayout(), Offset, /*AllowNonInbounds=*/true);
  return Offset.isZero() ? Base : B.CreatePtrAdd(R.Start, B.getInt64(R.Offset));
}

// Sizes are (unit * constant + constant) wherever a strip's length is the unit.
Entry Inserter::entryOf(IRBuilder<> &B, const LiveRange &R) {
  static constexpr uint64_t Largest = 1u << 30;
  Value *Start = startOf(B, R);
  Value *Bytes = R.Bytes ? (Value *)R.Bytes : B.getInt64(R.Size);
  Value *Unit;
  uint64_t PerUnit, Fixed;
  if (match(Bytes, m_ConstantInt(Fixed)) && Fixed < Largest)
    return {Start, uint32_t(Fixed << 1 | R.Store)};
  if (match(Bytes, m_Add(m_Mul(m_Value(Unit), m_ConstantInt(PerUnit)),
                         m_ConstantInt(Fixed))) &&
      PerUnit < Largest && Fixed < Largest)
    return {Start, uint32_t(Fixed << 1 | R.Store), uint32_t(PerUnit << 1),
            Unit};
  return {Start, R.Store, 2, Bytes};
}

// Starts, then units.
void Inserter::callWithSet(IRBuilder<> &B, SmallVector<Entry, 8> Entries,
                           const LiveSet &Live, StringRef Single,
                           StringRef Acquire) {
  if (Entries.empty() && Live.empty()) {
    call(B, Single, {});
    return;
  }
  for (const LiveRange &R : Live)
    Entries.push_back(entryOf(B, R));
  SmallVector<Value *, 16> Words;
  SmallVector<uint32_t, 32> Description = {uint32_t(Entries.size())};
  for (const Entry &E : Entries)
    Words.push_back(E.Start);
  for (const Entry &E : Entries) {
    unsigned Unit = 0;
    if (E.Unit) {
      Unit = Entries.size();
      while (Unit != Words.size() && Words[Unit] != E.Unit)
        ++Unit;
      if (Unit == Words.size())
        Words.push_back(E.Unit);
    }
    append_range(Description,
                 ArrayRef<uint32_t>{E.SizeAndStore, E.PerUnit, Unit});
  }
  Value *Set = setStorage(Words.size());
  for (unsigned Index = 0; Index != Words.size(); ++Index)
    B.CreateAlignedStore(
        Words[Index], B.CreateConstInBoundsGEP1_64(I64, Set, Index), Align(8));
  call(B, Acquire, {Set, describe(Description)});
}

// At the slow path's builder: makes valid what the check is about.
void Inserter::callForCheck(IRBuilder<> &B, const Check &K) {
  const LiveRange &First = K.Tests.front().Memory;
  if (K.Live.empty() && K.Tests.size() == 1 && !First.Bytes) {
    call(B, First.Store ? "graupel_dsm_store" : "graupel_dsm_load",
         {startOf(B, First), B.getInt64(First.Size)});
    return;
  }
  SmallVector<Entry, 8> Entries;
  for (const Tested &Test : K.Tests)
    Entries.push_back(entryOf(B, Test.Memory));
  callWithSet(B, std::move(Entries), K.Live, "", "graupel_dsm_acquire_set");
}

//===-- Checks ------------------------------------------------------------===//

// The maximum length of a marker's range.
static uint64_t mostBytesOf(const CallBase &Marker) {
  if (auto *Bytes = dyn_cast<ConstantInt>(Marker.getArgOperand(1)))
    return Bytes->getZExtValue();
  return Marker.getParamAttr(1, Attribute::Range)
      .getRange()
      .getUnsignedMax()
      .getZExtValue();
}

std::optional<Tags> Inserter::load(IRBuilder<> &B, const Tested &Test) {
  const LiveRange &R = Test.Memory;
  if (!Test.Marker)
    return loadTags(B, startOf(B, R), R.Size, Test.Alignment, R.Store);
  const uint64_t MostBytes = mostBytesOf(*Test.Marker);
  if (MostBytes > LongestSummaryTest)
    return std::nullopt;
  Tags Found = loadSummaries(B, R.Start, MostBytes, R.Store);
  auto *Number = cast<Constant>(Test.Marker->getArgOperand(3));
  cast<Instruction>(Found.Bytes)
      ->setMetadata(RangeMetadata,
                    MDNode::get(C, ConstantAsMetadata::get(Number)));
  return Found;
}

// Moves what V is computed of, as the plan made sure is possible.
static void makeKnownAt(Value *V, Instruction *At) {
  auto *I = dyn_cast_or_null<Instruction>(V);
  if (!I || I->getParent() != At->getParent() || I->comesBefore(At))
    return;
  for (Value *Operand : I->operands())
    makeKnownAt(Operand, At);
  I->moveBefore(At->getIterator());
}

// An address that one register holds for the test, the slow path and the access
// cannot be part of the access. So each gets its own, if all it is for is this.
static void separateAddress(GetElementPtrInst &Address, BasicBlock *Slow,
                            BasicBlock *Behind) {
  BasicBlock *Before = Address.getParent();
  Instruction *First = nullptr;
  for (User *U : Address.users()) {
    auto *I = cast<Instruction>(U);
    if (I->getParent() == Behind) {
      if (getLoadStorePointerOperand(I) != &Address ||
          count(I->operand_values(), &Address) != 1)
        return;
      if (!First || I->comesBefore(First))
        First = I;
    } else if (I->getParent() != Slow &&
               (I->getParent() != Before || !isa<PtrToIntInst>(I))) {
      return;
    }
  }
  if (!First)
    return;
  Instruction *Tested = Address.clone(), *Asked = Address.clone();
  Tested->insertBefore(Address.getIterator());
  Asked->insertBefore(Slow->getFirstNonPHIIt());
  Address.replaceUsesWithIf(Tested, [&](Use &U) {
    return cast<Instruction>(U.getUser())->getParent() == Before;
  });
  Address.replaceUsesWithIf(Asked, [&](Use &U) {
    return cast<Instruction>(U.getUser())->getParent() == Slow;
  });
  // Else code generation finds that two are the same, and makes them one.
  IRBuilder<> B(Asked);
  Value *Base = Address.getPointerOperand();
  auto *Opaque =
      InlineAsm::get(FunctionType::get(Base->getType(), Base->getType(), false),
                     "", "=r,0", /*hasSideEffects=*/false);
  Asked->setOperand(GetElementPtrInst::getPointerOperandIndex(),
                    B.CreateCall(Opaque, Base));
  Address.moveBefore(First->getIterator());
}

void Inserter::insertTable(Check &K) {
  for (const Tested &Test : K.Tests) {
    makeKnownAt(Test.Memory.Start, K.At);
    makeKnownAt(Test.Memory.Bytes, K.At);
  }
  IRBuilder<> B(K.At);
  B.SetCurrentDebugLocation(location(K.At));
  if (CheckModeOption == CheckMode::Slow15) {
    for (const Tested &Test : K.Tests)
      callThroughTable(B, startOf(B, Test.Memory), Test.Memory.Size,
                       Test.Memory.Store);
    return;
  }
  SmallVector<Tags, 4> All;
  for (const Tested &Test : K.Tests)
    if (std::optional<Tags> One = load(B, Test))
      All.push_back(*One);
  // A range that is too long for tests in line always takes the slow path.
  Instruction *Slow = K.At;
  SmallVector<Value *, 2> Refused;
  if (All.size() == K.Tests.size()) {
    Refused = areRefused(B, All);
    Slow = branchIf(Refused.front(), K.At);
  }
  B.SetInsertPoint(Slow);
  callForCheck(B, K);
  if (Slow == K.At)
    return;
  for (const Tested &Test : K.Tests)
    if (auto *Address = dyn_cast<GetElementPtrInst>((Value *)Test.Memory.Start);
        Address && !Test.Marker && !Address->hasAllConstantIndices() &&
        Address->getParent() == Slow->getParent()->getSinglePredecessor())
      separateAddress(*Address, Slow->getParent(), K.At->getParent());
  for (Value *Other : drop_begin(Refused))
    branchAlso(*cast<Instruction>(Other), Slow->getParent(), K.At);
}

void Inserter::insertSentinel(Check &K) {
  Instruction *Load = K.At;
  const bool Gather = isa<IntrinsicInst>(Load);
  forgetValue(*Load);
  Instruction *Behind = Load->getNextNode();
  IRBuilder<> B(Behind);
  B.SetCurrentDebugLocation(location(Load));
  Value *Test = Gather ? testGathered(B, Load) : testValue(B, Load);
  Instruction *Slow = branchIf(Test, Behind);
  B.SetInsertPoint(Slow);
  if (Gather)
    callWithSet(B, laneEntries(B, K), K.Live, "", "graupel_dsm_acquire_set");
  else
    callForCheck(B, K);
  Instruction *Again = Load->clone();
  B.Insert(Again);
  B.SetInsertPoint(Behind->getParent(), Behind->getParent()->begin());
  PHINode *Valid = B.CreatePHI(Load->getType(), 2);
  // All but the test use what is valid; so do the plan's handles.
  SmallVector<Use *, 4> TestUses;
  for (Use &U : Load->uses())
    if (auto *User = cast<Instruction>(U.getUser());
        User->getParent() == Load->getParent() && !isa<PHINode>(User))
      TestUses.push_back(&U);
  Load->replaceAllUsesWith(Valid);
  for (Use *U : TestUses)
    U->set(Load);
  Valid->addIncoming(Load, Load->getParent());
  Valid->addIncoming(Again, Slow->getParent());
  Valid->takeName(Load);
}

// All lanes of a gather or scatter; those that are off count for nothing.
SmallVector<Entry, 8> Inserter::laneEntries(IRBuilder<> &B, const Check &K) {
  auto *I = cast<IntrinsicInst>(K.At);
  const LiveRange &OneLane = K.Tests.front().Memory;
  Value *Pointers = OneLane.Start;
  // Computed again, so that it can be part of the gather's address elsewhere.
  if (auto *GEP = dyn_cast<GetElementPtrInst>(Pointers))
    Pointers = B.Insert(GEP->clone());
  Value *Mask = I->getArgOperand(OneLane.Store ? 2 : 1);
  unsigned Number =
      cast<FixedVectorType>(Pointers->getType())->getNumElements();
  SmallVector<Entry, 8> Entries;
  for (unsigned Lane = 0; Lane != Number; ++Lane) {
    Value *On = B.CreateExtractElement(Mask, Lane);
    Entry E = {B.CreateExtractElement(Pointers, Lane), OneLane.Store};
    if (auto *Always = dyn_cast<ConstantInt>(On)) {
      E.SizeAndStore |= Always->isOne() ? OneLane.Size << 1 : 0;
    } else {
      E.PerUnit = OneLane.Size << 1;
      E.Unit = B.CreateZExt(On, I64);
    }
    Entries.push_back(E);
  }
  return Entries;
}

void Inserter::insertLanes(Check &K) {
  auto *I = cast<IntrinsicInst>(K.At);
  IRBuilder<> B(I);
  B.SetCurrentDebugLocation(location(I));
  const Tested &Lane = K.Tests.front();
  bool Store = Lane.Memory.Store;
  Tags All = loadLanes(B, Lane.Memory.Start, I->getArgOperand(Store ? 2 : 1),
                       Lane.Memory.Size, Lane.Alignment, Store);
  B.SetInsertPoint(branchIf(areRefused(B, All).front(), I));
  callWithSet(B, laneEntries(B, K), K.Live, "", "graupel_dsm_acquire_set");
}

//===-- Polls -------------------------------------------------------------===//

void Inserter::insertPoll(Poll &P) {
  IRBuilder<> B(P.At);
  B.SetCurrentDebugLocation(location(P.At));
  Instruction *Slow = branchIf(testPollFlag(B, P.Waits), P.At);
  B.SetInsertPoint(Slow);
  callWithSet(B, {}, P.Live, "graupel_dsm_poll",
              "graupel_dsm_poll_acquire_set");
}

//===-- All ---------------------------------------------------------------===//

// The test of a marker whose range may be refused without a slow path.
void Inserter::insertLook(CallBase &Marker) {
  IRBuilder<> B(&Marker);
  B.SetCurrentDebugLocation(location(&Marker));
  const bool Store = cast<ConstantInt>(Marker.getArgOperand(2))->isOne();
  Marker.replaceAllUsesWith(
      areRefused(B, loadSummaries(B, Marker.getArgOperand(0),
                                  mostBytesOf(Marker), Store))
          .front());
  Marker.eraseFromParent();
}

void Inserter::run() {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isMarker(I, RefusedMarkerName))
      insertLook(cast<CallBase>(I));
  for (PlanStep &Step : Plan.Steps) {
    switch (Step.Kind) {
    case PlanStep::PollStep:
      insertPoll(Plan.Polls[Step.Index]);
      continue;
    case PlanStep::CheckStep:
      break;
    }
    Check &K = Plan.Checks[Step.Index];
    if (CheckModeOption == CheckMode::None)
      continue;
    if (CheckModeOption == CheckMode::Stores)
      erase_if(K.Tests, [](const Tested &T) { return !T.Memory.Store; });
    if (K.Tests.empty())
      continue;
    switch (K.Kind) {
    case CheckKind::Table:
      insertTable(K);
      break;
    case CheckKind::Sentinel:
      insertSentinel(K);
      break;
    case CheckKind::Lanes:
      insertLanes(K);
      break;
    }
  }
}

void instrument(Function &F, CheckPlan &Plan) { Inserter(F, Plan).run(); }

} // namespace graupel::fgdsm
