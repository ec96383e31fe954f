//===- LibraryCalls.cpp ---------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryCalls.h"
#include "Access.h"
#include "Markers.h"
#include "Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace graupel::fgdsm {

StringRef findWrapper(StringRef Function) {
  return StringSwitch<StringRef>(Function)
#define WRAP(NAME) .Case(#NAME, "graupel_dsm_" #NAME)
      WRAP(memcpy) WRAP(memmove) WRAP(memset) WRAP(memcmp) WRAP(bcmp)
      WRAP(memchr) WRAP(strlen) WRAP(strnlen) WRAP(strcpy) WRAP(stpcpy)
      WRAP(strncpy) WRAP(strcmp) WRAP(strncmp) WRAP(strcat) WRAP(strncat)
      WRAP(strchr) WRAP(strrchr) WRAP(read) WRAP(write) WRAP(pread)
      WRAP(pwrite) WRAP(send) WRAP(recv) WRAP(fread) WRAP(fwrite)
      WRAP(fputs) WRAP(puts) WRAP(fgets)
#undef WRAP
          .Default("");
}

// The argument that is a stream, which is the library's own; or -1.
static int streamArgument(StringRef Function) {
  return StringSwitch<int>(Function)
      .Cases({"fprintf", "vfprintf", "fscanf", "vfscanf", "fflush", "fclose"}, 0)
      .Cases({"feof", "ferror", "clearerr", "fseek", "fseeko", "ftell"}, 0)
      .Cases({"ftello", "rewind", "fileno", "fgetc", "getc", "getc_unlocked"}, 0)
      .Cases({"setbuf", "setvbuf", "pclose", "flockfile", "funlockfile"}, 0)
      .Cases({"ftrylockfile", "fgetpos", "fsetpos"}, 0)
      .Cases({"fputc", "putc", "putc_unlocked", "ungetc", "fputs"}, 1)
      .Case("fgets", 2)
      .Cases({"fread", "fwrite", "fread_unlocked", "fwrite_unlocked"}, 3)
      .Default(-1);
}

// Names under which the headers hide functions of the C library.
static StringRef plainName(StringRef Function) {
  Function.consume_front("__isoc99_") || Function.consume_front("__isoc23_");
  return Function;
}

static bool mayPassShared(const CallBase &Call, const PointerPrivacy &Privacy) {
  int Stream = streamArgument(plainName(Call.getCalledFunction()->getName()));
  for (const Use &Argument : Call.args())
    if (Argument->getType()->isPointerTy() &&
        int(Call.getArgOperandNo(&Argument)) != Stream &&
        Privacy.whyPrivate(Argument).empty())
      return true;
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
    FunctionCallee Callee = M.getOrInsertFunction(
        findWrapper("memset"), Ptr, Ptr, B.getInt32Ty(), I64);
    Value *Byte = B.CreateZExt(cast<AnyMemSetInst>(I).getValue(),
                               B.getInt32Ty());
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

bool wrapLibraryCalls(Function &F, const PointerPrivacy &Privacy) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || !Callee->isDeclaration() || !mayPassShared(*Call, Privacy))
      continue;
    if (auto *Block = dyn_cast<AnyMemIntrinsic>(Call)) {
      if (!isLongBlock(*Block))
        continue;
      wrapBlock(*Block);
      Changed = true;
    } else if (StringRef Wrapper = findWrapper(Callee->getName());
               !Wrapper.empty()) {
      Call->setCalledFunction(F.getParent()->getOrInsertFunction(
          Wrapper, Call->getFunctionType()));
      Changed = true;
    }
  }
  return Changed;
}

//===-- Diagnosing --------------------------------------------------------===//

static bool isStrict(const Function &F) {
  return StrictOption || F.hasFnAttribute(StrictAttribute);
}

namespace {

class Diagnosis : public DiagnosticInfoUnsupported {
public:
  Diagnosis(const Function &F, const Twine &Message, const Instruction &At)
      : DiagnosticInfoUnsupported(F, Message, At.getDebugLoc(),
                                  isStrict(F) ? DS_Error : DS_Warning) {}
};

} // namespace

