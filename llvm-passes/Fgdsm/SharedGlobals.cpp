//===- SharedGlobals.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//  1. With -fgdsm-share-globals definitions are marked, and declarations may be
//     either. Variables that C++ initializes or destroys at run time stay
//     private.
//  2. Such a variable is an error if the program marks it; so is a thread-local
//     one. Constants are no variables.
//  3. Optimizers learn that others write marked variables. Declarations go
//     through the GOT: the linker must not copy what is in a library.
//  4. Assembly that names a marked variable is an error: what it accesses is
//     not checked, and no pointer of the program's says so.
//
//===----------------------------------------------------------------------===//

#include "SharedGlobals.h"
#include "Markers.h"
#include "Options.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#define DEBUG_TYPE "fgdsm-globals"

using namespace llvm;

STATISTIC(NumShared, "Global variables that are shared");
STATISTIC(NumLeftPrivate, "Global variables of C++ that stay private");

namespace graupel::fgdsm {

bool maybeSharedGlobal(const GlobalVariable &G) {
  StringRef Section = G.getSection();
  return Section == GlobalsSection || Section == AnyGlobalsSection ||
         Section == PagesSection || Section == ZerosSection;
}

bool pointsToSharedGlobal(const Constant &Initializer) {
  SmallVector<const Constant *, 16> Worklist{&Initializer};
  SmallPtrSet<const Constant *, 16> Seen;
  while (!Worklist.empty()) {
    const Constant *C = Worklist.pop_back_val();
    if (!Seen.insert(C).second)
      continue;
    if (auto *G = dyn_cast<GlobalVariable>(C)) {
      if (maybeSharedGlobal(*G))
        return true;
    } else if (auto *A = dyn_cast<GlobalAlias>(C)) {
      Worklist.push_back(A->getAliasee());
    } else if (!isa<GlobalValue>(C)) {
      for (const Use &U : C->operands())
        if (auto *Operand = dyn_cast<Constant>(U))
          Worklist.push_back(Operand);
    }
  }
  return false;
}

//===-- Marks of the program ----------------------------------------------===//

// Uses the annotations of a module's globals: text, file, line.
static void forEachAnnotation(
    const Module &M,
    function_ref<void(const Value &, StringRef, StringRef, unsigned)> Use) {
  const GlobalVariable *All = M.getGlobalVariable("llvm.global.annotations");
  auto *List = All ? dyn_cast<ConstantArray>(All->getInitializer()) : nullptr;
  if (!List)
    return;
  for (const llvm::Use &Operand : List->operands()) {
    auto *Entry = dyn_cast<ConstantStruct>(Operand);
    if (!Entry || Entry->getNumOperands() < 4)
      continue;
    StringRef Text, File;
    getConstantStringInfo(Entry->getOperand(1), Text);
    getConstantStringInfo(Entry->getOperand(2), File);
    auto *Line = dyn_cast<ConstantInt>(Entry->getOperand(3));
    Use(*Entry->getOperand(0)->stripPointerCasts(), Text, File,
        Line ? Line->getZExtValue() : 0);
  }
}

GlobalPlace placeOf(const GlobalVariable &G) {
  GlobalPlace Place = {G.getParent()->getSourceFileName(), 0};
  SmallVector<DIGlobalVariableExpression *, 1> Debug;
  G.getDebugInfo(Debug);
  if (!Debug.empty())
    Place = {Debug[0]->getVariable()->getFilename().str(),
             Debug[0]->getVariable()->getLine()};
  forEachAnnotation(*G.getParent(), [&](const Value &V, StringRef Text,
                                        StringRef File, unsigned Line) {
    if (&V == &G && Text.starts_with("fgdsm."))
      Place = {File.str(), Line};
  });
  return Place;
}

static void tell(const GlobalVariable &G, DiagnosticSeverity Severity,
                 const Twine &Message) {
  GlobalPlace Place = placeOf(G);
  std::string Text = Place.File;
  if (Place.Line)
    Text += ":" + std::to_string(Place.Line);
  Text += (": '" + demangle(G.getName()) + "' " + Message).str();
  G.getContext().diagnose(DiagnosticInfoGeneric(Text, Severity));
}

//===-- C++ ---------------------------------------------------------------===//

static bool isConstructorCall(const CallBase &Call, const Use &Argument) {
  if (!Call.isArgOperand(&Argument))
    return false;
  unsigned Number = Call.getArgOperandNo(&Argument);
  if (Call.paramHasAttr(Number, Attribute::StructRet))
    return true;
  const Function *Callee = Call.getCalledFunction();
  ItaniumPartialDemangler D;
  return Number == 0 && Callee &&
         !D.partialDemangle(Callee->getName().str().c_str()) &&
         D.isCtorOrDtor();
}

static bool initializes(const Use &U) {
  if (isa<StoreInst>(U.getUser()))
    return U.getOperandNo() == StoreInst::getPointerOperandIndex();
  if (isa<MemIntrinsic>(U.getUser()))
    return U.getOperandNo() == 0;
  auto *Call = dyn_cast<CallBase>(U.getUser());
  return Call && isConstructorCall(*Call, U);
}

// Visits uses of a variable and of addresses within it by instructions.
static bool anyUse(const Value &V, function_ref<bool(const Use &)> Matches) {
  SmallVector<const Value *, 8> Worklist{&V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Worklist.empty()) {
    const Value *Next = Worklist.pop_back_val();
    if (!Seen.insert(Next).second)
      continue;
    for (const Use &U : Next->uses()) {
      if (isa<GEPOperator>(U.getUser()) || isa<PHINode>(U.getUser()) ||
          isa<ConstantExpr>(U.getUser()))
        Worklist.push_back(U.getUser());
      if (isa<Instruction>(U.getUser()) && Matches(U))
        return true;
    }
  }
  return false;
}

static StringRef functionOf(const Use &U) {
  return cast<Instruction>(U.getUser())->getFunction()->getName();
}

static bool hasInitializerAtRunTime(const GlobalVariable &G) {
  StringRef Name = G.getName();
  if (Name.consume_front("_Z") &&
      G.getParent()->getNamedValue(("_ZGV" + Name).str()))
    return true;
  return anyUse(G, [](const Use &U) {
    return functionOf(U).starts_with("__cxx_global_var_init") && initializes(U);
  });
}

static bool hasDestructor(const GlobalVariable &G) {
  return anyUse(G, [](const Use &U) {
    if (functionOf(U).starts_with("__cxx_global_array_dtor") ||
        functionOf(U).starts_with("__dtor_"))
      return true;
    auto *Call = dyn_cast<CallBase>(U.getUser());
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && Callee->getName() == "__cxa_atexit" &&
           Call->isArgOperand(&U);
  });
}

static const char *whyNoneOfCxx(const GlobalVariable &G) {
  if (hasInitializerAtRunTime(G))
    return "is initialized at run time, which every node would do";
  if (hasDestructor(G))
    return "has a destructor, which every node would call";
  return nullptr;
}

//===-- The pass ----------------------------------------------------------===//

static bool isOfStandardLibrary(StringRef Name) {
  return Name.starts_with("_ZSt") || Name.starts_with("_ZNSt") ||
         Name.starts_with("_ZZNSt") || Name.starts_with("_ZZNKSt");
}

static bool mayBeMarked(const GlobalVariable &G) {
  return !G.isConstant() && !G.isThreadLocal() && !G.hasSection() &&
         !G.hasAvailableExternallyLinkage() &&
         !G.getName().starts_with("llvm.") && !G.getName().starts_with("_ZGV");
}

static void markAll(Module &M) {
  DenseSet<const Value *> PerNode;
  forEachAnnotation(M,
                    [&](const Value &V, StringRef Text, StringRef, unsigned) {
                      if (Text == "fgdsm.per-node")
                        PerNode.insert(&V);
                    });
  for (GlobalVariable &G : M.globals()) {
    if (!mayBeMarked(G) || PerNode.contains(&G))
      continue;
    if (G.isDeclaration()) {
      G.setSection(AnyGlobalsSection);
    } else if (const char *Why = whyNoneOfCxx(G)) {
      ++NumLeftPrivate;
      if (!isOfStandardLibrary(G.getName()))
        tell(G, DS_Warning,
             Twine(Why) + "; it is not shared (GDSM_PER_NODE says that this "
                          "is meant)");
    } else {
      if (G.hasCommonLinkage())
        G.setLinkage(GlobalValue::WeakAnyLinkage);
      G.setSection(GlobalsSection);
    }
  }
}

static bool refuse(const GlobalVariable &G) {
  if (G.isThreadLocal())
    tell(G, DS_Error, "is thread-local, so threads cannot share it");
  else if (const char *Why = whyNoneOfCxx(G))
    tell(G, DS_Error,
         Twine(Why) + "; a GDSM_GLOBAL variable has neither: "
                      "make it a pointer");
  else
    return false;
  return true;
}

static bool hasPointer(const Type *T) {
  return T->isPtrOrPtrVectorTy() || any_of(T->subtypes(), hasPointer);
}

// Pointers are what GDSM_SHARED is for.
static void refuseMisunderstood(const Module &M) {
  forEachAnnotation(M, [](const Value &V, StringRef Text, StringRef, unsigned) {
    auto *G = dyn_cast<GlobalVariable>(&V);
    if (G && Text == "fgdsm.shared" && !hasPointer(G->getValueType()))
      tell(*G, DS_Error,
           "is no pointer: GDSM_SHARED says what a pointer points to, "
           "GDSM_GLOBAL shares the variable itself");
  });
}

//===-- Assembly ----------------------------------------------------------===//

// '$' may be part of a name, but before one it says that this is a constant.
static bool isOfName(char C) { return isAlnum(C) || C == '_' || C == '.'; }

static bool names(StringRef Assembly, StringRef Symbol) {
  for (size_t At = Assembly.find(Symbol); At != StringRef::npos;
       At = Assembly.find(Symbol, At + 1)) {
    const size_t End = At + Symbol.size();
    if ((At == 0 || !isOfName(Assembly[At - 1])) &&
        (End == Assembly.size() ||
         !(isOfName(Assembly[End]) || Assembly[End] == '$')))
      return true;
  }
  return false;
}

// Text of a module that goes to the assembler as it is.
static SmallVector<StringRef, 8> assemblyOf(const Module &M) {
  SmallVector<StringRef, 8> All{M.getModuleInlineAsm()};
  for (const Function &F : M) {
    if (F.hasFnAttribute(NoCheckAttribute))
      continue;
    for (const Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isInlineAsm())
        All.push_back(
            cast<InlineAsm>(Call->getCalledOperand())->getAsmString());
  }
  return All;
}

static void refuseAssembly(const Module &M) {
  // Under -fgdsm-share-globals declarations may be private.
  auto IsShared = [](const GlobalVariable &G) {
    return maybeSharedGlobal(G) && G.getSection() != AnyGlobalsSection;
  };
  if (none_of(M.globals(), IsShared))
    return;
  const SmallVector<StringRef, 8> Assembly = assemblyOf(M);
  for (const GlobalVariable &G : make_filter_range(M.globals(), IsShared)) {
    StringRef Symbol = G.getName();
    Symbol.consume_front("\1");
    if (any_of(Assembly, [&](StringRef Text) { return names(Text, Symbol); }))
      tell(G, DS_Error,
           "is named by assembly, whose accesses are not checked; give it as "
           "an \"m\" operand");
  }
}

PreservedAnalyses SharedGlobalsPass::run(Module &M, ModuleAnalysisManager &) {
  refuseMisunderstood(M);
  if (ShareGlobalsOption)
    markAll(M);
  refuseAssembly(M);
  SmallVector<GlobalValue *, 0> Written;
  for (GlobalVariable &G : M.globals()) {
    if (!maybeSharedGlobal(G))
      continue;
    if (G.isConstant() || (!G.isDeclaration() && refuse(G))) {
      G.setSection("");
    } else if (G.isDeclaration()) {
      if (G.hasDefaultVisibility())
        G.setDSOLocal(false);
    } else {
      G.setExternallyInitialized(true);
      G.setUnnamedAddr(GlobalValue::UnnamedAddr::None);
      Written.push_back(&G);
    }
  }
  NumShared += Written.size();
  appendToCompilerUsed(M, Written);
  return Written.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace graupel::fgdsm
