//===- UnknownCalls.cpp ---------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the unknown calls of a function, and the pointers that they pass.
//
// 1. findUnknownCalls: visit all calls but intrinsics and calls with nocheck
//    metadata.
// 2. Collect the operands of inline assembly (collectOperands): values in
//    registers that may hold a pointer, pointers in "m" inputs, and slots of
//    objects there. Empty assembly passes nothing.
// 3. addCallees: a call that accesses no memory of the program is known. Look
//    through aliases; a callee that is no function is indirect. One that is not
//    safe is direct, or the library's if it is safe as long as the system has
//    it (trustIn).
// 4. addCallback: judge a safe function that calls back by the function that it
//    gets (callbackOf). Those that start threads have a kind of their own.
// 5. collectArguments: take pointers that may be shared or a va_list, values
//    that may hold pointers, and slots of the objects that pointers point to.
//    Streams are left out; byval and sorted memory counts by its slots only.
// 6. Keep the calls that pass something, and all starts of threads.
//
//===----------------------------------------------------------------------===//

#include "UnknownCalls.h"
#include "Access.h"
#include "ArgumentLists.h"
#include "LibraryCalls.h"
#include "Markers.h"
#include "RuntimeNames.h"
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

// Whether this module compiles F with checks, and the linker does not replace
// it.
static bool isCompiledHere(const Function &F) {
  return !F.isDeclarationForLinker() && !F.isInterposable() &&
         !F.hasFnAttribute(Attribute::Naked) &&
         (F.hasExactDefinition() || F.hasLocalLinkage());
}

/// The memory that may be passed to a function: shared memory, the same if the
/// function is the system's, or no shared memory.
enum class Trust { Full, Systems, None };

static Trust trustIn(const CallBase &Call, const Function &F,
                     const TargetLibraryInfo &Library) {
  StringRef Name = F.getName();
  if (isCompiledHere(F) || F.hasFnAttribute(UncheckedAttribute) ||
      isRuntimes(Name) || isCompilers(Name))
    return Trust::Full;
  if (!F.isDeclaration())
    return Trust::None;
  switch (fateOf(Name).Kind) {
  case LibraryFate::Wrapped:
    return Trust::Full;
  case LibraryFate::Harmless:
    // Names that programs cannot have.
    return Name.starts_with("__") || Name.starts_with("_U") ? Trust::Full
                                                            : Trust::Systems;
  case LibraryFate::Unwrapped:
    return Trust::None;
  case LibraryFate::Unlisted:
    break;
  }
  return isAllocationFn(&Call, &Library) || getFreedOperand(&Call, &Library)
             ? Trust::Full
             : Trust::None;
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
  Name.consume_front("graupel_dsm_"); // Wrapped before.
  return StringSwitch<int>(Name)
      .Cases({"gdsm_parallel", "gdsm_blocking", "on_exit"}, 0)
      .Cases({"__cxa_atexit", "__cxa_thread_atexit"}, 0)
      .Case("thrd_create", 1)
      .Cases({"pthread_create", "tsearch", "tfind", "tdelete"}, 2)
      .Case("qsort_r", 3)
      .Cases({"bsearch", "lfind"}, 4)
      .Default(-1);
}

// Functions whose callee may touch whatever is shared.
static bool startsThreads(StringRef Name) {
  Name.consume_front("graupel_dsm_");
  return Name == "gdsm_parallel" || Name == "thrd_create" ||
         Name == "pthread_create";
}

//===-- Arguments ---------------------------------------------------------===//

namespace {

class Passed {
public:
  Passed(UnknownCall &U, HeldPointers &Held) : U(U), Held(Held) {}

  /// A pointer, or what may hold one.
  void add(Value *V);
  /// Adds the slots of Pointer's object; if Size is not 0, only those in Size
  /// bytes from Pointer.
  void addSlotsOf(Value *Pointer, uint64_t Size);

private:
  UnknownCall &U;
  HeldPointers &Held;
};

} // namespace

void Passed::add(Value *V) {
  bool May = V->getType()->isPointerTy()
                 ? Held.mayBeShared(V) || mayBeList(V, *U.Call->getModule())
                 : V->getType()->isSingleValueType() && Held.mayHold(V);
  if (May && !is_contained(U.Pointers, V))
    U.Pointers.push_back(V);
}

void Passed::addSlotsOf(Value *Pointer, uint64_t Size) {
  std::optional<int64_t> Begin = Held.offsetInBase(Pointer);
  for (const HeldSlot &S : Held.slotsOf(Pointer)) {
    if (Size && Begin && (!S.Offset || uint64_t(*S.Offset - *Begin) >= Size))
      continue;
    if (none_of(U.Slots, [&](const HeldSlot &O) {
          return O.Base == S.Base && O.Offset == S.Offset;
        }))
      U.Slots.push_back(S);
  }
}

// The size of the object that a member function of C++ is called for; 0 if it
// is none. Memory beside a member is not the member's.
static uint64_t sizeOfObject(const CallBase &Call, unsigned Index) {
  const Function *Callee = Call.getCalledFunction();
  return Index == 0 && Callee && Callee->getName().starts_with("_ZN")
             ? Call.getParamDereferenceableBytes(Index)
             : 0;
}

// Wrappers of qsort pass private copies on.
static bool isCopied(const CallBase &Call, unsigned Index) {
  const Function *Callee = Call.getCalledFunction();
  return Index == 0 && Callee && Callee->getName().contains("qsort");
}

