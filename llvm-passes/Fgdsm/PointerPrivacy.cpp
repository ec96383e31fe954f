//===- PointerPrivacy.cpp -------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides whether a pointer reaches private memory only, and gives the reason.
//
// 1. Collect the calls that return memory of an allocator.
// 2. assume: take for private the pointer arguments of functions whose callers
//    are all known, or qsort, the arguments of main, the pointers that
//    functions defined here return, and the pointers in local globals that are
//    only loaded and stored. Note constant globals with addresses of shared
//    globals.
// 3. takeBack: visit all calls, returns and stores. Remove an assumption that
//    one of them breaks, until nothing changes. The memory that main's
//    arguments point to holds private pointers as long as nothing may store
//    others there (ProgramArguments.h).
// 4. whyPrivate: collect the objects that a pointer may be based on, through
//    offsets, casts, phis, selects, vectors and aliases, but not through
//    markers (collectObjects).
// 5. Ask for the reason of each object (whyObjectPrivate). One object without a
//    reason makes the pointer shared. Else the answer is the first reason that
//    is not "null".
//
//===----------------------------------------------------------------------===//

#include "PointerPrivacy.h"
#include "Markers.h"
#include "ProgramArguments.h"
#include "SharedGlobals.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace graupel::fgdsm {

bool returnsPrivate(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"__errno_location", "__ctype_b_loc", "__ctype_tolower_loc",
              "__ctype_toupper_loc"},
             true)
      // Not __cxa_begin_catch: of a thrown pointer it returns the pointer.
      .Cases({"__cxa_allocate_exception", "__cxa_get_exception_ptr",
              "__cxa_get_globals"},
             true)
      .Cases({"fopen", "fopen64", "fdopen", "freopen", "tmpfile", "popen"},
             true)
      .Cases({"fmemopen", "open_memstream", "opendir", "readdir"}, true)
      .Cases({"getenv", "secure_getenv", "setlocale", "nl_langinfo"}, true)
      .Cases({"strerror", "strsignal", "strerrorname_np", "strerrordesc_np"},
             true)
      .Cases({"localtime", "gmtime", "asctime", "ctime", "localeconv"}, true)
      .Cases({"getpwuid", "getpwnam", "getgrgid", "getlogin", "ttyname"}, true)
      .Cases({"gai_strerror", "gethostbyname", "inet_ntoa", "dlerror"}, true)
      .Cases({"strdup", "strndup", "__strdup", "wcsdup", "reallocarray"}, true)
      .Cases({"graupel_dsm_strdup", "graupel_dsm_strndup"}, true)
      .Cases({"graupel_dsm_wcsdup", "graupel_dsm_fopen"}, true)
      .Cases({"graupel_dsm_fdopen", "graupel_dsm_freopen"}, true)
      .Cases({"graupel_dsm_getenv", "graupel_dsm_popen"}, true)
      .Cases({"graupel_dsm_localtime", "graupel_dsm_gmtime"}, true)
      .Cases({"graupel_dsm_asctime", "graupel_dsm_ctime"}, true)
      .Default(false);
}

static bool isVirtualTablePointer(const LoadInst *Load) {
  if (MDNode *Tag = Load->getMetadata(LLVMContext::MD_tbaa))
    return Tag->isTBAAVtableAccess();
  return false;
}

// Variables of the C library that point to its own memory, or to the program's
// arguments.
static bool isLibraryPointer(const GlobalVariable &G) {
  return G.isDeclaration() &&
         StringSwitch<bool>(G.getName())
             .Cases({"stdin", "stdout", "stderr"}, true)
             .Cases({"environ", "__environ", "_environ", "optarg"}, true)
             .Cases({"program_invocation_name"}, true)
             .Cases({"program_invocation_short_name"}, true)
             .Default(false);
}

// A global of this module that is only ever loaded from and stored to.
static bool isSlot(const GlobalVariable &G) {
  if (!G.hasLocalLinkage() || maybeSharedGlobal(G) ||
      !G.getValueType()->isPointerTy() || !G.hasInitializer() ||
      !isa<ConstantPointerNull>(G.getInitializer()))
    return false;
  return all_of(G.uses(), [&](const Use &U) {
    if (auto *Load = dyn_cast<LoadInst>(U.getUser()))
      return Load->getType()->isPointerTy();
    if (auto *Store = dyn_cast<StoreInst>(U.getUser()))
      return Store->getPointerOperand() == &G &&
             Store->getValueOperand() != &G &&
             Store->getValueOperand()->getType()->isPointerTy();
    return false;
  });
}

