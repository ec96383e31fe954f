//===- Sequences.cpp ------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the instructions of each test, each by itself.
//
// 1. loadTags loads the tags of a range: one load of 1, 2, 4 or 8 bytes, or
//    several of 8 that may overlap. loadSummaries loads the summaries of two
//    or three pages.
// 2. areRefused: or all tags of a kind, mask each kind, and compare once. Loads
//    are refused by the sign of a tag, stores by any bit. Two kinds with masks
//    are compared apart: a mask and a comparison are one instruction.
// 3. testValue and testGathered compare loaded words with the sentinel. A
//    number is tested for NaN instead, where that is allowed
//    (mayCompareNumbers).
// 4. loadLanes loads the tags of each lane. A lane that is off looks at the
//    control page.
// 5. testPollFlag loads the poll flag, and in loops that wait the flag for
//    rests with it.
// 6. callThroughTable, an ablation, calls the routine that a table has for the
//    tag.
//
//===----------------------------------------------------------------------===//

#include "Sequences.h"
#include "graupel/dsm_checks.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace graupel::fgdsm {

static constexpr uint64_t GranuleBytes = 1u << GRAUPEL_DSM_GRANULE_SHIFT;
/// Accesses of memory relative to GS.
static constexpr unsigned GSAddressSpace = 256;

static Value *loadFromGS(IRBuilder<> &B, Value *Offset, Type *T) {
  Value *Pointer = B.CreateIntToPtr(
      Offset, PointerType::get(B.getContext(), GSAddressSpace));
  return B.CreateAlignedLoad(T, Pointer, Align(1), /*isVolatile=*/true);
}

static Value *tagOffset(IRBuilder<> &B, Value *Pointer) {
  return B.CreateLShr(B.CreatePtrToInt(Pointer, B.getInt64Ty()),
                      GRAUPEL_DSM_GRANULE_SHIFT);
}

// Two bytes. A test of some of 16 bits would stall the decoder; of 32, only the
// bits asked for are looked at.
static Tags loadPair(IRBuilder<> &B, Value *Offset, bool Store) {
  return {loadFromGS(B, Offset, B.getIntNTy(Store ? 16 : 32)), 2, Store};
}

// The maximum number of granules that the range touches.
static uint64_t granulesOf(uint64_t Size, Align Alignment) {
  uint64_t Known = std::min(Alignment.value(), GranuleBytes);
  return (GranuleBytes - Known + Size - 1) / GranuleBytes + 1;
}

static unsigned bytesOf(const Value *Integer) {
  return Integer->getType()->getIntegerBitWidth() / 8;
}

std::optional<Tags> loadTags(IRBuilder<> &B, Value *Start, uint64_t Size,
                             Align Alignment, bool Store) {
  if (Size > LongestTagTest)
    return std::nullopt;
  uint64_t Granules = granulesOf(Size, Alignment);
  Value *Offset = tagOffset(B, Start);
  if (Granules == 2)
    return loadPair(B, Offset, Store);
  unsigned Bytes = std::min<uint64_t>(PowerOf2Ceil(Granules), 8);
  Value *All = loadFromGS(B, Offset, B.getIntNTy(8 * Bytes));
  // The last eight overlap those before.
  for (uint64_t First = 8; First < Granules; First += 8) {
    uint64_t At = std::min(First, Granules - 8);
    All = B.CreateOr(All, loadFromGS(B, B.CreateAdd(Offset, B.getInt64(At)),
                                     B.getInt64Ty()));
  }
  // The granules behind belong to another block: they may be refused for long,
  // and each check would then take the slow path in vain.
  return Tags{All, unsigned(std::min<uint64_t>(Granules, 8)), Store};
}

Tags loadSummaries(IRBuilder<> &B, Value *Start, uint64_t MostBytes,
                   bool Store) {
  // Summaries go downwards: the next page's is the byte before.
  Value *Address = B.CreatePtrToInt(Start, B.getInt64Ty());
  Value *Own = B.CreateAShr(B.CreateNot(Address), GRAUPEL_DSM_PAGE_SHIFT);
  if (MostBytes <= 1u << GRAUPEL_DSM_PAGE_SHIFT)
    return loadPair(B, B.CreateAdd(Own, B.getInt64(-1)), Store);
  return {loadFromGS(B, B.CreateAdd(Own, B.getInt64(-2)), B.getInt32Ty()), 3,
          Store};
}

// Whether all that was loaded counts.
static bool isWhole(const Tags &T) {
  return T.Store && T.Looked == bytesOf(T.Bytes);
}