static void collectArguments(UnknownCall &U, HeldPointers &Held) {
  const CallBase &Call = *U.Call;
  Passed P(U, Held);
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
      if (!Call.isByValArgument(Index) && !isCopied(Call, Index))
        P.add(Argument);
      P.addSlotsOf(Argument, sizeOfObject(Call, Index));
    } else if (Everything && Argument->getType()->isIntegerTy(64) &&
               !isa<ConstantInt>(Argument)) {
      U.Pointers.push_back(Argument);
    } else if (!Argument->getType()->isFPOrFPVectorTy()) {
      // Functions that get only numbers have no mark.
      P.add(Argument);
    }
  }
}

// Pointers in registers and in memory, behind which assembly may do anything.
// Operands given as "m" are accesses like any other.
static void collectOperands(UnknownCall &U, HeldPointers &Held) {
  const CallBase &Call = *U.Call;
  auto *Assembly = cast<InlineAsm>(Call.getCalledOperand());
  // To keep the compiler from moving something.
  if (StringRef(Assembly->getAsmString()).trim().empty())
    return;
  const DataLayout &DL = Call.getFunction()->getDataLayout();
  Passed P(U, Held);
  unsigned Index = 0;
  for (const InlineAsm::ConstraintInfo &Info : Assembly->ParseConstraints()) {
    if (!Info.hasArg())
      continue;
    unsigned Operand = Index++;
    Value *Argument = Call.getArgOperand(Operand);
    Type *InMemory =
        Info.isIndirect ? Call.getParamElementType(Operand) : nullptr;
    if (!InMemory)
      P.add(Argument);
    else if (Info.Type == InlineAsm::isOutput)
      continue;
    else if (InMemory->isPointerTy())
      U.Memory.push_back(Argument);
    else if (InMemory->isSized())
      P.addSlotsOf(Argument, DL.getTypeStoreSize(InMemory));
  }
}

//===-- All ---------------------------------------------------------------===//

// Adds the callback of a known function, if the callback is unknown.
static void addCallback(CallBase &Call, const Function &Callee,
                        const TargetLibraryInfo &Library, Unknowns &Into) {
  int Back = callbackOf(Callee.getName());
  if (Back < 0 || Back >= int(Call.arg_size()) ||
      !Call.getArgOperand(Back)->getType()->isPointerTy())
    return;
  Value *Pointer = Call.getArgOperand(Back);
  auto *Called = dyn_cast<Function>(behindAliases(Pointer));
  Trust In = Called ? trustIn(Call, *Called, Library) : Trust::None;
  if (isa<ConstantPointerNull>(Pointer) || In == Trust::Full)
    return;
  UnknownCall U(Call, Pointer, UnknownCall::Indirect);
  if (startsThreads(Callee.getName()))
    U.Kind = UnknownCall::Thread;
  else if (In == Trust::Systems)
    U.Kind = UnknownCall::Library;
  Into.push_back(std::move(U));
}

// A call of a function, or one that calls back, or both.
static void addCallees(CallBase &Call, const TargetLibraryInfo &Library,
                       Unknowns &Into) {
  if (Call.doesNotAccessMemory() || Call.onlyAccessesInaccessibleMemory())
    return;
  UnknownCall U(Call, Call.getCalledOperand(), UnknownCall::Indirect);
  auto *Callee = dyn_cast<Function>(behindAliases(U.Callee));
  Trust In = Callee ? trustIn(Call, *Callee, Library) : Trust::None;
  if (In == Trust::Full)
    return addCallback(Call, *Callee, Library, Into);
  if (In == Trust::Systems) {
    U.Kind = UnknownCall::Library;
  } else if (Call.getCalledFunction()) {
    U.Kind = UnknownCall::Direct;
    U.Fetches = Callee->hasFnAttribute(FetchesAttribute);
    U.Remedy = fateOf(Callee->getName()).Remedy;
  }
  Into.push_back(std::move(U));
  if (In == Trust::Systems)
    addCallback(Call, *Callee, Library, Into);
}

Unknowns findUnknownCalls(Function &F, const PointerPrivacy &Privacy,
                          const TargetLibraryInfo &Library) {
  Unknowns Found;
  HeldPointers Held(F, Privacy);
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(Call) || Call->hasMetadata(NoCheckMetadata))
      continue;
    Unknowns Here;
    if (Call->isInlineAsm()) {
      // Whatever it says of memory, which is often wrong.
      Here.emplace_back(*Call, Call->getCalledOperand(), UnknownCall::Assembly);
      collectOperands(Here.back(), Held);
    } else {
      addCallees(*Call, Library, Here);
      for (UnknownCall &U : Here)
        collectArguments(U, Held);
    }
    for (UnknownCall &U : Here)
      if (!U.empty())
        Found.push_back(std::move(U));
  }
  return Found;
}

Function *UnknownCall::function() const {
  return dyn_cast<Function>(
      const_cast<Value *>(behindAliases(Callee->stripPointerCasts())));
}

void UnknownCall::print(raw_ostream &OS) const {
  static const char *const Names[] = {"direct", "indirect", "assembly",
                                      "thread", "library"};
  OS << Names[Kind];
  if (Kind == Direct || Kind == Library)
    OS << ' ' << function()->getName();
  if (Kind == Thread) {
    OS << ' ';
    Callee->printAsOperand(OS, false);
  }
  for (const Value *P : Pointers) {
    OS << ' ';
    P->printAsOperand(OS, false);
  }
  for (const HeldSlot &S : Slots) {
    OS << ' ';
    S.print(OS);
  }
  for (const Value *M : Memory) {
    OS << " *";
    M->printAsOperand(OS, false);
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
