//===- Alignments.cpp - Which accesses may be misaligned ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access that is aligned to its size lies within a granule, so its check
// looks at one tag, or at the value itself. The alignment in the IR is that of
// the type in the source. `*(long *)(bytes + 124)` is undefined in C, but x86
// executes it, and programs contain it. Such an access must not lose the half
// that lies in another block. So alignment is believed only if nothing in the
// code speaks against it:
//
//  1. From the access, follow the address to what it is made of: through
//     offsets, phis, selects, casts, masks; arguments of functions whose
//     callers are all known, results of functions of the module, and variables
//     that are only loaded and stored.
//  2. An offset must be a multiple of the alignment: its constant part, and the
//     stride of each index times the known factor of the index.
//  3. Where the path ends (an argument of unknown callers, a pointer in memory,
//     an allocator), the type is trusted.
//  4. An access whose alignment is in doubt gets the lower one, which its check
//     and the code generator then work with. Atomic instructions keep theirs,
//     because the code generator would call the library otherwise; for checks
//     it stands in metadata.
//
// Nothing is paid where types and offsets agree, which is all correct code.
//
//===----------------------------------------------------------------------===//

#include "Alignments.h"
#include "Access.h"
#include "Markers.h"
#include "Options.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/Debug.h"

#define DEBUG_TYPE "fgdsm-alignments"

using namespace llvm;
using namespace llvm::PatternMatch;

STATISTIC(NumDoubted, "Accesses whose alignment is in doubt");

namespace graupel::fgdsm {

namespace {

/// Steps 1 to 3 for one pointer. The result is the least of all contributions,
/// so the order of the walk does not matter, and cycles end.
class Walk {
public:
  explicit Walk(const DataLayout &DL) : DL(DL) {}

  /// log2 of the alignment.
  unsigned run(const Value &Pointer);

private:
  void visit(const Value &V);
  void visitOffsets(const Value &V);
  void visitInteger(const Value &V);
  void visitCall(const CallBase &Call);
  bool visitVariable(const Value &Slot);
  bool visitCallers(const Argument &A);
  void contribute(unsigned Bits) { Least = std::min(Least, Bits); }
  void contribute(const APInt &Offset) {
    if (!Offset.isZero())
      contribute(Offset.countr_zero());
  }
  unsigned zerosOf(const Value &Number) const {
    return computeKnownBits(&Number, DL).countMinTrailingZeros();
  }
  void add(const Value *V) {
    if (Seen.insert(V).second)
      Worklist.push_back(V);
  }

