//===- LibraryCalls.cpp ---------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces calls of the C library that may get shared memory by calls of
// wrappers.
//
// 1. Read graupel/dsm_library.def once (Library). findWrapper and fateOf answer
//    from it, after other names of a function have become its plain name
//    (plainName).
// 2. mayPassShared: decide whether a call may pass shared memory. Callbacks of
//    other modules and functions that read lists or pointers in memory may.
//    Variable arguments do not count if the format reads values only, nor do
//    streams. Else one pointer that is not private is enough.
// 3. wrapLibraryCalls: make futex system calls calls of graupel_dsm_futex.
//    Other calls count only if they may pass shared memory: long copies and
//    fills become calls of the wrappers of memcpy, memmove and memset, calls of
//    library functions become calls of their wrappers.
// 4. wrapAddresses: replace a library function by its wrapper where its address
//    is taken.
//
//===----------------------------------------------------------------------===//

#include "LibraryCalls.h"
#include "Access.h"
#include "Markers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <sys/syscall.h>

using namespace llvm;

namespace graupel::fgdsm {

namespace {

/// The contents of graupel/dsm_library.def.
struct Library {
  StringMap<StringRef> Wrappers;
  StringMap<StringRef> Unwrapped;
  StringSet<> Blocking, Harmless;

  Library() {
#define WRAPPED_AS(NAME, WRAPPER) Wrappers[#NAME] = "graupel_dsm_" #WRAPPER;
#define BLOCKING(NAME) Blocking.insert(#NAME);
#define UNWRAPPED(NAME, WHY) Unwrapped[#NAME] = WHY;
#define HARMLESS(NAME) Harmless.insert(#NAME);
#include "graupel/dsm_library.def"
  }
};

} // namespace

static const Library &theLibrary() {
  static const Library L;
  return L;
}

// Names under which the headers hide functions of the C library.
static StringRef plainName(StringRef Function) {
  // Declarations with assembler names.
  Function.consume_front("\1");
  Function.consume_front("__isoc99_") || Function.consume_front("__isoc23_");
  if (Function == "__sigsetjmp" || Function == "_setjmp")
    return Function;
  return StringSwitch<StringRef>(Function)
      .Case("pread64", "pread")
      .Case("pwrite64", "pwrite")
      .Case("preadv64", "preadv")
      .Case("pwritev64", "pwritev")
      .Case("preadv64v2", "preadv2")
      .Case("pwritev64v2", "pwritev2")
      .Case("__open64_2", "__open_2")
      .Case("__openat64_2", "__openat_2")
      .Case("open64", "open")
      .Case("openat64", "openat")
      .Case("creat64", "creat")
      .Case("fopen64", "fopen")
      .Case("freopen64", "freopen")
      .Case("fgetpos64", "fgetpos")
      .Case("fsetpos64", "fsetpos")
      .Case("stat64", "stat")
      .Case("lstat64", "lstat")
      .Case("fstat64", "fstat")
      .Case("truncate64", "truncate")
      .Case("mkstemp64", "mkstemp")
      .Case("mkstemps64", "mkstemps")
      .Case("mkostemp64", "mkostemp")
      .Case("mkostemps64", "mkostemps")
      .Case("getwc_unlocked", "getwc")
      .Case("fgetwc_unlocked", "fgetwc")
      .Case("putwc_unlocked", "putwc")
      .Case("fputwc_unlocked", "fputwc")
      .Case("__getdelim", "getdelim")
      .Case("__mbrlen", "mbrlen")
      .Case("__strdup", "strdup")
      .Case("__strndup", "strndup")
      .Case("__strtok_r", "strtok_r")
      .Case("__strftime_l", "strftime_l")
      .Case("__wcsftime_l", "wcsftime")
      .Case("__asan_memcpy", "memcpy")
      .Case("__asan_memmove", "memmove")
      .Case("__asan_memset", "memset")
      .Default(Function);
}

// A version of a function that does not do the same has a wrapper of its own.
std::string findWrapper(StringRef Function) {
  const StringMap<StringRef> &Wrappers = theLibrary().Wrappers;
  Function.consume_front("\1");
  auto I = Wrappers.find(Function);
  return (I != Wrappers.end() ? I->second
                              : Wrappers.lookup(plainName(Function)))
      .str();
}

LibraryFate fateOf(StringRef Function) {
  const Library &L = theLibrary();
  StringRef Name = plainName(Function);
  if (L.Wrappers.contains(Name))
    return {LibraryFate::Wrapped, ""};
  if (L.Harmless.contains(Name))
    return {LibraryFate::Harmless, ""};
  if (auto I = L.Unwrapped.find(Name); I != L.Unwrapped.end())
    return {LibraryFate::Unwrapped, I->second};
  return {LibraryFate::Unlisted, ""};
}

bool isBlocking(StringRef Function) {
  return theLibrary().Blocking.contains(Function);
}

// The argument that is a stream, which is the library's own; or -1.
static int streamArgument(StringRef Function) {
  return StringSwitch<int>(Function)
      .Cases({"fprintf", "__fprintf_chk", "fscanf", "fgetpos", "fsetpos"}, 0)
      .Cases({"vfprintf", "__vfprintf_chk", "vfscanf"}, 0)
      .Cases({"fputs", "fputs_unlocked", "fputws"}, 1)
      .Cases({"fgets", "fgets_unlocked", "getline", "freopen"}, 2)
      .Cases({"fread", "fwrite", "fread_unlocked", "fwrite_unlocked"}, 3)
      .Cases({"__fgets_chk", "__fgets_unlocked_chk", "getdelim"}, 3)
      .Cases({"__fread_chk", "__fread_unlocked_chk"}, 4)
      .Default(-1);
}

bool isStreamArgument(const Function &F, unsigned Index) {
  return streamArgument(plainName(F.getName())) == int(Index);
}

// The format, which is the last argument that has a name, reads or writes no
// memory but its own: no %s, no %n.
static bool readsOnlyValues(const CallBase &Call) {
  const FunctionType &Type = *Call.getFunctionType();
  StringRef Format;
  return Type.isVarArg() && Type.getNumParams() &&
         getConstantStringInfo(Call.getArgOperand(Type.getNumParams() - 1),
                               Format) &&
         !Format.contains_insensitive('s') && !Format.contains('n');
}

static bool isPrint(StringRef Name) {
  return Name.contains("printf") || Name.contains("syslog") || Name == "warn" ||
         Name == "warnx" || Name == "err" || Name == "errx";
}

// Functions that take a va_list, whose arguments are not known here.
static bool takesList(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"vprintf", "vfprintf", "vdprintf", "vsprintf"}, true)
      .Cases({"vsnprintf", "vasprintf", "vsyslog", "__vsyslog_chk"}, true)
      .Cases({"vscanf", "vfscanf", "vsscanf"}, true)
      .Cases({"__vprintf_chk", "__vfprintf_chk", "__vdprintf_chk"}, true)
      .Cases({"__vsprintf_chk", "__vsnprintf_chk", "__vasprintf_chk"}, true)
      .Default(false);
}

