//===- HotCold/StayingCalls.h - Results that staying code reads -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that stays may be assembly, which reads flags or registers behind
// its calls that hold no result by the ABI. And it may hand on its caller's
// values to its callees, in registers that hold no parameter.
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

/// Registers that may hold results by conventions other than the ABI's.
constexpr RegisterSet PossibleResults =
    ((reg::General | reg::Flags) & reg::CallerSaved) & ~reg::Results;

/// Registers that functions that stay read behind their calls.
class StayingCalls {
public:
  using Function = const llvm::bolt::BinaryFunction;

  explicit StayingCalls(const RegisterModel &Model);

  /// Whether the flow of a caller of \p BF is not understood.
  bool hasUnknownCaller(Function &BF) const { return Untold.contains(&BF); }
  /// Callers of \p BF read \p Set. Returns false if \p BF does not stay.
  bool addResults(Function &BF, RegisterSet Set);
  void addResultsToAll(RegisterSet Set);
  /// Registers read in straight-line code behind calls through pointers.
  RegisterSet readBehindPointers() const;
  /// Results of functions that may get them from a call through a pointer.
  RegisterSet passedOn() const;
  /// Calls \p Do with each function that is called and does not stay, and the
  /// registers that are read behind the call. \p TakesFlags returns the flags
  /// that a callee reads as its caller left them.
  void visitCalls(llvm::function_ref<RegisterSet(Function &)> TakesFlags,
                  llvm::function_ref<void(Function &, RegisterSet)> Do);

  /// Registers that \p BF is known to hand on.
  RegisterSet handedOn(Function &BF) const { return Handed.lookup(&BF); }
  /// Takes the registers that callees read as their callers left them from
  /// \p Uses. Returns the functions that hand on more than before.
  std::vector<Function *>
  findHandedOn(llvm::function_ref<RegisterSet(Function &)> Uses);

private:
  using Step = StayingFunction::Step;
  using Visitor = llvm::function_ref<void(Function &, RegisterSet)>;
  /// Instructions of a block up to a call or return, as one.
  struct Run {
    RegisterSet Reads = 0, Kills = 0;
    const Step *Last = nullptr; ///< The call or return; null at a block's end.
    RegisterSet LastReads = 0;  ///< Reads by its operands.
  };
  struct Flow {
    const StayingFunction *Owner;
    std::vector<Run> Runs;
    std::vector<unsigned> Ends; ///< End of each block's runs.

    llvm::ArrayRef<Run> runsOf(unsigned Block) const {
      const unsigned First = Block ? Ends[Block - 1] : 0;
      return llvm::ArrayRef(Runs).slice(First, Ends[Block] - First);
    }
  };
  struct Call {
    Function *From, *To;
    RegisterSet Left; ///< As the caller of From left it, on some path.
  };
  const RegisterModel &Model;
  llvm::DenseSet<Function *> Untold;
  llvm::DenseMap<Function *, RegisterSet> Results, Handed;
  std::vector<Flow> Flows;
  std::vector<Call> Calls;

  void addFlow(const StayingFunction &S);
  void findCalls(const Flow &F);
  RegisterSet leftBehind(const Flow &F, unsigned Block, RegisterSet Left,
                         std::vector<Call> *Found) const;
  RegisterSet liveBefore(const Flow &F, unsigned Block, RegisterSet Live,
                         llvm::function_ref<RegisterSet(Function &)> TakesFlags,
                         Visitor Do) const;
  void visitCallsOf(const Flow &F,
                    llvm::function_ref<RegisterSet(Function &)> TakesFlags,
                    Visitor Do) const;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_STAYINGCALLS_H
