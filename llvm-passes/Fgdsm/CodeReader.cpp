//===- CodeReader.cpp -----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads back from the code which memory a test or a call of the runtime makes
// valid.
//
// 1. readTest: split the condition of a branch into comparisons with zero, and
//    the compared value into loads relative to GS, through or, zext and and.
//    The mask tells how many bytes count, and whether for stores.
// 2. Match the offset of each load: summaries of two pages (readSummaries), the
//    tag of a lane (readLane), tags from a pointer on (readTag). Tags count up
//    to the first gap.
// 3. readValueTest: match a comparison of a loaded word, of the lanes of a
//    gather or of a number with the sentinel. The load must be aligned to its
//    size, so that it lies within a granule.
// 4. originalOf: look through empty assembly that copies a value.
// 5. readEntry: for graupel_dsm_load and graupel_dsm_store take pointer and
//    constant size. For a set, read its words from the stores before the call
//    and its layout from the constant description (readSet). A poll makes
//    nothing valid.
// 6. A function that does nothing but pass on its arguments is what it calls
//    (entryOf), and assembly that computes an address is that (placeOf).
//
//===----------------------------------------------------------------------===//

#include "CodeReader.h"
#include "ValueTests.h"
#include "graupel/dsm_checks.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace graupel::fgdsm {

//===-- Tests -------------------------------------------------------------===//

// Leaves of a tree of ors.
static void collectLeaves(const Value *V, SmallVectorImpl<const Value *> &Out) {
  const Value *A, *B;
  if (match(V, m_Or(m_Value(A), m_Value(B)))) {
    collectLeaves(A, Out);
    collectLeaves(B, Out);
  } else {
    Out.push_back(V);
  }
}

// The offset from GS that a leaf loads at.
static const Value *offsetOf(const Value *Leaf) {
  auto *Load = dyn_cast<LoadInst>(Leaf);
  const Value *Offset;
  if (!Load || !Load->isVolatile() || Load->getPointerAddressSpace() != 256 ||
      !match(Load->getPointerOperand(), m_IntToPtr(m_Value(Offset))))
    return nullptr;
  return Offset;
}

// gs:[(Pointer >> 5) + First]
static const Value *matchTag(const Value *Offset, uint64_t &First) {
  const Value *Pointer;
  const APInt *Constant;
  First = 0;
  const Value *Granule = Offset;
  if (match(Offset, m_Add(m_Value(Granule), m_APInt(Constant))))
    First = Constant->getZExtValue();
  else
    Granule = Offset;
  if (match(Granule, m_LShr(m_PtrToInt(m_Value(Pointer)),
                            m_SpecificInt(GRAUPEL_DSM_GRANULE_SHIFT))))
    return Pointer;
  return nullptr;
}

namespace {

/// Bytes loaded relative to GS that all are zero, or not negative.
struct Leaf {
  const Instruction *Load;
  const Value *Offset;
  unsigned Width;
  bool Store;
};

/// The granules from a pointer's on.
using Granules = MapVector<PointerIntPair<const Value *, 1, bool>, BitVector>;

} // namespace

// The facts that hold if V is zero in the bits of Mask: the leaves of a tree of
// ors.
static void collectLeaves(const Value *V, APInt Mask,
                          SmallVectorImpl<Leaf> &Out) {
  const Value *A, *B;
  const APInt *Bits;
  if (match(V, m_Or(m_Value(A), m_Value(B)))) {
    collectLeaves(A, Mask, Out);
    collectLeaves(B, Mask, Out);
  } else if (match(V, m_ZExt(m_Value(A)))) {
    collectLeaves(A, Mask.trunc(A->getType()->getIntegerBitWidth()), Out);
  } else if (match(V, m_And(m_Value(A), m_APInt(Bits)))) {
    collectLeaves(A, Mask & *Bits, Out);
  } else if (const Value *Offset = offsetOf(V)) {
    // Bytes that are not looked at are behind the others.
    unsigned Loads = 0, Stores = 0, Width = Mask.getBitWidth() / 8;
    while (Loads != Width && Mask[8 * Loads + 7])
      ++Loads;
    while (Stores != Width && Mask.extractBits(8, 8 * Stores).isAllOnes())
      ++Stores;
    bool Store = Stores != 0;
    if (Loads != 0)
      Out.push_back(
          {cast<Instruction>(V), Offset, Store ? Stores : Loads, Store});
  }
}

