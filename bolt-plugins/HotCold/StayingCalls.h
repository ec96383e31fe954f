//===- HotCold/StayingCalls.h - Results that staying code reads -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that stays may be assembly, which reads behind its calls what no
// compiler would: flags, or registers that hold no result by the ABI.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_STAYINGCALLS_H
#define GRAUPEL_HOTCOLD_STAYINGCALLS_H

#include "HotCold/Machine/RegisterSet.h"
#include "Protect/StayingCode.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace graupel {

/// What functions hand to their callers by conventions of their own.
constexpr RegisterSet PossibleResults =
    ((reg::General | reg::Flags) & reg::CallerSaved) & ~reg::Results;

/// What functions that stay read behind their calls.
class StayingCalls {
public:
  using Function = const llvm::bolt::BinaryFunction;

  StayingCalls(llvm::bolt::BinaryContext &BC, const RegisterModel &Model);

  /// Whether the flow of a caller of \p BF is not understood.
  bool hasUnknownCaller(Function &BF) const { return Untold.contains(&BF); }
  /// Callers of \p BF read \p Set. Returns false if \p BF does not stay.
  bool addResults(Function &BF, RegisterSet Set);
  void addResultsToAll(RegisterSet Set);
  /// In a straight line behind calls through pointers.
  RegisterSet readBehindPointers() const;
  /// Results of those that may have them from a call through a pointer.
  RegisterSet passedOn() const;
  /// Calls \p Do with each function that is called and does not stay, and what
  /// is read behind. \p TakesFlags: those that a callee reads as its caller
  /// left them.
  void visitCalls(llvm::function_ref<RegisterSet(Function &)> TakesFlags,
                  llvm::function_ref<void(Function &, RegisterSet)> Do);

private:
  using Step = StayingFunction::Step;
  using Visitor = llvm::function_ref<void(Function &, RegisterSet)>;
  llvm::bolt::BinaryContext &BC;
  const RegisterModel &Model;
  llvm::DenseSet<Function *> Untold;
  llvm::DenseMap<Function *, RegisterSet> Results;

  RegisterSet liveBefore(const StayingFunction &In,
                         const StayingFunction::Block &Block, RegisterSet Live,
                         llvm::function_ref<RegisterSet(Function &)> TakesFlags,
                         Visitor Do) const;
  void visitCallsOf(const StayingFunction &S,
                    llvm::function_ref<RegisterSet(Function &)> TakesFlags,
                    Visitor Do) const;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_STAYINGCALLS_H