// Loads refuse by the sign of a tag, stores by all of it.
static Value *refusingBits(IRBuilder<> &B, const Tags &T) {
  unsigned Bits = 8 * bytesOf(T.Bytes);
  if (isWhole(T))
    return T.Bytes;
  APInt Refusing(8, T.Store ? 0xff : GRAUPEL_DSM_TAG_INVALID);
  return B.CreateAnd(
      T.Bytes, B.getInt(APInt::getSplat(8 * T.Looked, Refusing).zext(Bits)));
}

SmallVector<Value *, 2> areRefused(IRBuilder<> &B, ArrayRef<Tags> All) {
  // 1. Those of a kind share the mask.
  SmallVector<Tags, 4> Kinds;
  unsigned Widest = 0;
  for (const Tags &T : All) {
    Widest = std::max(Widest, T.Bytes->getType()->getIntegerBitWidth());
    auto Same = find_if(Kinds, [&](const Tags &K) {
      return K.Store == T.Store && K.Looked == T.Looked &&
             K.Bytes->getType() == T.Bytes->getType();
    });
    if (Same == Kinds.end())
      Kinds.push_back(T);
    else
      Same->Bytes = B.CreateOr(Same->Bytes, T.Bytes);
  }
  // 2. Those without a mask share the comparison, with one that has a mask.
  SmallVector<Value *, 2> Refused;
  auto Compare = [&](Value *Bits) {
    Refused.push_back(
        B.CreateICmpNE(Bits, ConstantInt::get(Bits->getType(), 0)));
  };
  const bool Apart =
      count_if(Kinds, [](const Tags &K) { return !isWhole(K); }) > 1;
  Value *Any = nullptr;
  for (const Tags &K : Kinds) {
    Value *Bits = refusingBits(B, K);
    if (Apart && !isWhole(K)) {
      Compare(Bits);
      continue;
    }
    Bits = B.CreateZExt(Bits, B.getIntNTy(Widest));
    Any = Any ? B.CreateOr(Any, Bits) : Bits;
  }
  if (Any)
    Compare(Any);
  return Refused;
}

// The low word of a number, or the first of a vector: a granule's words are all
// the pattern or none.
static Value *firstWord(IRBuilder<> &B, Value *V) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  Type *T = V->getType();
  if (isa<FixedVectorType>(T)) {
    unsigned Words = DL.getTypeStoreSize(T).getFixedValue() / 4;
    Value *AsWords =
        B.CreateBitCast(V, FixedVectorType::get(B.getInt32Ty(), Words));
    return B.CreateExtractElement(AsWords, uint64_t(0));
  }
  if (T->isPointerTy())
    V = B.CreatePtrToInt(V, B.getInt64Ty());
  else if (T->isFloatingPointTy())
    V = B.CreateBitCast(V, B.getIntNTy(T->getPrimitiveSizeInBits()));
  return B.CreateTrunc(V, B.getInt32Ty());
}

// The pattern is NaN, so a floating-point number need not go to a general
// register, nor the pattern to another. Other NaNs take the slow path, too,
// which finds them valid.
static Value *testNumber(IRBuilder<> &B, Value *Loaded) {
  if (isa<FixedVectorType>(Loaded->getType()))
    Loaded = B.CreateExtractElement(Loaded, uint64_t(0));
  // The freeze keeps selection from making the load the comparison's memory
  // operand, and so a second one.
  return B.CreateFCmpUNO(B.CreateFreeze(Loaded),
                         ConstantFP::getZero(Loaded->getType()));
}

bool mayCompareNumbers(const Function &F) {
  return !F.hasFnAttribute(Attribute::StrictFP) &&
         !F.getFnAttribute("no-nans-fp-math").getValueAsBool();
}

Value *testValue(IRBuilder<> &B, Value *Loaded) {
  Type *T = Loaded->getType()->getScalarType();
  if ((T->isFloatTy() || T->isDoubleTy()) &&
      mayCompareNumbers(*B.GetInsertBlock()->getParent()))
    return testNumber(B, Loaded);
  return B.CreateICmpEQ(firstWord(B, Loaded), B.getInt32(GRAUPEL_DSM_SENTINEL));
}

Value *testGathered(IRBuilder<> &B, Value *Loaded) {
  auto *T = cast<FixedVectorType>(Loaded->getType());
  Type *Element = T->getElementType();
  if (Element->isPointerTy())
    Loaded = B.CreatePtrToInt(
        Loaded, FixedVectorType::get(B.getInt64Ty(), T->getNumElements()));
  else if (Element->isFloatingPointTy())
    Loaded = B.CreateBitCast(
        Loaded,
        FixedVectorType::get(B.getIntNTy(Element->getPrimitiveSizeInBits()),
                             T->getNumElements()));
  Value *Words = B.CreateTrunc(
      Loaded, FixedVectorType::get(B.getInt32Ty(), T->getNumElements()));
  Value *Pattern = B.CreateVectorSplat(T->getNumElements(),
                                       B.getInt32(GRAUPEL_DSM_SENTINEL));
  return B.CreateOrReduce(B.CreateICmpEQ(Words, Pattern));
}

