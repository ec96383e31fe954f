//===- HeldPointers.cpp ---------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds values and private objects that may hold pointers to shared memory.
//
// 1. mayHold: a pointer counts if it may be shared. Another value of 64 bits or
//    more counts if an operand counts (mayCompute), or if it is loaded from a
//    slot (mayLoad). The difference of two pointers does not count.
// 2. slotsOf: reduce a pointer to its object, and look the slots up or collect
//    them. All loads of one variable share their slots.
// 3. collect: begin at the object, or at all loads of the variable that points
//    to it. Follow the uses through offsets, phis, selects and calls of
//    functions of the module, MostDepth deep (follow).
// 4. Add a slot for each stored value that may hold a pointer (addStore), for
//    each slot that a copy brings along (addCopy), and for pointers in the
//    initializer (addInitializer). Stores after the first MostOffsets slots
//    share one without an offset.
// 5. addEnds: note the instructions after which the memory is of a new object.
//
//===----------------------------------------------------------------------===//

#include "HeldPointers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace graupel::fgdsm {

/// Limits of the search in an object: the depth of offsets and calls, and the
/// number of offsets. Stores at further offsets are known by the last one.
static constexpr unsigned MostDepth = 6, MostOffsets = 16;

HeldPointers::HeldPointers(Function &F, const PointerPrivacy &Privacy)
    : Privacy(Privacy), F(F), DL(F.getDataLayout()) {}

// The object that a pointer is into; the pointer itself if there are several.
static Value *baseOf(Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects);
  return Objects.size() == 1 ? const_cast<Value *>(Objects[0]) : Pointer;
}

//===-- Variables that point ----------------------------------------------===//

// A variable of the function that nobody else stores into.
static const AllocaInst *variableOf(const Value *Base) {
  auto *Load = dyn_cast<LoadInst>(Base);
  auto *Variable =
      Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
  if (!Variable || !Load->getType()->isPointerTy())
    return nullptr;
  bool Known = all_of(Variable->users(), [&](const User *U) {
    if (auto *Store = dyn_cast<StoreInst>(U))
      return Store->getPointerOperand() == Variable &&
             Store->getValueOperand() != Variable;
    auto *Intrinsic = dyn_cast<IntrinsicInst>(U);
    return isa<LoadInst>(U) || (Intrinsic && Intrinsic->isLifetimeStartOrEnd());
  });
  return Known ? Variable : nullptr;
}

// Whether the object at the time is still the one that the variable points to.
bool HeldPointers::Place::isCurrent(const Instruction &At) const {
  if (!Variable)
    return true;
  auto *Load = dyn_cast<LoadInst>(getUnderlyingObject(Address));
  if (!Load || Load->getParent() != At.getParent())
    return false;
  // They are close together.
  const Instruction *I = Load;
  while (I && I != &At) {
    auto *Store = dyn_cast<StoreInst>(I);
    if (Store && Store->getPointerOperand() == Variable)
      return false;
    I = I->getNextNode();
  }
  return I;
}

//===-- Values ------------------------------------------------------------===//

bool HeldPointers::mayHold(Value *V) {
  Visited Seen;
  return mayHold(V, Seen);
}

bool HeldPointers::mayHold(Value *V, Visited &Seen) {
  Type *T = V->getType();
  if (T->isPtrOrPtrVectorTy())
    return mayBeShared(V);
  if (auto *Cast = dyn_cast<PtrToIntOperator>(V))
    return mayBeShared(Cast->getPointerOperand());
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !T->isSized() || T->isScalableTy() || DL.getTypeSizeInBits(T) < 64)
    return false;
  auto [Place, IsNew] = Seen.try_emplace(V, false);
  return IsNew ? Seen[V] = mayCompute(*I, Seen) : Place->second;
}

bool HeldPointers::mayCompute(Instruction &I, Visited &Seen) {
  auto AnyOf = [&](auto &&Operands) {
    return any_of(Operands, [&](Value *O) { return mayHold(O, Seen); });
  };
  switch (I.getOpcode()) {
  case Instruction::Load:
    return mayLoad(cast<LoadInst>(I), Seen);
  case Instruction::Sub: {
    // The difference of two pointers is none.
    bool First = mayHold(I.getOperand(0), Seen);
    return First != mayHold(I.getOperand(1), Seen);
  }
  case Instruction::Select:
    return AnyOf(drop_begin(I.operand_values()));
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::BitCast:
  case Instruction::Freeze:
  case Instruction::PHI:
  case Instruction::InsertElement:
  case Instruction::ExtractElement:
  case Instruction::ShuffleVector:
  case Instruction::InsertValue:
  case Instruction::ExtractValue:
    return AnyOf(I.operand_values());
  default:
    return isa<BinaryOperator>(I) && AnyOf(I.operand_values());
  }
}

