//===- Access.cpp ---------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists the memory accesses of a function, with their shape and size, and says
// of each why its memory is private, if it is.
//
// 1. collectAccesses returns nothing for a function with the nocheck attribute.
//    It visits all instructions of other functions in program order.
// 2. Take pointer operand, direction, size and alignment from the instruction:
//    loads, stores, atomics, vector and memory intrinsics, va_list intrinsics,
//    intrinsics of the target, "m" operands of assembly, byval arguments.
// 3. Classify copies and fills (addBlock). One of constant length is a Block up
//    to LongestInlineBlock, or if it must be inline; length 0 is no access. All
//    others are Dynamic.
// 4. Drop accesses that need no check in any case (add): of address spaces that
//    are other memory, private ones of sanitizers, with the metadata of nocheck
//    code or deferred tests, of swifterror.
// 5. Lower the alignment to the one in AlignmentMetadata, ask PointerPrivacy
//    for a reason, and append the access.
// 6. AccessPrinterPass prints the list of each function.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "AddressSpaces.h"
#include "DeferredTests.h"
#include "Markers.h"
#include "TargetIntrinsics.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace graupel::fgdsm {

namespace {

class Collector : public InstVisitor<Collector> {
public:
  Collector(Function &F, const PointerPrivacy &Privacy)
      : DL(F.getDataLayout()), Privacy(Privacy) {}

  SmallVector<Access, 0> Accesses;

  void visitLoadInst(LoadInst &I) {
    add(I, LoadInst::getPointerOperandIndex(), shapeOf(I), false,
        size(I.getType()), I.getAlign());
  }
  void visitStoreInst(StoreInst &I) {
    add(I, StoreInst::getPointerOperandIndex(), shapeOf(I), true,
        size(I.getValueOperand()->getType()), I.getAlign());
  }
  void visitAtomicRMWInst(AtomicRMWInst &I) {
    add(I, AtomicRMWInst::getPointerOperandIndex(), AccessShape::Atomic, true,
        size(I.getType()), I.getAlign());
  }
  void visitAtomicCmpXchgInst(AtomicCmpXchgInst &I) {
    add(I, AtomicCmpXchgInst::getPointerOperandIndex(), AccessShape::Atomic,
        true, size(I.getNewValOperand()->getType()), I.getAlign());
  }
  void visitCallBase(CallBase &I);
  void visitIntrinsicInst(IntrinsicInst &I);

private:
  template <class Inst> static AccessShape shapeOf(const Inst &I) {
    if (I.isAtomic())
      return AccessShape::Atomic;
    return I.isVolatile() ? AccessShape::Volatile : AccessShape::Plain;
  }
  uint64_t size(Type *T) const {
    return DL.getTypeStoreSize(T).getKnownMinValue();
  }
  void add(Instruction &I, unsigned Operand, AccessShape Shape, bool Store,
           uint64_t Bytes, MaybeAlign Alignment);
  void addBlock(AnyMemIntrinsic &I);
  void visitAssembly(CallBase &I);

  const DataLayout &DL;
  const PointerPrivacy &Privacy;
};

} // namespace

void Collector::add(Instruction &I, unsigned Operand, AccessShape Shape,
                    bool Store, uint64_t Bytes, MaybeAlign Alignment) {
  Value *Pointer = I.getOperand(Operand);
  if (!mayReachShared(*Pointer->getType()))
    return;
  if (I.hasMetadata(NoCheckMetadata) || I.hasMetadata(DeferredMetadataName))
    return;
  // Skip private accesses that sanitizers and coverage add for themselves.
  if (I.hasMetadata(LLVMContext::MD_nosanitize) &&
      !Privacy.whyPrivate(Pointer).empty())
    return;
  if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isSwiftError())
    return;
  Align Known = Alignment.valueOrOne();
  if (MDNode *Doubted = I.getMetadata(AlignmentMetadata))
    Known = std::min(Known,
                     Align(mdconst::extract<ConstantInt>(Doubted->getOperand(0))
                               ->getZExtValue()));
  Accesses.push_back(
      {&I, Operand, Shape, Store, Bytes, Known, Privacy.whyPrivate(Pointer)});
}

