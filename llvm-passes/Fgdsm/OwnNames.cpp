//===- OwnNames.cpp -------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OwnNames.h"
#include "CallGuards.h"
#include "Handshakes.h"
#include "LibraryCalls.h"
#include "PointerPrivacy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace graupel::fgdsm {

// Whether other files see F under its name.
static bool isVisible(const Function &F) {
  return !F.isDeclarationForLinker() && !F.hasLocalLinkage();
}

// Code that can only be linked into an executable.
static bool isForExecutable(const Module &M) {
  return M.getPICLevel() == PICLevel::NotPIC ||
         M.getPIELevel() != PIELevel::Default;
}

// Memory that the program allocates with functions of its own may be freed by
// other libraries. Includes the operators new that programs may replace.
bool isAllocator(StringRef Name) {
  if (Name.consume_front("_Znwm") || Name.consume_front("_Znam"))
    return is_contained({"", "RKSt9nothrow_t", "St11align_val_t",
                         "St11align_val_tRKSt9nothrow_t"},
                        Name);
  return is_contained({"malloc", "calloc", "realloc", "reallocarray", "free",
                       "aligned_alloc", "memalign", "posix_memalign", "valloc",
                       "pvalloc"},
                      Name);
}

bool isDeallocator(StringRef Name) {
  return Name == "free" || Name.starts_with("_ZdlPv") ||
         Name.starts_with("_ZdaPv");
}

// The C library has a function of that name.
static bool isLibrarys(StringRef Name) {
  static const StringSet<> Names = {
#include "LibraryNames.inc"
  };
  return Names.contains(Name);
}

bool publishOwnNames(Module &M) {
  bool Changed = false;
  for (Function &F : M) {
    if (!isVisible(F) || isAllocator(F.getName()) || !isLibrarys(F.getName()))
      continue;
    if (isForExecutable(M) && F.hasDefaultVisibility()) {
      F.setVisibility(GlobalValue::HiddenVisibility);
      F.setDSOLocal(true);
      Changed = true;
    }
    std::string Wrapper = findWrapper(F.getName());
    GlobalValue *Known = Wrapper.empty() ? nullptr : M.getNamedValue(Wrapper);
    if (Wrapper.empty() || (Known && !Known->isDeclaration()))
      continue;
    GlobalAlias *Alias = GlobalAlias::create("", &F);
    Alias->setLinkage(F.getLinkage());
    Alias->setVisibility(F.getVisibility());
    Alias->setDSOLocal(F.isDSOLocal());
    if (Known) {
      Known->replaceAllUsesWith(Alias);
      Known->eraseFromParent();
    }
    Alias->setName(Wrapper);
    Changed = true;
  }
  return Changed;
}

bool guardOwnResult(Function &F, const PointerPrivacy &Privacy) {
  if (!isVisible(F) || !F.getReturnType()->isPointerTy() ||
      !(isAllocator(F.getName()) || returnsPrivate(F.getName())))
    return false;
  SmallVector<ReturnInst *, 4> Returns;
  for (BasicBlock &Block : F)
    if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator());
        Return && Privacy.whyPrivate(Return->getReturnValue()).empty())
      Returns.push_back(Return);
  for (ReturnInst *Return : Returns)
    guardResult(*Return);
  return !Returns.empty();
}

void refuseOwnNames(Module &M, const DenseSet<const Function *> &HasOwn) {
  for (const Function &F : M) {
    StringRef Name = F.getName();
    if (!isVisible(F) ||
        !(sortsCopy(Name) || (isQuietName(Name) && HasOwn.contains(&F))) ||
        isNotBuiltin(F, Name))
      continue;
    // Functions that are no builtins of clang have no option of their own.
    std::string Text =
        sortsCopy(Name)
            ? ("fgdsm: '" + Name +
               "' is a name of the C library's, and comparisons for it have no "
               "checks, as it sorts a copy; rename the function, or compile "
               "all files that call it with -fno-builtin")
                  .str()
            : ("fgdsm: '" + Name +
               "' is a name of the C library's, and code that calls it does "
               "not expect accesses to shared memory in there; rename the "
               "function, or compile all files that call it with "
               "-fno-builtin-" +
               Name)
                  .str();
    Twine Message(Text);
    F.getContext().diagnose(
        DiagnosticInfoUnsupported(F, Message, F.getSubprogram()));
  }
}

} // namespace graupel::fgdsm