// Nobody outside of the module calls it, and nobody through a pointer.
static bool hasKnownCallers(const Function &F) {
  return F.hasLocalLinkage() && !F.isDeclaration() && !F.isVarArg() &&
         !F.hasAddressTaken();
}

bool sortsCopy(StringRef Name) { return Name == "qsort" || Name == "qsort_r"; }

bool isNotBuiltin(const Function &F, StringRef Name) {
  return F.hasFnAttribute("no-builtins") ||
         F.hasFnAttribute(("no-builtin-" + Name).str());
}

// The same, but that it compares elements for qsort. A program's own function
// of that name is refused where it is defined (OwnNames.h).
static bool isComparison(const Function &F) {
  if (!F.hasLocalLinkage() || F.isVarArg() || F.arg_size() < 2 || F.use_empty())
    return false;
  return all_of(F.uses(), [](const Use &U) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call || Call->isCallee(&U))
      return Call != nullptr;
    const Function *Callee = Call->getCalledFunction();
    StringRef Name = Callee ? Callee->getName() : "";
    Name.consume_front("graupel_dsm_");
    return sortsCopy(Name) && Callee->isDeclaration() &&
           Call->isArgOperand(&U) && Call->getArgOperandNo(&U) == 3 &&
           !isNotBuiltin(*Call->getFunction(), Name);
  });
}

PointerPrivacy::PointerPrivacy(Module &M, LibraryOf Library) {
  for (Function &F : M)
    if (!F.isDeclaration())
      for (Instruction &I : instructions(F))
        if (isa<CallBase>(I) && isAllocationFn(&I, &Library(F)))
          Allocations.insert(&I);
  assume(M);
  while (takeBack(M))
    ;
}

void PointerPrivacy::assume(Module &M) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (hasKnownCallers(F)) {
      for (Argument &A : F.args())
        if (A.getType()->isPtrOrPtrVectorTy())
          Arguments.insert(&A);
    } else if (isComparison(F)) {
      for (unsigned Element : {0, 1})
        if (F.getArg(Element)->getType()->isPointerTy())
          Arguments.insert(F.getArg(Element));
    }
    // The program's arguments and environment.
    if (F.getName() == "main")
      for (Argument &A : F.args()) {
        Arguments.insert(&A);
        if (A.getType()->isPointerTy())
          Arrays.insert(&A);
      }
    if (F.hasExactDefinition() && F.getReturnType()->isPtrOrPtrVectorTy())
      Results.insert(&F);
  }
  bool AnyShared = any_of(M.globals(), maybeSharedGlobal);
  for (GlobalVariable &G : M.globals())
    if (isSlot(G))
      Slots.insert(&G);
    else if (AnyShared && G.isConstant() && G.hasInitializer() &&
             pointsToSharedGlobal(*G.getInitializer()))
      Tables.insert(&G);
}

// One array is behind the other in memory.
bool PointerPrivacy::takeBackArrays() {
  auto IsPrivate = [&](const Value *V) { return !whyPrivate(V).empty(); };
  if (all_of(Arrays, [&](const Argument *A) {
        return Arguments.contains(A) && holdsOnlyPrivate(*A, IsPrivate);
      }))
    return false;
  Arrays.clear();
  return true;
}

bool PointerPrivacy::takeBack(Module &M) {
  bool Changed = takeBackArrays();
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        Function *Callee = Call->getCalledFunction();
        if (!Callee || Callee->isDeclaration())
          continue;
        for (Argument &A : Callee->args())
          if (Arguments.contains(&A) &&
              whyPrivate(Call->getArgOperand(A.getArgNo())).empty())
            Changed |= Arguments.erase(&A);
      } else if (auto *Return = dyn_cast<ReturnInst>(&I)) {
        if (Results.contains(&F) &&
            whyPrivate(Return->getReturnValue()).empty())
          Changed |= Results.erase(&F);
      } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
        auto *G = dyn_cast<GlobalVariable>(Store->getPointerOperand());
        if (G && Slots.contains(G) &&
            whyPrivate(Store->getValueOperand()).empty())
          Changed |= Slots.erase(G);
      }
    }
  return Changed;
}

