//===- UnknownCalls.cpp ---------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnknownCalls.h"
#include "Access.h"
#include "LibraryCalls.h"
#include "Markers.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace graupel::fgdsm {

//===-- Callees -----------------------------------------------------------===//

// What this module compiles with checks, and the linker does not replace.
static bool isCompiledHere(const Function &F) {
  return !F.isDeclarationForLinker() && !F.isInterposable() &&
         !F.hasFnAttribute(Attribute::Naked) &&
         (F.hasExactDefinition() || F.hasLocalLinkage());
}

// The runtime's own, and what compilers add that follows no pointer of the
// program's, or only hands it on to checked code.
static bool isRuntimes(StringRef Name) {
  static constexpr StringLiteral Prefixes[] = {
      "graupel",      "gdsm_",        "tempest_",        "__asan_",
      "__ubsan_",     "__sanitizer_", "__tsan_",         "__llvm_",
      "llvm_",        "__xray_",      "__cyg_profile_",  "__kmpc_fork_",
      "__kmpc_omp_",  "__kmpc_for_",  "__kmpc_dispatch", "__kmpc_barrier",
      "__kmpc_reduce"};
  return any_of(Prefixes, [&](StringRef P) { return Name.starts_with(P); });
}

static bool isSafeCallee(const CallBase &Call, const Function &F,
                         const TargetLibraryInfo &Library) {
  if (isCompiledHere(F) || F.hasFnAttribute(UncheckedAttribute) ||
      isRuntimes(F.getName()))
    return true;
  if (!F.isDeclaration())
    return false;
  LibraryFate Fate = fateOf(F.getName());
  if (Fate.Kind != LibraryFate::Unlisted)
    return Fate.Kind != LibraryFate::Unwrapped;
  return isAllocationFn(&Call, &Library) || getFreedOperand(&Call, &Library);
}

// The function behind aliases that nobody replaces.
static const Value *behindAliases(const Value *Callee) {
  Callee = Callee->stripPointerCasts();
  while (auto *Alias = dyn_cast<GlobalAlias>(Callee)) {
    if (Alias->isInterposable())
      break;
    Callee = Alias->getAliasee()->stripPointerCasts();
  }
  return Callee;
}

// The argument that a library function, or one of the runtime's, calls back
// with pointers that it got; or -1.
static int callbackOf(StringRef Name) {
  return StringSwitch<int>(Name)
      .Cases({"gdsm_parallel", "gdsm_blocking", "on_exit"}, 0)
      .Cases({"__cxa_atexit", "__cxa_thread_atexit"}, 0)
      .Case("thrd_create", 1)
      .Cases({"pthread_create", "graupel_dsm_pthread_create"}, 2)
      .Cases({"tsearch", "tfind", "tdelete"}, 2)
      .Cases({"qsort_r", "graupel_dsm_qsort_r"}, 3)
      .Cases({"bsearch", "lfind"}, 4)
      .Default(-1);
}

//===-- Arguments ---------------------------------------------------------===//

namespace {

class Passed {
public:
  Passed(UnknownCall &U, const PointerPrivacy &Privacy)
      : U(U), Privacy(Privacy), DL(U.Call->getFunction()->getDataLayout()) {}

  void addPointer(Value *Pointer);
  void addInteger(Value *Integer);
  /// What code stores in the object that Pointer is of; if Size is not 0, only
  /// in so many bytes from Pointer.
  void addSlotsOf(Value *Pointer, uint64_t Size);

private:
  bool mayBeShared(const Value *V) const {
    return Privacy.whyPrivate(V).empty();
  }
  bool holdsPointer(const Value *Integer, unsigned Depth) const;
  void addStores(Value *Object, Value *Address, int64_t Offset, unsigned Depth);
  void addStore(Value *Object, const StoreInst &Store, int64_t Offset);
  void addSlot(Value *Object, int64_t Offset);

  /// No object is looked through further.
  static constexpr unsigned MostSlots = 16, MostDepth = 4;

  UnknownCall &U;
  const PointerPrivacy &Privacy;
  const DataLayout &DL;
};

} // namespace

void Passed::addPointer(Value *Pointer) {
  if (mayBeShared(Pointer) && !is_contained(U.Pointers, Pointer))
    U.Pointers.push_back(Pointer);
}