  const DataLayout &DL;
  static constexpr unsigned Trusted = 32;
  /// More values than this and nothing is believed.
  static constexpr unsigned MostSeen = 2000;
  unsigned Least = Trusted;
  SmallVector<const Value *, 16> Worklist;
  SmallPtrSet<const Value *, 32> Seen;
};

} // namespace

unsigned Walk::run(const Value &Pointer) {
  add(&Pointer);
  while (!Worklist.empty() && Least != 0) {
    if (Seen.size() > MostSeen)
      return 0;
    visit(*Worklist.pop_back_val());
  }
  return Least;
}

void Walk::visit(const Value &V) {
  if (isa<GEPOperator>(V))
    return visitOffsets(V);
  if (!V.getType()->isPtrOrPtrVectorTy())
    return visitInteger(V);
  if (isa<AddrSpaceCastOperator, BitCastOperator, FreezeInst>(V) ||
      isa<ExtractElementInst>(V))
    return add(cast<User>(V).getOperand(0));
  if (isa<InsertElementInst, ShuffleVectorInst>(V)) {
    add(cast<User>(V).getOperand(0));
    return add(cast<User>(V).getOperand(1));
  }
  if (auto *Phi = dyn_cast<PHINode>(&V)) {
    for (const Value *Incoming : Phi->incoming_values())
      add(Incoming);
    return;
  }
  if (auto *Select = dyn_cast<SelectInst>(&V)) {
    add(Select->getTrueValue());
    return add(Select->getFalseValue());
  }
  if (auto *Cast = dyn_cast<Operator>(&V);
      Cast && Cast->getOpcode() == Instruction::IntToPtr)
    return add(Cast->getOperand(0));
  if (auto *Call = dyn_cast<CallBase>(&V))
    return visitCall(*Call);
  if (auto *Load = dyn_cast<LoadInst>(&V))
    visitVariable(*Load->getPointerOperand());
  else if (auto *A = dyn_cast<Argument>(&V))
    visitCallers(*A);
}

// Constants of a chain of offsets are added up: its parts may be odd.
void Walk::visitOffsets(const Value &V) {
  const Value *At = &V;
  APInt Fixed(64, 0);
  while (auto *GEP = dyn_cast<GEPOperator>(At)) {
    for (auto I = gep_type_begin(GEP), E = gep_type_end(GEP); I != E; ++I) {
      const Value *Index = I.getOperand();
      if (StructType *T = I.getStructTypeOrNull()) {
        unsigned Field =
            cast<Constant>(Index)->getUniqueInteger().getZExtValue();
        Fixed += DL.getStructLayout(T)->getElementOffset(Field).getFixedValue();
        continue;
      }
      TypeSize Stride = I.getSequentialElementStride(DL);
      if (Stride.isScalable())
        return contribute(0u);
      if (auto *Number = dyn_cast<ConstantInt>(Index))
        Fixed += Number->getValue().sextOrTrunc(64) * Stride.getFixedValue();
      else if (Stride.getFixedValue() != 0)
        contribute(zerosOf(*Index) + countr_zero(Stride.getFixedValue()));
    }
    At = GEP->getPointerOperand();
  }
  contribute(Fixed);
  add(At);
}

/// Whether a pointer is part of the sum V.
static bool containsPointer(const Value &V, unsigned Depth = 6) {
  auto *O = dyn_cast<Operator>(&V);
  if (!O || Depth == 0)
    return false;
  if (O->getOpcode() == Instruction::PtrToInt)
    return true;
  return (isa<PHINode, SelectInst>(O) || isa<BinaryOperator>(O) ||
          isa<FreezeInst>(O)) &&
         any_of(O->operands(), [&](const Use &Operand) {
           return containsPointer(*Operand, Depth - 1);
         });
}

// An integer that is made a pointer.
void Walk::visitInteger(const Value &V) {
  const APInt *Mask;
  const Value *Left, *Right;
  if (auto *O = dyn_cast<Operator>(&V);
      O && O->getOpcode() == Instruction::PtrToInt)
    return add(O->getOperand(0));
  if (auto *Number = dyn_cast<ConstantInt>(&V))
    return contribute(Number->getValue());
  if (auto *Phi = dyn_cast<PHINode>(&V)) {
    for (const Value *Incoming : Phi->incoming_values())
      add(Incoming);
    return;
  }
  if (match(&V, m_Select(m_Value(), m_Value(Left), m_Value(Right)))) {
    add(Left);
    return add(Right);
  }
  if (match(&V, m_Freeze(m_Value(Left))))
    return add(Left);
  if (match(&V, m_And(m_Value(Left), m_APInt(Mask)))) {
    // A mask that rounds an address down makes it aligned.
    if (unsigned Zeros = Mask->countr_zero())
      return contribute(Zeros);
    return add(Left);
  }
  if (match(&V, m_Add(m_Value(Left), m_Value(Right))) ||
      match(&V, m_Sub(m_Value(Left), m_Value(Right))) ||
      match(&V, m_Or(m_Value(Left), m_Value(Right))) ||
      match(&V, m_Xor(m_Value(Left), m_Value(Right)))) {
    bool InLeft = containsPointer(*Left), InRight = containsPointer(*Right);
    // One of two numbers is the address, which is trusted.
    if (!InLeft && !InRight)
      return contribute(std::max(zerosOf(*Left), zerosOf(*Right)));
    for (auto [Part, Has] :
         {std::pair(Left, InLeft), std::pair(Right, InRight)})
      if (Has)
        add(Part);
      else
        contribute(zerosOf(*Part));
  }
}

void Walk::visitCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return;
  if (Callee->getIntrinsicID() == Intrinsic::ptrmask)
    return contribute(zerosOf(*Call.getArgOperand(1)));
  if (const Value *Returned = Call.getReturnedArgOperand())
    return add(Returned);
  if (Callee->getName() == PrivateMarkerName ||
      Callee->getName() == SharedMarkerName ||
      Callee->getIntrinsicID() == Intrinsic::launder_invariant_group ||
      Callee->getIntrinsicID() == Intrinsic::strip_invariant_group)
    return add(Call.getArgOperand(0));
  if (Callee->hasExactDefinition())
    for (const BasicBlock &BB : *Callee)
      if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()))
        add(Return->getReturnValue());
}

