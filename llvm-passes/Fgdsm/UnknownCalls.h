//===- UnknownCalls.h - Calls that may leave checked code -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code without checks must not get pointers to shared memory. The callees of a
// module are often known only when the program runs, so such calls are guarded
// (docs/design/dsm-unknown-code.md). A call is unknown if
//
//  1. the callee is not compiled here for certain: a declaration, a definition
//     that the linker may replace, a pointer, inline assembly;
//  2. it is not known to be safe: wrapped, the runtime's, or declared
//     GDSM_UNCHECKED; or it is, and calls back a function that is not. A name
//     that is harmless in the system's libraries may be the program's own
//     function, which only the runtime can tell;
//  3. an argument may be or hold a pointer to shared memory, or point to a
//     private object that holds one (HeldPointers.h); or an operand of
//     assembly; or
//  4. it starts threads, which will get at shared memory, whatever they get.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_UNKNOWNCALLS_H
#define GRAUPEL_FGDSM_UNKNOWNCALLS_H

#include "HeldPointers.h"
#include "Pass.h"
#include "PointerPrivacy.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

namespace llvm {
class TargetLibraryInfo;
} // namespace llvm

namespace graupel::fgdsm {

struct UnknownCall {
  /// Library: harmless, unless it is the program's own function of that name.
  enum Kinds { Direct, Indirect, Assembly, Thread, Library };

  UnknownCall(llvm::CallBase &Call, llvm::Value *Callee, Kinds Kind)
      : Call(&Call), Callee(Callee), Kind(Kind) {}

  llvm::CallBase *Call;
  /// The function that gets the pointers: the callee, or its callback.
  llvm::Value *Callee;
  Kinds Kind;
  /// Its memory is fetched for the call.
  bool Fetches = false;
  /// The replacement to use; empty if there is none known.
  llvm::StringRef Remedy;
  /// Pointers that may be shared, and what may hold some.
  llvm::SmallVector<llvm::Value *, 4> Pointers;
  /// Where private objects hold such pointers.
  llvm::SmallVector<HeldSlot, 2> Slots;
  /// Where assembly finds pointers by itself.
  llvm::SmallVector<llvm::Value *, 1> Memory;

  /// The callee, if it is known.
  llvm::Function *function() const;
  bool empty() const {
    return Kind != Thread && Pointers.empty() && Slots.empty() &&
           Memory.empty();
  }

  void print(llvm::raw_ostream &OS) const;
};

using Unknowns = llvm::SmallVector<UnknownCall, 0>;

/// In program order; some calls twice, for the callee and for whom that calls.
Unknowns findUnknownCalls(llvm::Function &F, const PointerPrivacy &Privacy,
                          const llvm::TargetLibraryInfo &Library);

/// print<fgdsm-unknown-calls>
class UnknownCallPrinterPass : public PrinterPass<UnknownCallPrinterPass> {
public:
  using PrinterPass::PrinterPass;
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace graupel::fgdsm

#endif