StringRef PointerPrivacy::whyObjectPrivate(const Value *Object) const {
  if (isa<AllocaInst>(Object))
    return "stack";
  if (auto *G = dyn_cast<GlobalVariable>(Object))
    return maybeSharedGlobal(*G) ? "" : "global";
  if (isa<Function>(Object) || isa<BlockAddress>(Object))
    return "code";
  if (isa<ConstantPointerNull>(Object) || isa<UndefValue>(Object))
    return "null";
  if (auto *A = dyn_cast<Argument>(Object)) {
    if (A->hasByValAttr())
      return "argument on the stack";
    return Arguments.contains(A) ? "argument" : "";
  }
  if (auto *Load = dyn_cast<LoadInst>(Object)) {
    if (isVirtualTablePointer(Load))
      return "virtual table";
    const Value *From = getUnderlyingObject(Load->getPointerOperand(), 0);
    // The program's arguments; constant tables of constants.
    if (auto *A = dyn_cast<Argument>(From); A && Arrays.contains(A))
      return "argument of the program";
    auto *G = dyn_cast<GlobalVariable>(From);
    if (G && isLibraryPointer(*G))
      return "library";
    if (G && G->isConstant() && G->hasDefinitiveInitializer() &&
        !Tables.contains(G))
      return "constant";
    return G && Slots.contains(G) ? "pointer in a global" : "";
  }
  // A landing pad's exception.
  if (auto *Extract = dyn_cast<ExtractValueInst>(Object))
    return isa<LandingPadInst>(Extract->getAggregateOperand()) ? "exception"
                                                               : "";
  auto *Call = dyn_cast<CallBase>(Object);
  if (!Call)
    return "";
  if (Allocations.contains(Call))
    return "heap";
  const Function *Callee = Call->getCalledFunction();
  if (!Callee)
    return "";
  switch (Callee->getIntrinsicID()) {
  case Intrinsic::threadlocal_address:
    return "thread-local";
  case Intrinsic::stacksave:
  case Intrinsic::frameaddress:
    return "stack";
  default:
    break;
  }
  if (Callee->getName() == PrivateMarkerName)
    return "annotation";
  if (Callee->isDeclaration())
    return returnsPrivate(Callee->getName()) ? "library" : "";
  return Results.contains(Callee) ? "result" : "";
}

// As getUnderlyingObjects, but through vectors of pointers, and not through
// annotations.
static void collectObjects(const Value *Pointer,
                           SmallVectorImpl<const Value *> &Objects) {
  SmallVector<const Value *, 8> Worklist{Pointer};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Worklist.empty()) {
    const Value *V = Worklist.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    auto *Call = dyn_cast<CallBase>(V);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    auto *GEP = dyn_cast<GEPOperator>(V);
    // Null plus something is an integer made a pointer.
    if (GEP && !isa<ConstantPointerNull>(GEP->getPointerOperand()))
      Worklist.push_back(GEP->getPointerOperand());
    else if (isa<AddrSpaceCastOperator>(V) || isa<BitCastOperator>(V) ||
             isa<FreezeInst>(V))
      Worklist.push_back(cast<User>(V)->getOperand(0));
    else if (auto *Phi = dyn_cast<PHINode>(V))
      append_range(Worklist, Phi->incoming_values());
    else if (auto *Select = dyn_cast<SelectInst>(V))
      Worklist.append({Select->getTrueValue(), Select->getFalseValue()});
    else if (auto *Insert = dyn_cast<InsertElementInst>(V))
      Worklist.append({Insert->getOperand(0), Insert->getOperand(1)});
    else if (auto *Extract = dyn_cast<ExtractElementInst>(V))
      Worklist.push_back(Extract->getVectorOperand());
    else if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(V))
      Worklist.append({Shuffle->getOperand(0), Shuffle->getOperand(1)});
    else if (auto *Alias = dyn_cast<GlobalAlias>(V);
             Alias && !Alias->isInterposable())
      Worklist.push_back(Alias->getAliasee());
    else if (Callee && Callee->getName() != PrivateMarkerName &&
             Callee->getName() != SharedMarkerName &&
             Call->getReturnedArgOperand())
      Worklist.push_back(Call->getReturnedArgOperand());
    else if (Callee &&
             (Callee->getIntrinsicID() == Intrinsic::ptrmask ||
              Callee->getIntrinsicID() == Intrinsic::launder_invariant_group ||
              Callee->getIntrinsicID() == Intrinsic::strip_invariant_group))
      Worklist.push_back(Call->getArgOperand(0));
    else
      Objects.push_back(V);
  }
}

StringRef PointerPrivacy::whyPrivate(const Value *Pointer) const {
  SmallVector<const Value *, 4> Objects;
  collectObjects(Pointer, Objects);
  StringRef Why = "null";
  for (const Value *Object : Objects) {
    StringRef One = whyObjectPrivate(Object);
    if (One.empty())
      return "";
    if (Why == "null")
      Why = One;
  }
  return Why;
}

} // namespace graupel::fgdsm