// Functions that follow pointers in what their arguments point to.
static bool followsTwice(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"readv", "writev", "preadv", "pwritev"}, true)
      .Cases({"preadv2", "pwritev2", "sendmmsg", "recvmmsg"}, true)
      .Cases({"vmsplice", "process_vm_readv", "process_vm_writev"}, true)
      .Cases({"sendmsg", "recvmsg", "strsep", "strtok_r"}, true)
      .Default(false);
}

// Functions that call back, or make others do so, with pointers that are not
// among their arguments.
static const Value *callbackIn(const CallBase &Call, StringRef Name) {
  unsigned Index = StringSwitch<unsigned>(Name)
                       .Cases({"pthread_key_create", "tss_create"}, 1)
                       .Cases({"qsort", "qsort_r"}, 3)
                       .Default(~0u);
  return Index < Call.arg_size()
             ? Call.getArgOperand(Index)->stripPointerCasts()
             : nullptr;
}

static bool mayPassShared(const CallBase &Call, const PointerPrivacy &Privacy) {
  const Function *F = Call.getCalledFunction();
  StringRef Name = plainName(F->getName());
  bool IsKeys = Name.starts_with("pthread_key_") || Name.starts_with("tss_");
  if (const Value *Callback = callbackIn(Call, Name)) {
    auto *Known = dyn_cast<Function>(Callback);
    if (Known && Known->hasFnAttribute(UncheckedAttribute) && IsKeys)
      return false;
    if (!Known || Known->isDeclaration())
      return true;
  }
  // The number of a key that is made later may be the same.
  if (IsKeys)
    return true;
  int Stream = streamArgument(Name);
  if (takesList(Name))
    return true;
  bool OnlyValues = isPrint(Name) && readsOnlyValues(Call);
  // The state of strtok and the environment come from elsewhere.
  if (Name == "strtok" || followsTwice(Name))
    return true;
  unsigned Fixed = F->getFunctionType()->getNumParams();
  for (const Use &Argument : Call.args()) {
    unsigned Index = Call.getArgOperandNo(&Argument);
    if (Argument->getType()->isPointerTy() && int(Index) != Stream &&
        !(OnlyValues && Index >= Fixed) && Privacy.whyPrivate(Argument).empty())
      return true;
  }
  return false;
}