// A pointer in disguise.
bool Passed::holdsPointer(const Value *Integer, unsigned Depth) const {
  if (auto *Cast = dyn_cast<PtrToIntOperator>(Integer))
    return mayBeShared(Cast->getPointerOperand());
  auto *Operation = dyn_cast<BinaryOperator>(Integer);
  if (!Operation || !Depth)
    return false;
  // The difference of two pointers is none.
  bool First = holdsPointer(Operation->getOperand(0), Depth - 1),
       Second = holdsPointer(Operation->getOperand(1), Depth - 1);
  return Operation->getOpcode() == Instruction::Sub ? First != Second
                                                    : First || Second;
}

void Passed::addInteger(Value *Integer) {
  if (Integer->getType()->isIntegerTy(64) && holdsPointer(Integer, MostDepth) &&
      !is_contained(U.Pointers, Integer))
    U.Pointers.push_back(Integer);
}

void Passed::addSlot(Value *Object, int64_t Offset) {
  for (const UnknownCall::Slot &S : U.Slots)
    if (S.Object == Object && S.Offset == Offset)
      return;
  if (U.Slots.size() < MostSlots)
    U.Slots.push_back({Object, Offset});
}

void Passed::addStore(Value *Object, const StoreInst &Store, int64_t Offset) {
  const Value *Stored = Store.getValueOperand();
  Type *T = Stored->getType();
  if (T->isIntegerTy(64)) {
    if (holdsPointer(Stored, MostDepth))
      addSlot(Object, Offset);
    return;
  }
  if (!T->isPtrOrPtrVectorTy() || !mayBeShared(Stored))
    return;
  for (uint64_t At = 0; At != DL.getTypeStoreSize(T); At += DL.getPointerSize())
    addSlot(Object, Offset + int64_t(At));
}

void Passed::addStores(Value *Object, Value *Address, int64_t Offset,
                       unsigned Depth) {
  for (User *Use : Address->users()) {
    if (auto *Store = dyn_cast<StoreInst>(Use)) {
      if (Store->getPointerOperand() == Address)
        addStore(Object, *Store, Offset);
    } else if (auto *GEP = dyn_cast<GEPOperator>(Use)) {
      APInt More(64, 0);
      if (Depth && GEP->getPointerOperand() == Address &&
          GEP->accumulateConstantOffset(DL, More))
        addStores(Object, GEP, Offset + More.getSExtValue(), Depth - 1);
    } else if (auto *Call = dyn_cast<CallBase>(Use)) {
      // A function of this module that sets the object up.
      const Function *Callee = Call->getCalledFunction();
      if (!Depth || !Callee || Callee->isDeclaration())
        continue;
      for (Argument &A : const_cast<Function *>(Callee)->args())
        if (Call->getArgOperand(A.getArgNo()) == Address)
          addStores(Object, &A, Offset, Depth - 1);
    }
  }
}

void Passed::addSlotsOf(Value *Pointer, uint64_t Size) {
  Value *Object = getUnderlyingObject(Pointer);
  if (!isa<AllocaInst>(Object) && !isa<GlobalVariable>(Object) &&
      !isa<Argument>(Object) && !isa<CallBase>(Object))
    return;
  const size_t Before = U.Slots.size();
  addStores(Object, Object, 0, MostDepth);
  APInt Begin(64, 0);
  if (!Size || Pointer->stripAndAccumulateConstantOffsets(
                   DL, Begin, /*AllowNonInbounds=*/true) != Object)
    return;
  U.Slots.erase(std::remove_if(U.Slots.begin() + Before, U.Slots.end(),
                               [&](const UnknownCall::Slot &S) {
                                 return uint64_t(S.Offset -
                                                 Begin.getSExtValue()) >= Size;
                               }),
                U.Slots.end());
}

// The size of the object that a member function of C++ is called for; 0 if it
// is none. What lies beside a member is not the member's.
static uint64_t sizeOfObject(const CallBase &Call, unsigned Index) {
  const Function *Callee = Call.getCalledFunction();
  return Index == 0 && Callee && Callee->getName().starts_with("_ZN")
             ? Call.getParamDereferenceableBytes(Index)
             : 0;
}

static void collectArguments(UnknownCall &U, const PointerPrivacy &Privacy) {
  const CallBase &Call = *U.Call;
  Passed P(U, Privacy);
  bool Everything = Call.getCalledFunction() &&
                    Call.getCalledFunction()->getName() == "syscall";
  for (unsigned Index = 0; Index != Call.arg_size(); ++Index) {
    Value *Argument = Call.getArgOperand(Index);
    if (Call.doesNotAccessMemory(Index) || Argument == U.Callee)
      continue;
    if (Argument->getType()->isPointerTy()) {
      if (U.Kind == UnknownCall::Direct &&
          isStreamArgument(*Call.getCalledFunction(), Index))
        continue;
      if (!Call.isByValArgument(Index))
        P.addPointer(Argument);
      P.addSlotsOf(Argument, sizeOfObject(Call, Index));
    } else if (Everything && Argument->getType()->isIntegerTy(64) &&
               !isa<ConstantInt>(Argument)) {
      U.Pointers.push_back(Argument);
    } else {
      P.addInteger(Argument);
    }
  }
}