static void readTag(const Leaf &L, Granules &Found) {
  uint64_t First;
  const Value *Pointer = matchTag(L.Offset, First);
  if (!Pointer)
    return;
  BitVector &Tested = Found[{Pointer, L.Store}];
  if (First + L.Width <= 4096) {
    Tested.resize(4097);
    Tested.set(First, First + L.Width);
  }
}

// A binary operation, which on addresses of globals is a constant expression.
static bool isBinary(const Value *V, unsigned Opcode, const Value *&A,
                     const Value *&B) {
  auto *Op = dyn_cast<Operator>(V);
  if (!Op || Op->getOpcode() != Opcode)
    return false;
  A = Op->getOperand(0);
  B = Op->getOperand(1);
  return true;
}

// gs:[(~Address >> 12) - 1], and the byte behind, or one more of each.
static bool readSummaries(const Leaf &L, EstablishedList &List) {
  const Value *Own, *Not, *Address, *Ones, *Start;
  if ((L.Width != 2 && L.Width != 3) ||
      !match(L.Offset,
             m_Add(m_Value(Own), m_SpecificInt(uint64_t(1) - L.Width))) ||
      !match(Own,
             m_AShr(m_Value(Not), m_SpecificInt(GRAUPEL_DSM_PAGE_SHIFT))) ||
      !isBinary(Not, Instruction::Xor, Address, Ones) ||
      !match(Ones, m_AllOnes()) || !match(Address, m_PtrToInt(m_Value(Start))))
    return false;
  List.push_back(
      {Established::Pages, Start, 0, nullptr, L.Store, 0, 0, L.Load});
  return true;
}

// The tag of a lane, if that is on.
static void readLane(const Leaf &L, EstablishedList &List) {
  const Value *Offset = L.Offset, *On, *Vector;
  uint64_t First, Lane;
  match(Offset, m_Select(m_Value(On), m_Value(Offset), m_Zero()));
  const Value *Pointer = matchTag(Offset, First);
  if (!Pointer || First != 0 ||
      !match(Pointer, m_ExtractElt(m_Value(Vector), m_ConstantInt(Lane))))
    return;
  List.push_back(
      {Established::LaneTags, Vector, L.Width, nullptr, L.Store, Lane});
}

static EstablishedList readOne(const Value *Refused) {
  const Value *Bytes;
  CmpPredicate Predicate;
  EstablishedList List;
  if (!match(Refused, m_ICmp(Predicate, m_Value(Bytes), m_Zero())) ||
      Predicate != CmpInst::ICMP_NE || !Bytes->getType()->isIntegerTy())
    return List;
  SmallVector<Leaf, 8> Leaves;
  collectLeaves(
      Bytes, APInt::getAllOnes(Bytes->getType()->getIntegerBitWidth()), Leaves);
  Granules Tags;
  for (const Leaf &L : Leaves)
    if (!readSummaries(L, List)) {
      // A lane's pointer may be a pointer of its own, too.
      readLane(L, List);
      readTag(L, Tags);
    }
  for (auto &[Granule, Tested] : Tags)
    if (!Tested.empty() && Tested.test(0))
      List.push_back({Established::Tags, Granule.getPointer(),
                      uint64_t(Tested.find_next_unset(0)), nullptr,
                      Granule.getInt()});
  return List;
}

EstablishedList readTest(const BranchInst &Branch) {
  EstablishedList List;
  if (!Branch.isConditional())
    return List;
  SmallVector<const Value *, 8> Tests;
  collectLeaves(Branch.getCondition(), Tests);
  for (const Value *Test : Tests)
    append_range(List, readOne(Test));
  return List;
}

// The instruction from which a word, or a vector of a word per lane, was made.
static const Instruction *matchWords(const Value *Words) {
  const Value *V = Words, *Inner;
  if (match(V, m_Trunc(m_Value(Inner))))
    V = Inner;
  if (match(V, m_ExtractElt(m_Value(Inner), m_Zero())))
    V = Inner;
  if (match(V, m_BitCast(m_Value(Inner))) ||
      match(V, m_PtrToInt(m_Value(Inner))))
    V = Inner;
  return dyn_cast<Instruction>(V);
}