//===-- Wrapping ----------------------------------------------------------===//

// A copy or fill becomes a call of the function of the same name.
static void wrapBlock(AnyMemIntrinsic &I) {
  IRBuilder<> B(&I);
  Module &M = *I.getModule();
  Type *I64 = B.getInt64Ty(), *Ptr = B.getPtrTy();
  Value *Length = B.CreateZExtOrTrunc(I.getLength(), I64);
  CallInst *Call;
  if (auto *Copy = dyn_cast<AnyMemTransferInst>(&I)) {
    // A copy in elements is one in words if they are aligned.
    bool Overlaps = isa<AnyMemMoveInst>(I);
    FunctionCallee Callee = M.getOrInsertFunction(
        findWrapper(Overlaps ? "memmove" : "memcpy"), Ptr, Ptr, Ptr, I64);
    Call = B.CreateCall(Callee, {I.getRawDest(), Copy->getRawSource(), Length});
  } else {
    FunctionCallee Callee = M.getOrInsertFunction(findWrapper("memset"), Ptr,
                                                  Ptr, B.getInt32Ty(), I64);
    Value *Byte =
        B.CreateZExt(cast<AnyMemSetInst>(I).getValue(), B.getInt32Ty());
    Call = B.CreateCall(Callee, {I.getRawDest(), Byte, Length});
  }
  Call->setDebugLoc(I.getDebugLoc());
  I.eraseFromParent();
}

static bool isLongBlock(const AnyMemIntrinsic &I) {
  if (I.getIntrinsicID() == Intrinsic::memcpy_inline ||
      I.getIntrinsicID() == Intrinsic::memset_inline)
    return false;
  auto *Length = dyn_cast<ConstantInt>(I.getLength());
  return !Length || Length->getValue().ugt(LongestInlineBlock);
}

// futex(2) has no function of its own. The word may be private, and changed for
// what other nodes store: C++ libraries wait so.
static bool isFutexCall(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  if (!F || !F->isDeclaration() || F->getName() != "syscall" ||
      Call.arg_empty())
    return false;
  auto *Number = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  return Number && Number->equalsInt(SYS_futex);
}

bool wrapLibraryCalls(Function &F, const PointerPrivacy &Privacy) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Call && isFutexCall(*Call)) {
      Call->setCalledFunction(F.getParent()->getOrInsertFunction(
          "graupel_dsm_futex", Call->getFunctionType()));
      Changed = true;
      continue;
    }
    if (!Callee || !Callee->isDeclaration() || !mayPassShared(*Call, Privacy))
      continue;
    if (auto *Block = dyn_cast<AnyMemIntrinsic>(Call)) {
      if (!isLongBlock(*Block))
        continue;
      wrapBlock(*Block);
      Changed = true;
    } else if (std::string Wrapper = findWrapper(Callee->getName());
               !Wrapper.empty()) {
      Call->setCalledFunction(
          F.getParent()->getOrInsertFunction(Wrapper, Call->getFunctionType()));
      Changed = true;
    }
  }
  return Changed;
}

bool wrapAddresses(Module &M) {
  bool Changed = false;
  for (Function &F : make_early_inc_range(M)) {
    std::string Wrapper = F.isDeclaration() ? findWrapper(F.getName()) : "";
    if (Wrapper.empty() || !F.hasAddressTaken())
      continue;
    FunctionCallee Stand = M.getOrInsertFunction(Wrapper, F.getFunctionType());
    F.replaceUsesWithIf(Stand.getCallee(), [](Use &U) {
      auto *Call = dyn_cast<CallBase>(U.getUser());
      return !(Call && Call->isCallee(&U));
    });
    Changed = true;
  }
  return Changed;
}

} // namespace graupel::fgdsm