// Pointers in registers, behind which assembly may do anything. Operands given
// as "m" are accesses like any other.
static void collectOperands(UnknownCall &U, const PointerPrivacy &Privacy) {
  const CallBase &Call = *U.Call;
  auto *Assembly = cast<InlineAsm>(Call.getCalledOperand());
  // To keep the compiler from moving something.
  if (StringRef(Assembly->getAsmString()).trim().empty())
    return;
  Passed P(U, Privacy);
  unsigned Index = 0;
  for (const InlineAsm::ConstraintInfo &Info : Assembly->ParseConstraints()) {
    if (!Info.hasArg())
      continue;
    unsigned Operand = Index++;
    Value *Argument = Call.getArgOperand(Operand);
    if (!Argument->getType()->isPointerTy())
      P.addInteger(Argument);
    else if (!(Info.isIndirect && Call.getParamElementType(Operand)))
      P.addPointer(Argument);
  }
}

//===-- All ---------------------------------------------------------------===//

// A call of a function, or one that calls back.
static bool isUnknown(UnknownCall &U, const TargetLibraryInfo &Library) {
  CallBase &Call = *U.Call;
  if (Call.doesNotAccessMemory() || Call.onlyAccessesInaccessibleMemory())
    return false;
  auto *Callee = dyn_cast<Function>(behindAliases(Call.getCalledOperand()));
  if (!Callee)
    return true;
  if (!isSafeCallee(Call, *Callee, Library)) {
    if (Call.getCalledFunction()) {
      U.Kind = UnknownCall::Direct;
      U.Remedy = fateOf(Callee->getName()).Remedy;
    }
    return true;
  }
  int Back = callbackOf(Callee->getName());
  if (Back < 0 || Back >= int(Call.arg_size()) ||
      !Call.getArgOperand(Back)->getType()->isPointerTy())
    return false;
  U.Callee = Call.getArgOperand(Back);
  auto *Called = dyn_cast<Function>(behindAliases(U.Callee));
  return !isa<ConstantPointerNull>(U.Callee) &&
         !(Called && isSafeCallee(Call, *Called, Library));
}

SmallVector<UnknownCall, 0> findUnknownCalls(Function &F,
                                             const PointerPrivacy &Privacy,
                                             const TargetLibraryInfo &Library) {
  SmallVector<UnknownCall, 0> Found;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(Call) || Call->hasMetadata(NoCheckMetadata))
      continue;
    UnknownCall U = {
        Call, Call->getCalledOperand(), UnknownCall::Indirect, "", {}, {}};
    if (Call->isInlineAsm()) {
      // Whatever it says of memory, which is often wrong.
      U.Kind = UnknownCall::Assembly;
      collectOperands(U, Privacy);
    } else if (isUnknown(U, Library)) {
      collectArguments(U, Privacy);
    }
    if (!U.Pointers.empty() || !U.Slots.empty())
      Found.push_back(std::move(U));
  }
  return Found;
}

void UnknownCall::print(raw_ostream &OS) const {
  static const char *const Names[] = {"direct", "indirect", "assembly"};
  OS << Names[Kind];
  if (Kind == Direct)
    OS << ' ' << Call->getCalledFunction()->getName();
  for (const Value *P : Pointers) {
    OS << ' ';
    P->printAsOperand(OS, false);
  }
  for (const Slot &S : Slots) {
    OS << ' ';
    S.Object->printAsOperand(OS, false);
    OS << '[' << S.Offset << ']';
  }
}

PreservedAnalyses UnknownCallPrinterPass::run(Module &M,
                                              ModuleAnalysisManager &MAM) {
  auto &Privacy = MAM.getResult<PointerPrivacyAnalysis>(M);
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    OS << "unknown calls of " << F.getName() << ":\n";
    for (const UnknownCall &U : findUnknownCalls(
             F, Privacy, FAM.getResult<TargetLibraryAnalysis>(F))) {
      OS << "  ";
      U.print(OS);
      OS << '\n';
    }
  }
  return PreservedAnalyses::all();
}

} // namespace graupel::fgdsm
