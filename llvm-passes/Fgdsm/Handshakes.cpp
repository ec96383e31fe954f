//===- Handshakes.cpp -----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handshakes.h"
#include "CallGuards.h"
#include "LibraryCalls.h"
#include "Markers.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace graupel::fgdsm {

static bool isMarker(const Function &F) {
  return F.getName() == PrivateMarkerName || F.getName() == SharedMarkerName;
}

bool isQuietLibraryCall(const CallBase &Call,
                        const TargetLibraryInfo &Library) {
  const Function *F = Call.getCalledFunction();
  LibFunc Known;
  if (!F || !F->isDeclaration() || Call.hasFnAttr(Attribute::ReturnsTwice))
    return false;
  // These call back, or the thread is offline in them.
  if (F->getName() == "qsort" || F->getName() == "atexit" ||
      isBlocking(F->getName()))
    return false;
  if (Library.getLibFunc(*F, Known))
    return true;
  return StringSwitch<bool>(F->getName())
      .Cases({"__errno_location", "__ctype_b_loc", "__ctype_tolower_loc",
              "__ctype_toupper_loc"},
             true)
      .Cases({"rand", "srand", "random", "srandom", "drand48", "erand48",
              "lrand48", "srand48"},
             true)
      .Cases({"time", "clock", "clock_gettime", "gettimeofday"}, true)
      .Cases({"__cxa_allocate_exception", "__cxa_free_exception"}, true)
      .Cases({"gdsm_node", "gdsm_nodes", "gdsm_thread", "gdsm_threads",
              "gdsm_threads_per_node", "gdsm_time", GuardEntry},
             true)
      .Default(false);
}

// Calls of functions that this module does not define.
static bool isQuietDeclaration(const CallBase &Call) {
  if (isa<IntrinsicInst>(Call))
    return !Call.hasFnAttr(Attribute::ReturnsTwice);
  return Call.isInlineAsm() || isMarker(*Call.getCalledFunction());
}

Handshakes::Handshakes(Module &M, const DenseSet<const Function *> &HasOwn) {
  // Another definition of the same function may poll where this one does not.
  for (const Function &F : M)
    if (!F.isDeclaration() && F.hasExactDefinition() && !HasOwn.contains(&F))
      Quiet.insert(&F);
  const TargetLibraryInfoImpl Impl(M.getTargetTriple());
  const TargetLibraryInfo Library(Impl);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Function &F : M)
      if (Quiet.contains(&F) && any_of(instructions(F), [&](const auto &I) {
            auto *Call = dyn_cast<CallBase>(&I);
            return Call && endsValidity(*Call, Library);
          })) {
        Quiet.erase(&F);
        Changed = true;
      }
  }
}

bool Handshakes::endsValidity(const CallBase &Call,
                              const TargetLibraryInfo &Library) const {
  if (Call.isInlineAsm())
    return false;
  const Function *F = Call.getCalledFunction();
  if (!F)
    return true;
  if (F->isDeclaration())
    return !isQuietDeclaration(Call) && !isQuietLibraryCall(Call, Library);
  return !Quiet.contains(F);
}

} // namespace graupel::fgdsm