static const Instruction *matchGatherTest(const Value *Condition) {
  const Value *Words;
  CmpPredicate Predicate;
  if (!match(Condition, m_Intrinsic<Intrinsic::vector_reduce_or>(
                            m_ICmp(Predicate, m_Value(Words),
                                   m_SpecificInt(GRAUPEL_DSM_SENTINEL)))) ||
      Predicate != CmpInst::ICMP_EQ)
    return nullptr;
  // One word of each lane, which has to lie within a granule.
  auto *Gather = dyn_cast_or_null<IntrinsicInst>(matchWords(Words));
  if (!Gather || Gather->getIntrinsicID() != Intrinsic::masked_gather)
    return nullptr;
  auto *T = cast<FixedVectorType>(Gather->getType());
  uint64_t Bytes = Gather->getFunction()->getDataLayout().getTypeStoreSize(
      T->getElementType());
  if (cast<FixedVectorType>(Words->getType())->getNumElements() !=
          T->getNumElements() ||
      Gather->getParamAlign(0).valueOrOne().value() < Bytes ||
      assumesValue(*Gather))
    return nullptr;
  return Gather;
}

// A number, or the first of a vector, of which is asked whether it is NaN, as
// the pattern is.
static const Instruction *matchNumberTest(const Value *Condition) {
  const Value *Number, *Inner;
  CmpPredicate Predicate;
  if (!match(Condition, m_FCmp(Predicate, m_Value(Number), m_AnyZeroFP())) ||
      Predicate != CmpInst::FCMP_UNO ||
      cast<Instruction>(Condition)->hasNoNaNs() ||
      cast<Instruction>(Condition)
          ->getFunction()
          ->getFnAttribute("no-nans-fp-math")
          .getValueAsBool() ||
      !(Number->getType()->isFloatTy() || Number->getType()->isDoubleTy()))
    return nullptr;
  if (match(Number, m_Freeze(m_Value(Inner))))
    Number = Inner;
  if (match(Number, m_ExtractElt(m_Value(Inner), m_Zero())))
    Number = Inner;
  return dyn_cast<Instruction>(Number);
}

static const Instruction *matchWordTest(const Value *Condition) {
  const Value *Word;
  CmpPredicate Predicate;
  if (!match(Condition, m_ICmp(Predicate, m_Value(Word),
                               m_SpecificInt(GRAUPEL_DSM_SENTINEL))) ||
      Predicate != CmpInst::ICMP_EQ || !Word->getType()->isIntegerTy(32))
    return nullptr;
  return matchWords(Word);
}

const Instruction *readValueTest(const BranchInst &Branch) {
  if (!Branch.isConditional())
    return nullptr;
  const Value *Condition = Branch.getCondition();
  if (const Instruction *Gather = matchGatherTest(Condition))
    return Gather;
  const Instruction *Tested = matchWordTest(Condition);
  if (!Tested)
    Tested = matchNumberTest(Condition);
  auto *Load = dyn_cast_or_null<LoadInst>(Tested);
  // Within a granule, all words of which are the sentinel or none.
  if (!Load || Load->isVolatile() || assumesValue(*Load) ||
      !isLoadedAtOnce(*Load->getType(), Load->getDataLayout()) ||
      Load->getAlign().value() <
          Load->getDataLayout().getTypeStoreSize(Load->getType()))
    return nullptr;
  return Load;
}

// Assembly without instructions whose result is in its argument's register.
const Value *originalOf(const Value *V) {
  auto *Call = dyn_cast<CallInst>(V);
  auto *Copy = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  bool IsCopy = Copy && Copy->getAsmString().empty() &&
                Copy->getConstraintString() == "=r,0";
  return IsCopy ? Call->getArgOperand(0) : V;
}

//===-- Entries -----------------------------------------------------------===//

// One range of a set, as graupel_dsm_described has it.
static std::optional<Established> readRange(const Value *Start,
                                            uint64_t SizeAndStore,
                                            uint64_t PerUnit,
                                            const Value *Unit) {
  const Value *Vector = nullptr;
  uint64_t Lane = 0, Fixed = SizeAndStore >> 1;
  bool Store = SizeAndStore & 1;
  bool IsLane =
      match(Start, m_ExtractElt(m_Value(Vector), m_ConstantInt(Lane)));
  if (PerUnit == 0)
    return Established{IsLane ? Established::LaneBytes : Established::Bytes,
                       IsLane ? Vector : Start,
                       Fixed,
                       nullptr,
                       Store,
                       Lane};
  if (!Unit || PerUnit % 2 != 0)
    return std::nullopt;
  // A lane's length is 0 if it is off.
  const Value *On;
  if (IsLane && match(Unit, m_ZExt(m_Value(On))) &&
      On->getType()->isIntegerTy(1))
    return Established{
        Established::LaneBytes, Vector, PerUnit >> 1, nullptr, Store, Lane};
  return Established{Established::Strip, Start, Fixed, Unit, Store, 0,
                     PerUnit >> 1};
}