static void tell(const Instruction &At, const Twine &Message) {
  Diagnosis D(*At.getFunction(), Message, At);
  At.getContext().diagnose(D);
}

// Whether a library function might read or write through the argument.
static bool touchesArgument(const CallBase &Call, unsigned Index) {
  return !Call.doesNotAccessMemory(Index) &&
         !Call.doesNotAccessMemory() &&
         !Call.onlyAccessesInaccessibleMemory();
}

// Variable arguments of the printf family are read only if the format says so.
static bool formatReadsMemory(const CallBase &Call) {
  for (const Value *Argument : Call.args()) {
    StringRef Format;
    if (Argument->getType()->isPointerTy() &&
        getConstantStringInfo(Argument, Format) && Format.contains('%'))
      return Format.contains('s') || Format.contains('n');
  }
  return true;
}

// Functions of the C library, beyond those LLVM knows, that dereference.
static bool isKnownToDereference(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"sscanf", "scanf", "fscanf", "bsearch", "getline", "strtok", "strtok_r", "strerror_r"}, true)
      .Cases({"readv", "writev", "recvfrom", "sendto", "ioctl", "fcntl"}, true)
      .Cases({"pthread_mutex_lock", "pthread_mutex_unlock", "sem_wait",
              "sem_post", "pthread_barrier_wait", "pthread_cond_wait"},
             true)
      .Default(false);
}

static void diagnoseCall(const CallBase &Call, const PointerPrivacy &Privacy,
                         const TargetLibraryInfo &Library) {
  const Function *F = Call.getCalledFunction();
  LibFunc Known;
  if (!F || !F->isDeclaration() || isa<IntrinsicInst>(Call) ||
      !(Library.getLibFunc(*F, Known) ||
        isKnownToDereference(plainName(F->getName()))) ||
      isAllocationFn(&Call, &Library) || getFreedOperand(&Call, &Library))
    return;
  unsigned Fixed = F->getFunctionType()->getNumParams();
  StringRef Name = plainName(F->getName());
  for (unsigned Index = 0; Index != Call.arg_size(); ++Index) {
    const Value *Argument = Call.getArgOperand(Index);
    if (!Argument->getType()->isPointerTy() ||
        !Privacy.whyPrivate(Argument).empty() ||
        !touchesArgument(Call, Index) || int(Index) == streamArgument(Name))
      continue;
    if (Index >= Fixed && !formatReadsMemory(Call))
      continue;
    tell(Call, "fgdsm: call of '" + Name +
                   "' with a pointer that may be shared; '" + Name +
                   "' is not compiled with checks");
    return;
  }
}

// Pointers in registers, behind which assembly may do anything.
static void diagnoseAssembly(const CallBase &Call,
                             const PointerPrivacy &Privacy) {
  unsigned Index = 0;
  for (const InlineAsm::ConstraintInfo &Info :
       cast<InlineAsm>(Call.getCalledOperand())->ParseConstraints()) {
    if (!Info.hasArg())
      continue;
    unsigned Operand = Index++;
    const Value *Argument = Call.getArgOperand(Operand);
    if (!Argument->getType()->isPointerTy() ||
        (Info.isIndirect && Call.getParamElementType(Operand)) ||
        !Privacy.whyPrivate(Argument).empty() || Call.doesNotAccessMemory())
      continue;
    tell(Call, "fgdsm: inline assembly with a pointer that may be shared; what "
               "it accesses is not checked, give it as an \"m\" operand");
    return;
  }
}

void diagnoseLibraryCalls(Function &F, const PointerPrivacy &Privacy,
                          const TargetLibraryInfo &Library) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (Call->isInlineAsm())
        diagnoseAssembly(*Call, Privacy);
      else
        diagnoseCall(*Call, Privacy, Library);
    }
}

} // namespace graupel::fgdsm