bool HeldPointers::mayLoad(LoadInst &Load, Visited &Seen) {
  Value *Pointer = Load.getPointerOperand();
  std::optional<int64_t> Begin = offsetInBase(Pointer);
  int64_t Size = DL.getTypeStoreSize(Load.getType());
  return any_of(collect(baseOf(Pointer), Seen), [&](const HeldSlot &S) {
    return !Begin || !S.Offset ||
           (*S.Offset < *Begin + Size && *Begin < *S.Offset + 8);
  });
}

//===-- Objects -----------------------------------------------------------===//

std::optional<int64_t> HeldPointers::offsetInBase(Value *Pointer) const {
  APInt Begin(64, 0);
  const Value *Base = Pointer->stripAndAccumulateConstantOffsets(
      DL, Begin, /*AllowNonInbounds=*/true);
  if (Base != baseOf(Pointer))
    return std::nullopt;
  return Begin.getSExtValue();
}

HeldPointers::Slots HeldPointers::slotsOf(Value *Pointer) {
  Value *Base = baseOf(Pointer);
  // All that is loaded from a variable has the same slots.
  const AllocaInst *Variable = variableOf(Base);
  std::pair<const Value *, unsigned> Key(Variable ? Variable : Base,
                                         Variable != nullptr);
  auto [Place, IsNew] = Known.try_emplace(Key);
  if (IsNew) {
    Visited Seen;
    Slots Found = collect(Base, Seen);
    Known[Key] = std::move(Found);
  }
  Slots Found = Known[Key];
  for (HeldSlot &S : Found)
    S.Base = Base;
  return Found;
}

// Instructions after which the memory at Base is of a new object.
static void addEnds(HeldSlot &S) {
  if (const AllocaInst *Variable = variableOf(S.Base)) {
    for (const User *U : Variable->users())
      if (auto *Store = dyn_cast<StoreInst>(U))
        S.Ends.push_back(const_cast<StoreInst *>(Store));
  } else if (isa<AllocaInst>(S.Base)) {
    for (User *U : S.Base->users())
      if (auto *Start = dyn_cast<IntrinsicInst>(U);
          Start && Start->getIntrinsicID() == Intrinsic::lifetime_start)
        S.Ends.push_back(Start);
  }
  if (auto *Made = dyn_cast<Instruction>(S.Base); Made && !isa<LoadInst>(Made))
    S.Ends.push_back(Made);
}

HeldPointers::Slots HeldPointers::collect(Value *Base, Visited &Seen) {
  Slots Found;
  if (const AllocaInst *Variable = variableOf(Base)) {
    for (const User *U : Variable->users())
      if (auto *Load = const_cast<LoadInst *>(dyn_cast<LoadInst>(U)))
        follow(Found, Base, {Load, 0, Variable, nullptr, MostDepth}, Seen);
  } else if (isa<AllocaInst>(Base) || isa<GlobalVariable>(Base) ||
             isa<Argument>(Base) || isa<CallBase>(Base)) {
    follow(Found, Base, {Base, 0, nullptr, nullptr, MostDepth}, Seen);
  }
  if (auto *G = dyn_cast<GlobalVariable>(Base); G && G->hasInitializer())
    addInitializer(Found, Base, *G->getInitializer(), 0);
  for (HeldSlot &S : Found)
    addEnds(S);
  return Found;
}

void HeldPointers::follow(Slots &Into, Value *Base, Place P, Visited &Seen) {
  if (!P.Depth)
    return;
  Place Next = P;
  --Next.Depth;
  for (User *U : P.Address->users()) {
    if (auto *Store = dyn_cast<StoreInst>(U)) {
      if (Store->getPointerOperand() == P.Address)
        addStore(Into, Base, P, *Store, Seen);
      else if (isa<Argument>(P.Address) && P.Call)
        followVariable(Into, Base, Next, *Store, Seen);
    } else if (auto *GEP = dyn_cast<GEPOperator>(U)) {
      APInt More(64, 0);
      Next.Address = GEP;
      Next.Offset.reset();
      if (P.Offset && GEP->accumulateConstantOffset(DL, More))
        Next.Offset = *P.Offset + More.getSExtValue();
      if (GEP->getPointerOperand() == P.Address)
        follow(Into, Base, Next, Seen);
    } else if (isa<PHINode>(U) || isa<SelectInst>(U)) {
      Next.Address = U;
      Next.Offset.reset();
      if (Seen.try_emplace(U, false).second)
        follow(Into, Base, Next, Seen);
    } else if (auto *Call = dyn_cast<CallBase>(U)) {
      followCall(Into, Base, P, *Call, Seen);
    }
  }
}

