//===- CodeTable.cpp ------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the sections and symbols that tell which code has checks.
//
// 1. Give each function and alias that threads may begin with a second symbol,
//    whose name says that it has checks (publishThreadFunctions).
// 2. Make an entry for each function that has its checks and is not listed yet:
//    in gdsm_functions, or in gdsm_nocheck if the program wants it without
//    checks (makeEntry).
// 3. Put labels around the inline assembly of functions with checks, and write
//    the labels to gdsm_assembly (addBounds). Empty assembly is skipped.
// 4. Make an entry in gdsm_nocheck for declared GDSM_UNCHECKED functions that
//    may begin a thread and whose address is taken (makeExemption).
// 5. Keep all entries by llvm.compiler.used.
// 6. requireThreadFunction, which CallGuards calls: refer from gdsm_required to
//    the second symbol of a function of another file, so that linking fails
//    without it.
//
//===----------------------------------------------------------------------===//

#include "CodeTable.h"
#include "EntryStubs.h"
#include "Markers.h"
#include "Records.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#define DEBUG_TYPE "fgdsm-code"

using namespace llvm;

STATISTIC(NumListed, "Functions that are listed");
STATISTIC(NumAssembly, "Inline assembly that is listed");

namespace graupel::fgdsm {

// The address of a name that nobody replaces. A distance would need no
// relocation at run time, but graupel-bolt could not move the function: it
// cannot tell what a distance in data is counted from.
static GlobalVariable *makeEntry(Function &F, StringRef Section) {
  Module &M = *F.getParent();
  auto *Own =
      GlobalAlias::create(F.getValueType(), F.getAddressSpace(),
                          GlobalValue::PrivateLinkage, "gdsm.code", &F, &M);
  auto *Entry =
      new GlobalVariable(M, Own->getType(), true, GlobalValue::PrivateLinkage,
                         Own, "gdsm.function");
  Entry->setSection(Section);
  tieTo(*Entry, F);
  ++NumListed;
  return Entry;
}

// The same code between two labels, and these in the section.
static void addBounds(CallBase &Call) {
  auto *Assembly = cast<InlineAsm>(Call.getCalledOperand());
  StringRef Text = Assembly->getAsmString();
  // An empty one keeps the compiler from moving something.
  if (Text.trim().empty() || Text.contains(".Lgdsm_asm") ||
      isAddressAssembly(*Assembly))
    return;
  std::string New = (".Lgdsm_asm${:uid}:\n" + Text +
                     "\n.Lgdsm_end${:uid}:\n"
                     ".pushsection gdsm_assembly,\"ao?\",@progbits,"
                     ".Lgdsm_asm${:uid}\n"
                     ".long .Lgdsm_asm${:uid}-.\n"
                     ".long .Lgdsm_end${:uid}-.\n"
                     ".popsection\n")
                        .str();
  Call.setCalledOperand(InlineAsm::get(
      Assembly->getFunctionType(), New, Assembly->getConstraintString(),
      Assembly->hasSideEffects(), Assembly->isAlignStack(),
      Assembly->getDialect(), Assembly->canThrow()));
  ++NumAssembly;
}

static void listFunction(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isInlineAsm())
      addBounds(*Call);
}

// A reader of the linker's message sees what to do.
static std::string markerOf(const GlobalValue &F) {
  return demangle(F.getName()) + " compiled with graupel-dsm.cfg";
}

// One pointer, and no member function, whose first is never null.
static bool mayStartThread(const Function &F) {
  return F.arg_size() == 1 && !F.isVarArg() &&
         F.getArg(0)->getType()->isPointerTy() &&
         !F.getArg(0)->hasNonNullAttr() &&
         !F.hasParamAttribute(0, Attribute::StructRet) &&
         !F.hasParamAttribute(0, Attribute::ByVal);
}

static void publish(GlobalValue &G) {
  Module &M = *G.getParent();
  std::string Name = markerOf(G);
  GlobalValue *Known = M.getNamedValue(Name);
  if (Known && !Known->isDeclaration())
    return;
  auto *Marker = GlobalAlias::create("", &G);
  Marker->setLinkage(G.getLinkage());
  Marker->setVisibility(G.getVisibility());
  Marker->setDSOLocal(G.isDSOLocal());
  if (Known) {
    Known->replaceAllUsesWith(Marker);
    Known->eraseFromParent();
  }
  Marker->setName(Name);
}

static void publishThreadFunctions(Module &M) {
  SmallVector<GlobalValue *, 0> All;
  for (Function &F : M)
    if (!F.isDeclarationForLinker() && !F.hasLocalLinkage() &&
        !F.hasFnAttribute(Attribute::Naked) && mayStartThread(F))
      All.push_back(&F);
  for (GlobalAlias &A : M.aliases())
    if (auto *F = dyn_cast<Function>(A.getAliaseeObject());
        F && !A.hasLocalLinkage() && mayStartThread(*F) &&
        !A.getName().contains(' '))
      All.push_back(&A);
  for (GlobalValue *G : All)
    publish(*G);
}

// gdsm_parallel looks at the function that it gets, whoever calls it.
static GlobalVariable *makeExemption(Function &Declared) {
  auto *Entry = new GlobalVariable(*Declared.getParent(), Declared.getType(),
                                   true, GlobalValue::PrivateLinkage, &Declared,
                                   "gdsm.function");
  Entry->setSection("gdsm_nocheck");
  Declared.addFnAttr(ListedAttribute);
  return Entry;
}

PreservedAnalyses CodeTablePass::run(Module &M, ModuleAnalysisManager &) {
  publishThreadFunctions(M);
  SmallVector<GlobalValue *, 0> Entries;
  for (Function &F : M)
    if (F.hasFnAttribute(DoneAttribute) && !F.hasFnAttribute(ListedAttribute)) {
      // The runtime tells of functions without checks, but not of those that
      // the program wants so.
      const bool HasChecks = !F.hasFnAttribute(NoCheckAttribute);
      Entries.push_back(
          makeEntry(F, HasChecks ? "gdsm_functions" : "gdsm_nocheck"));
      F.addFnAttr(ListedAttribute);
      if (HasChecks)
        listFunction(F);
    } else if (F.isDeclaration() && F.hasFnAttribute(UncheckedAttribute) &&
               !F.hasFnAttribute(ListedAttribute) && mayStartThread(F) &&
               F.hasAddressTaken()) {
      Entries.push_back(makeExemption(F));
    }
  appendToCompilerUsed(M, Entries);
  return PreservedAnalyses::none();
}

void requireThreadFunction(Function &User, Function &Started) {
  // An old declaration in C tells no parameters.
  if (!mayStartThread(Started) || Started.hasExternalWeakLinkage())
    return;
  Module &M = *User.getParent();
  auto *Marker = cast<GlobalValue>(
      M.getOrInsertFunction(markerOf(Started), Started.getFunctionType())
          .getCallee());
  auto *Reference =
      new GlobalVariable(M, Marker->getType(), true,
                         GlobalValue::PrivateLinkage, Marker, "gdsm.required");
  Reference->setSection("gdsm_required");
  tieTo(*Reference, User);
  appendToCompilerUsed(M, {Reference});
}

} // namespace graupel::fgdsm
