//===- Reference.cpp ------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists the references of a function and describes them for the site table.
//
// 1. collectReferences visits all instructions: loads that are used, stores,
//    atomic updates (a load and a store), copies and fills, masked, packed and
//    gathered vectors.
// 2. add drops references to other address spaces, references of sanitizers and
//    of swifterror, scalable vectors, and masks of more than MaxMaskLanes
//    lanes.
// 3. bytes, lanes, elementBytes, kind, type and flags compute the fields of a
//    reference's site.
// 4. knownObject: if the pointer has one underlying object that is a stack or
//    thread-local variable, return its kind and name. Names of stack variables
//    come from debug information where there is some.
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace graupel::stride {

/// A record's mask is a word.
static constexpr unsigned MaxMaskLanes = 64;

namespace {

class Collector : public InstVisitor<Collector> {
public:
  SmallVector<Reference, 0> References;

  void visitLoadInst(LoadInst &I) {
    if (!I.use_empty())
      add({&I, I.getPointerOperand(), Shape::Plain, false, I.getType()});
  }
  void visitStoreInst(StoreInst &I) {
    add({&I, I.getPointerOperand(), Shape::Plain, true,
         I.getValueOperand()->getType()});
  }
  void visitAtomicRMWInst(AtomicRMWInst &I) {
    addUpdate(I, I.getPointerOperand(), I.getValOperand()->getType());
  }
  void visitAtomicCmpXchgInst(AtomicCmpXchgInst &I) {
    addUpdate(I, I.getPointerOperand(), I.getNewValOperand()->getType());
  }
  void visitIntrinsicInst(IntrinsicInst &I);

private:
  void add(const Reference &R) {
    if (R.Pointer->getType()->getScalarType()->getPointerAddressSpace() != 0 ||
        R.Inst->hasMetadata(LLVMContext::MD_nosanitize) ||
        (R.Accessed && R.Accessed->isScalableTy()) ||
        (R.Mask && R.lanes() > MaxMaskLanes) ||
        R.Pointer->getType()->isScalableTy() || R.Pointer->isSwiftError())
      return;
    References.push_back(R);
  }
  void addUpdate(Instruction &I, Value *Pointer, Type *T) {
    add({&I, Pointer, Shape::Plain, false, T});
    add({&I, Pointer, Shape::Plain, true, T});
  }
};

} // namespace

void Collector::visitIntrinsicInst(IntrinsicInst &I) {
  if (auto *Block = dyn_cast<AnyMemIntrinsic>(&I)) {
    if (auto *Copy = dyn_cast<AnyMemTransferInst>(&I))
      add({&I, Copy->getRawSource(), Shape::Bulk, false, nullptr, nullptr,
           Block->getLength()});
    return add({&I, Block->getRawDest(), Shape::Bulk, true, nullptr, nullptr,
                Block->getLength()});
  }
  auto Argument = [&](unsigned N) { return I.getArgOperand(N); };
  switch (I.getIntrinsicID()) {
  case Intrinsic::masked_load:
    return add(
        {&I, Argument(0), Shape::Masked, false, I.getType(), Argument(1)});
  case Intrinsic::masked_store:
    return add({&I, Argument(1), Shape::Masked, true, Argument(0)->getType(),
                Argument(2)});
  case Intrinsic::masked_expandload:
    return add(
        {&I, Argument(0), Shape::Packed, false, I.getType(), Argument(1)});
  case Intrinsic::masked_compressstore:
    return add({&I, Argument(1), Shape::Packed, true, Argument(0)->getType(),
                Argument(2)});
  case Intrinsic::masked_gather:
    return add(
        {&I, Argument(0), Shape::Lanes, false, I.getType(), Argument(1)});
  case Intrinsic::masked_scatter:
    return add({&I, Argument(1), Shape::Lanes, true, Argument(0)->getType(),
                Argument(2)});
  default:
    return;
  }
}

uint64_t Reference::bytes() const {
  if (!Accessed)
    return 0;
  Type *T = Form == Shape::Plain ? Accessed : Accessed->getScalarType();
  return Inst->getDataLayout().getTypeStoreSize(T).getFixedValue();
}

unsigned Reference::lanes() const {
  auto *V = dyn_cast_or_null<FixedVectorType>(Accessed);
  return V ? V->getNumElements() : 1;
}

unsigned Reference::elementBytes() const {
  return Accessed ? Inst->getDataLayout()
                        .getTypeStoreSize(Accessed->getScalarType())
                        .getFixedValue()
                  : 1;
}

graupel_stride_kind Reference::kind() const {
  if (Form == Shape::Bulk)
    return Store ? GRAUPEL_STRIDE_BULK_STORE : GRAUPEL_STRIDE_BULK_LOAD;
  return Store ? GRAUPEL_STRIDE_STORE : GRAUPEL_STRIDE_LOAD;
}

graupel_stride_type Reference::type() const {
  Type *T = Accessed ? Accessed->getScalarType() : nullptr;
  if (!T)
    return GRAUPEL_STRIDE_OTHER;
  if (T->isIntegerTy())
    return GRAUPEL_STRIDE_INTEGER;
  if (T->isFloatingPointTy())
    return GRAUPEL_STRIDE_FLOAT;
  return T->isPointerTy() ? GRAUPEL_STRIDE_POINTER : GRAUPEL_STRIDE_OTHER;
}

uint8_t Reference::flags() const {
  uint8_t Flags = 0;
  if (Form == Shape::Masked || Form == Shape::Packed)
    Flags |= GRAUPEL_STRIDE_MASKED;
  if (Form == Shape::Lanes)
    Flags |= GRAUPEL_STRIDE_GATHERED;
  if (Inst->isAtomic())
    Flags |= GRAUPEL_STRIDE_ATOMIC;
  if (Inst->isVolatile())
    Flags |= GRAUPEL_STRIDE_VOLATILE;
  if (Inst->hasMetadata(LLVMContext::MD_nontemporal))
    Flags |= GRAUPEL_STRIDE_NON_TEMPORAL;
  return Flags;
}

void Reference::print(raw_ostream &OS) const {
  static const char *const Names[] = {"", " lanes", " masked", " packed",
                                      " bulk"};
  OS << (Store ? "store " : "load ") << bytes();
  if (lanes() != 1)
    OS << " of " << lanes() << " lanes";
  OS << Names[static_cast<unsigned>(Form)] << ' ';
  Pointer->printAsOperand(OS, false);
}

SmallVector<Reference, 0> collectReferences(Function &F) {
  Collector C;
  C.visit(F);
  return std::move(C.References);
}

static std::string variableName(const AllocaInst &A) {
  for (DbgVariableRecord *Record :
       findDVRDeclares(const_cast<AllocaInst *>(&A)))
    return Record->getVariable()->getName().str();
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgUsers(const_cast<AllocaInst *>(&A), Records);
  for (DbgVariableRecord *Record : Records)
    if (Record->isDbgAssign() || Record->getExpression()->startsWithDeref())
      return Record->getVariable()->getName().str();
  return A.hasName() ? A.getName().str() : "temporary";
}

KnownObject knownObject(const Reference &R) {
  if (R.Pointer->getType()->isVectorTy())
    return {};
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(R.Pointer, Objects);
  if (Objects.size() != 1)
    return {};
  const Value *Object = Objects.front();
  if (auto *A = dyn_cast<AllocaInst>(Object))
    return {GRAUPEL_STRIDE_STACK,
            (A->getFunction()->getName() + ":" + variableName(*A)).str()};
  if (auto *Call = dyn_cast<IntrinsicInst>(Object);
      Call && Call->getIntrinsicID() == Intrinsic::threadlocal_address)
    Object = Call->getArgOperand(0);
  if (auto *G = dyn_cast<GlobalValue>(Object); G && G->isThreadLocal())
    return {GRAUPEL_STRIDE_THREAD_LOCAL, G->getName().str()};
  return {};
}

} // namespace graupel::stride