// An argument that is kept in memory all the time.
void HeldPointers::followVariable(Slots &Into, Value *Base, Place P,
                                  StoreInst &Store, Visited &Seen) {
  for (User *U : Store.getPointerOperand()->users()) {
    auto *Load = dyn_cast<LoadInst>(U);
    const AllocaInst *Variable = Load ? variableOf(Load) : nullptr;
    if (!Variable || count_if(Variable->users(), [](const User *U) {
                       return isa<StoreInst>(U);
                     }) != 1)
      continue;
    P.Address = Load;
    follow(Into, Base, P, Seen);
  }
}

void HeldPointers::followCall(Slots &Into, Value *Base, Place P, CallBase &Call,
                              Visited &Seen) {
  if (auto *Copy = dyn_cast<AnyMemTransferInst>(&Call)) {
    if (Copy->getRawDest() == P.Address && Seen.try_emplace(Copy, false).second)
      addCopy(Into, Base, P, Call, Seen);
    return;
  }
  // A function of this module that sets the object up.
  const Function *Callee = Call.getCalledFunction();
  if (!P.Offset || !Callee || Callee->isDeclaration() || !P.isCurrent(Call))
    return;
  for (Argument &A : const_cast<Function *>(Callee)->args())
    if (Call.getArgOperand(A.getArgNo()) == P.Address)
      follow(Into, Base,
             {&A, P.Offset, nullptr, P.Call ? P.Call : &Call, P.Depth - 1},
             Seen);
}

//===-- Slots -------------------------------------------------------------===//

/// Store is null for what lies there from the beginning.
static void addSlot(SmallVectorImpl<HeldSlot> &Into, Value *Base,
                    std::optional<int64_t> Offset, Instruction *Store,
                    bool Always) {
  if (Into.size() >= MostOffsets) {
    if (Always || !isa<StoreInst>(Store))
      return;
    Offset.reset();
  }
  auto *S =
      find_if(Into, [&](const HeldSlot &S) { return S.Offset == Offset; });
  if (S == Into.end())
    S = &Into.emplace_back(HeldSlot{Base, Offset, {}, {}, Always});
  if (Store && !is_contained(S->Stores, Store))
    S->Stores.push_back(Store);
}

void HeldPointers::addInitializer(Slots &Into, Value *Base, Constant &C,
                                  int64_t Offset) {
  if (C.getType()->isPointerTy()) {
    if (mayBeShared(&C))
      addSlot(Into, Base, Offset, nullptr, /*Always=*/true);
    return;
  }
  // Other constants have no pointer operands.
  if (!isa<ConstantStruct, ConstantArray>(C))
    return;
  for (unsigned I = 0; I != C.getNumOperands(); ++I) {
    const uint64_t At =
        isa<ConstantStruct>(C)
            ? DL.getStructLayout(cast<StructType>(C.getType()))
                  ->getElementOffset(I)
            : I * DL.getTypeAllocSize(C.getType()->getArrayElementType());
    addInitializer(Into, Base, *cast<Constant>(C.getOperand(I)), Offset + At);
  }
}

void HeldPointers::addStore(Slots &Into, Value *Base, Place P, StoreInst &Store,
                            Visited &Seen) {
  Value *Stored = Store.getValueOperand();
  Instruction &At = P.Call ? static_cast<Instruction &>(*P.Call) : Store;
  // Globals have a value before anybody stores into them.
  bool Always = isa<GlobalVariable>(Base) && P.Offset;
  if (!mayHold(Stored, Seen) || (!Always && At.getFunction() != &F) ||
      !P.isCurrent(Store))
    return;
  int64_t Size = DL.getTypeStoreSize(Stored->getType());
  if (!P.Offset && P.Call)
    return;
  if (!P.Offset)
    return addSlot(Into, Base, std::nullopt, &Store, false);
  for (int64_t Word = 0; Word + 8 <= Size; Word += 8)
    addSlot(Into, Base, *P.Offset + Word, &At, Always);
}

void HeldPointers::addCopy(Slots &Into, Value *Base, Place P, CallBase &Copy,
                           Visited &Seen) {
  Instruction &At = P.Call ? *P.Call : Copy;
  auto *Length = dyn_cast<ConstantInt>(Copy.getArgOperand(2));
  Value *Source = Copy.getArgOperand(1);
  std::optional<int64_t> From = offsetInBase(Source);
  if (!P.Offset || !Length || !From || At.getFunction() != &F ||
      !P.isCurrent(Copy))
    return;
  for (const HeldSlot &S : collect(baseOf(Source), Seen))
    if (S.Offset && *S.Offset >= *From &&
        *S.Offset + 8 <= *From + Length->getSExtValue())
      addSlot(Into, Base, *P.Offset + *S.Offset - *From, &At, false);
}

void HeldSlot::print(raw_ostream &OS) const {
  Base->printAsOperand(OS, false);
  OS << '[';
  if (Offset)
    OS << *Offset;
  else
    OS << '?';
  OS << ']';
}

} // namespace graupel::fgdsm