// Assembly whose result is the address of its argument.
const Value *placeOf(const Value *V) {
  auto *Call = dyn_cast<CallInst>(V);
  auto *Load = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  if (!Load || Load->getDialect() != InlineAsm::AD_ATT)
    return V;
  StringRef Text = Load->getAsmString(), Where = Load->getConstraintString();
  bool IsPlace = (Text == "leaq $1, $0" && Where == "=r,*m") ||
                 (Text == "leaq ${1:a}, $0" && Where == "=r,i");
  return IsPlace ? Call->getArgOperand(0) : V;
}

// The callee of a function that does nothing but call it, or F.
static const Function &entryOf(const Function &F) {
  if (F.isDeclaration() || F.size() != 1 || F.front().size() != 2)
    return F;
  auto *Call = dyn_cast<CallInst>(&F.front().front());
  const Function *Entry = Call ? Call->getCalledFunction() : nullptr;
  if (!Entry || !isa<ReturnInst>(F.front().back()) ||
      Entry->getFunctionType() != F.getFunctionType() ||
      !equal(F.args(), Call->args(),
             [](const Argument &A, const Use &U) { return &A == U.get(); }))
    return F;
  return *Entry;
}

// The set as it is written right before the call, and as it is described.
static EstablishedList readSet(const CallBase &Call) {
  const Value *Set = placeOf(Call.getArgOperand(0));
  auto *Described = dyn_cast<GlobalVariable>(placeOf(Call.getArgOperand(1)));
  if (!isa<AllocaInst>(Set) || !Described || !Described->isConstant() ||
      !Described->hasDefinitiveInitializer())
    return {};
  auto *Description = dyn_cast<ConstantDataArray>(Described->getInitializer());
  if (!Description || !Description->getElementType()->isIntegerTy(32))
    return {};
  DenseMap<int64_t, const Value *> Words;
  const DataLayout &DL = Call.getFunction()->getDataLayout();
  for (const Instruction &I :
       make_range(Call.getParent()->begin(), Call.getIterator())) {
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store)
      continue;
    APInt Offset(64, 0);
    if (Store->getPointerOperand()->stripAndAccumulateConstantOffsets(
            DL, Offset, true) == Set)
      Words[Offset.getSExtValue()] = Store->getValueOperand();
  }
  EstablishedList List;
  uint64_t Count = Description->getElementAsInteger(0);
  if (Description->getNumElements() < 3 * Count + 1)
    return {};
  for (uint64_t I = 0; I != Count; ++I) {
    auto Field = [&](unsigned Number) {
      return Description->getElementAsInteger(3 * I + Number + 1);
    };
    const Value *Start = Words.lookup(8 * I);
    if (!Start)
      return {};
    if (auto One =
            readRange(Start, Field(0), Field(1), Words.lookup(8 * Field(2)))) {
      List.push_back(*One);
      // A lane's pointer may be a pointer of its own, too.
      if (One->Kind == Established::LaneBytes && Field(1) == 0)
        List.push_back(
            {Established::Bytes, Start, One->Count, nullptr, One->Store});
    }
  }
  return List;
}

std::optional<EstablishedList> readEntry(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  if (!F)
    return std::nullopt;
  StringRef Name = entryOf(*F).getName();
  if (Name == "graupel_dsm_load" || Name == "graupel_dsm_store") {
    auto *Size = dyn_cast<ConstantInt>(Call.getArgOperand(1));
    if (!Size)
      return EstablishedList();
    return EstablishedList{{Established::Bytes, Call.getArgOperand(0),
                            Size->getZExtValue(), nullptr,
                            Name == "graupel_dsm_store"}};
  }
  if (Name == "graupel_dsm_acquire_set" ||
      Name == "graupel_dsm_poll_acquire_set")
    return readSet(Call);
  if (Name == "graupel_dsm_poll")
    return EstablishedList();
  return std::nullopt;
}

} // namespace graupel::fgdsm