Tags loadLanes(IRBuilder<> &B, Value *Pointers, Value *Mask, uint64_t Size,
               Align Alignment, bool Store) {
  unsigned Number =
      cast<FixedVectorType>(Pointers->getType())->getNumElements();
  uint64_t Granules = granulesOf(Size, Alignment);
  Type *T = B.getIntNTy(8 * PowerOf2Ceil(Granules));
  Value *All = nullptr;
  // A lane that is off may hold any address. The control page is always there;
  // if its first bytes look like tags, the slow path finds nothing to do.
  Value *Safe = B.getInt64(0);
  for (unsigned Lane = 0; Lane != Number; ++Lane) {
    Value *Offset = tagOffset(B, B.CreateExtractElement(Pointers, Lane));
    Value *On = B.CreateExtractElement(Mask, Lane);
    Value *One = loadFromGS(B, B.CreateSelect(On, Offset, Safe), T);
    All = All ? B.CreateOr(All, One) : One;
  }
  return {All, unsigned(Granules), Store};
}

Value *testPollFlag(IRBuilder<> &B, bool Waits) {
  static_assert(GRAUPEL_DSM_REST_OFFSET == GRAUPEL_DSM_POLL_OFFSET + 1);
  Type *Flags = Waits ? B.getInt16Ty() : B.getInt8Ty();
  Value *Flag = loadFromGS(B, B.getInt64(GRAUPEL_DSM_POLL_OFFSET), Flags);
  return B.CreateICmpNE(Flag, ConstantInt::get(Flags, 0));
}

//===-- The ablation of many instructions ---------------------------------===//

static FunctionType *routineType(LLVMContext &C) {
  return FunctionType::get(
      Type::getVoidTy(C), {PointerType::get(C, 0), Type::getInt64Ty(C)}, false);
}

// A routine for each tag: one that returns, or the slow path.
static GlobalVariable *routines(Module &M, bool Store) {
  StringRef Name = Store ? "graupel.fgdsm.stores" : "graupel.fgdsm.loads";
  if (GlobalVariable *Table = M.getNamedGlobal(Name))
    return Table;
  LLVMContext &C = M.getContext();
  auto *Allowed = cast<Function>(
      M.getOrInsertFunction("graupel.fgdsm.allowed", routineType(C))
          .getCallee());
  if (Allowed->isDeclaration()) {
    Allowed->setLinkage(GlobalValue::InternalLinkage);
    Allowed->setCallingConv(CallingConv::PreserveAll);
    ReturnInst::Create(C, BasicBlock::Create(C, "", Allowed));
  }
  auto *Slow = cast<Function>(
      M.getOrInsertFunction(Store ? "graupel_dsm_store" : "graupel_dsm_load",
                            routineType(C))
          .getCallee());
  Slow->setCallingConv(CallingConv::PreserveAll);
  SmallVector<Constant *, 256> Entries;
  for (unsigned Tag = 0; Tag != 256; ++Tag)
    Entries.push_back(
        (Store ? Tag == 0 : !(Tag & GRAUPEL_DSM_TAG_INVALID)) ? Allowed : Slow);
  auto *T = ArrayType::get(PointerType::get(C, 0), 256);
  return new GlobalVariable(M, T, true, GlobalValue::InternalLinkage,
                            ConstantArray::get(T, Entries), Name);
}

void callThroughTable(IRBuilder<> &B, Value *Start, uint64_t Size, bool Store) {
  Module &M = *B.GetInsertBlock()->getModule();
  Value *Tag = loadFromGS(B, tagOffset(B, Start), B.getInt8Ty());
  GlobalVariable *Table = routines(M, Store);
  Value *Slot =
      B.CreateInBoundsGEP(Table->getValueType(), Table,
                          {B.getInt64(0), B.CreateZExt(Tag, B.getInt64Ty())});
  Value *Routine = B.CreateLoad(B.getPtrTy(), Slot);
  CallInst *Call = B.CreateCall(routineType(B.getContext()), Routine,
                                {Start, B.getInt64(Size)});
  Call->setCallingConv(CallingConv::PreserveAll);
  Call->setDoesNotThrow();
}

} // namespace graupel::fgdsm