// A variable that is nothing but loaded and stored holds what is stored.
bool Walk::visitVariable(const Value &Slot) {
  auto *G = dyn_cast<GlobalVariable>(&Slot);
  if (!isa<AllocaInst>(Slot) && !(G && G->hasLocalLinkage()))
    return false;
  SmallVector<const Value *, 8> Stored;
  for (const Use &U : Slot.uses()) {
    if (isa<LoadInst>(U.getUser()))
      continue;
    auto *Store = dyn_cast<StoreInst>(U.getUser());
    if (Store && U.getOperandNo() == StoreInst::getPointerOperandIndex())
      Stored.push_back(Store->getValueOperand());
    else if (auto *I = dyn_cast<IntrinsicInst>(U.getUser());
             !I || !I->isLifetimeStartOrEnd())
      return false;
  }
  for (const Value *V : Stored)
    if (V->getType()->isPtrOrPtrVectorTy())
      add(V);
  return true;
}

bool Walk::visitCallers(const Argument &A) {
  const Function &F = *A.getParent();
  if (!F.hasLocalLinkage())
    return false;
  for (const Use &U : F.uses()) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call || !Call->isCallee(&U) || A.getArgNo() >= Call->arg_size())
      continue; // Other callers are unknown, and trusted.
    add(Call->getArgOperand(A.getArgNo()));
  }
  return true;
}

static Align alignmentTold(const Value &Pointer, const DataLayout &DL) {
  return Align(uint64_t(1) << Walk(DL).run(Pointer));
}

//===-- Step 4 ------------------------------------------------------------===//

static void lower(const Access &A, Align Told) {
  Instruction &I = *A.Inst;
  LLVMContext &C = I.getContext();
  bool Atomic = A.Shape == AccessShape::Atomic;
  if (auto *Load = dyn_cast<LoadInst>(&I); Load && !Atomic)
    return Load->setAlignment(Told);
  if (auto *Store = dyn_cast<StoreInst>(&I); Store && !Atomic)
    return Store->setAlignment(Told);
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I)) {
    Intrinsic->removeParamAttr(A.PointerOperand, Attribute::Alignment);
    return Intrinsic->addParamAttr(A.PointerOperand,
                                   Attribute::getWithAlignment(C, Told));
  }
  // Several operands get the smallest alignment.
  if (MDNode *Other = I.getMetadata(AlignmentMetadata))
    Told =
        std::min(Told, Align(mdconst::extract<ConstantInt>(Other->getOperand(0))
                                 ->getZExtValue()));
  auto *Number = ConstantInt::get(Type::getInt64Ty(C), Told.value());
  I.setMetadata(AlignmentMetadata,
                MDNode::get(C, ConstantAsMetadata::get(Number)));
}

void doubtAlignments(Function &F, const PointerPrivacy &Privacy) {
  const DataLayout &DL = F.getDataLayout();
  bool Trusts = !UnalignedOption && !F.hasFnAttribute(UnalignedAttribute);
  for (const Access &A : collectAccesses(F, Privacy)) {
    if (A.isPrivate() || A.Alignment == 1)
      continue;
    Align Told = Trusts ? alignmentTold(*A.pointer(), DL) : Align(1);
    if (Told >= A.Alignment)
      continue;
    ++NumDoubted;
    LLVM_DEBUG(dbgs() << F.getName() << ": align " << Told.value() << ": ";
               A.print(dbgs()); dbgs() << '\n');
    lower(A, Told);
  }
}

} // namespace graupel::fgdsm