void Collector::addBlock(AnyMemIntrinsic &I) {
  auto *Length = dyn_cast<ConstantInt>(I.getLength());
  uint64_t Bytes = Length ? Length->getZExtValue() : 0;
  if (Length && Bytes == 0)
    return;
  // Copies that must not become a call cannot be left to the runtime.
  bool Inline = I.getIntrinsicID() == Intrinsic::memcpy_inline ||
                I.getIntrinsicID() == Intrinsic::memset_inline;
  AccessShape Shape = Length && (Bytes <= LongestInlineBlock || Inline)
                          ? AccessShape::Block
                          : AccessShape::Dynamic;
  add(I, 0, Shape, true, Bytes, I.getDestAlign());
  if (auto *Copy = dyn_cast<AnyMemTransferInst>(&I))
    add(I, 1, Shape, false, Bytes, Copy->getSourceAlign());
}

void Collector::visitIntrinsicInst(IntrinsicInst &I) {
  if (auto *Block = dyn_cast<AnyMemIntrinsic>(&I))
    return addBlock(*Block);
  auto Vector = [&](unsigned Operand, Type *T, bool Store, bool Lanes) {
    add(I, Operand, Lanes ? AccessShape::Lanes : AccessShape::Masked, Store,
        Lanes ? size(T->getScalarType()) : size(T), I.getParamAlign(Operand));
  };
  switch (I.getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_expandload:
    return Vector(0, I.getType(), false, false);
  case Intrinsic::masked_gather:
    return Vector(0, I.getType(), false, true);
  case Intrinsic::masked_store:
  case Intrinsic::masked_compressstore:
    return Vector(1, I.getArgOperand(0)->getType(), true, false);
  case Intrinsic::masked_scatter:
    return Vector(1, I.getArgOperand(0)->getType(), true, true);
  case Intrinsic::vastart:
  case Intrinsic::vaend:
    return add(I, 0, AccessShape::Plain, true, 24, Align(8));
  case Intrinsic::vacopy:
    add(I, 0, AccessShape::Plain, true, 24, Align(8));
    return add(I, 1, AccessShape::Plain, false, 24, Align(8));
  default:
    if (std::optional<TargetAccess> T = targetAccess(I))
      add(I, T->PointerOperand, AccessShape::Masked, T->Store,
          size(T->Accessed), Align(1));
    return;
  }
}

// Operands given as "m", whose type is known.
void Collector::visitAssembly(CallBase &I) {
  unsigned Operand = 0;
  for (const InlineAsm::ConstraintInfo &Info :
       cast<InlineAsm>(I.getCalledOperand())->ParseConstraints()) {
    if (!Info.hasArg())
      continue;
    if (Info.isIndirect)
      if (Type *T = I.getParamElementType(Operand))
        add(I, Operand, AccessShape::Assembly, Info.Type == InlineAsm::isOutput,
            size(T), Align(1));
    ++Operand;
  }
}

void Collector::visitCallBase(CallBase &I) {
  if (I.isInlineAsm())
    return visitAssembly(I);
  for (unsigned Operand = 0; Operand != I.arg_size(); ++Operand)
    if (I.isByValArgument(Operand))
      add(I, Operand, AccessShape::Argument, false,
          size(I.getParamByValType(Operand)), I.getParamAlign(Operand));
}

SmallVector<Access, 0> collectAccesses(Function &F,
                                       const PointerPrivacy &Privacy) {
  if (F.hasFnAttribute(NoCheckAttribute))
    return {};
  Collector C(F, Privacy);
  C.visit(F);
  return std::move(C.Accesses);
}

AnalysisKey PointerPrivacyAnalysis::Key;

PointerPrivacy PointerPrivacyAnalysis::run(Module &M,
                                           ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  return PointerPrivacy(M, [&](Function &F) -> const TargetLibraryInfo & {
    return FAM.getResult<TargetLibraryAnalysis>(F);
  });
}

void Access::print(raw_ostream &OS) const {
  static const char *const Names[] = {"plain",   "volatile", "atomic",
                                      "masked",  "lanes",    "block",
                                      "dynamic", "assembly", "argument"};
  OS << (Store ? "store " : "load ") << Bytes << " align " << Alignment.value()
     << ' ' << Names[unsigned(Shape)] << ' ';
  pointer()->printAsOperand(OS, false);
  if (isPrivate())
    OS << " private: " << WhyPrivate;
  else
    OS << " shared";
}

PreservedAnalyses AccessPrinterPass::run(Module &M,
                                         ModuleAnalysisManager &MAM) {
  auto &Privacy = MAM.getResult<PointerPrivacyAnalysis>(M);
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    OS << "accesses of " << F.getName() << ":\n";
    for (const Access &A : collectAccesses(F, Privacy)) {
      OS << "  ";
      A.print(OS);
      OS << '\n';
    }
  }
  return PreservedAnalyses::all();
}

} // namespace graupel::fgdsm
