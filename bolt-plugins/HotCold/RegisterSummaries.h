//===- HotCold/RegisterSummaries.h - Calls' register effects ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_REGISTERSUMMARIES_H
#define GRAUPEL_HOTCOLD_REGISTERSUMMARIES_H

#include "EntryValues.h"
#include "HotCold/Machine/RegisterSet.h"
#include "Support/FunctionEntry.h"
#include "UnreadCode.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace graupel {

struct OwnEffects;
struct SummaryQuestion;
class PointerTargets;
class StayingCalls;

/// The target of a call, looked up once.
struct CallTarget : FunctionEntry {
  const llvm::MCSymbol *Symbol = nullptr;

  /// True if it is in another image, or called through a pointer.
  bool isElsewhere() const { return !Function || Function->isPLTFunction(); }
};
CallTarget targetOf(const llvm::bolt::BinaryContext &BC,
                    const llvm::MCInst &Call);

/// The effects of each function of the image on its caller's registers.
/// Compilers know them for local functions, too (gcc -fipa-ra), and assembly
/// has conventions of its own. The answers err on the safe side: a register
/// that may have changed is not known to be overwritten.
class RegisterSummaries {
public:
  /// The defaults follow the ABI.
  struct Summary {
    /// May hold something else when it returns.
    RegisterSet MayChange = reg::CallerSaved;
    /// Hold nothing of what they held before, however it returns.
    RegisterSet Overwrites = 0;
    /// No caller takes these to be as they were: the function or others of the
    /// image that it calls write them, or it calls another image.
    RegisterSet Writes = reg::CallerSaved;
    /// May be read as its caller left it, saving aside. Results that it does
    /// not assign to on all paths are among them: others read them for it.
    RegisterSet Uses = reg::Parameters;
    /// Those of them that it or its callees do more with than leave them alone.
    /// Only exact for registers without parameters by the ABI: other images'
    /// code is not known.
    RegisterSet Reads = reg::Parameters;
    /// May be read by callers when it has returned.
    RegisterSet Results = reg::Results;
    /// Saved registers that it reads where it saved them.
    RegisterSet ReadFromStack = 0;
    /// False if control never comes back, whatever code follows the call.
    bool Returns = true;
    /// False if it may come back with another stack pointer, or elsewhere.
    bool KeepsStack = true;
    /// It may tell its calls apart. Not known for other images.
    bool ReadsReturnAddress = false;
  };

  /// Looks at all functions of \p BC, callees before callers.
  RegisterSummaries(llvm::bolt::BinaryContext &BC, const RegisterModel &Model,
                    const StackModel &Stack);

  /// The summary of the target of \p Call, which may be a tail call.
  Summary ofCall(const llvm::MCInst &Call) const {
    return ofTarget(targetOf(BC, Call));
  }
  Summary ofTarget(const CallTarget &To) const;
  Summary of(const llvm::bolt::BinaryFunction &BF) const;
  /// The summary of code in the image that was not understood.
  static Summary unknown();
  /// Prints effects of calls through pointers that break the ABI.
  void print(llvm::raw_ostream &OS, const RegisterModel &Model) const;
  /// Makes \p Entry, a further entry of a function at \p Block, known.
  void addEntry(const llvm::MCSymbol &Entry,
                llvm::bolt::BinaryBasicBlock &Block,
                const RegisterModel &Model);

private:
  using EffectsOfFunctions =
      std::vector<std::pair<llvm::bolt::BinaryFunction *, OwnEffects>>;
  using CallersOfFunctions =
      llvm::DenseMap<const llvm::bolt::BinaryFunction *,
                     std::vector<const llvm::bolt::BinaryFunction *>>;
  using FunctionSet = llvm::DenseSet<const llvm::bolt::BinaryFunction *>;

  void findWrites(const EffectsOfFunctions &Functions, UnreadCode &Unread);
  void findChanges(const EffectsOfFunctions &Functions,
                   const RegisterModel &Model, const StackModel &Stack,
                   const PointerTargets &Pointed, UnreadCode &Unread);
  void findKept(const llvm::bolt::BinaryFunction &BF, EntryValues &Values,
                SummaryQuestion &Asked, Summary &S) const;
  bool tailCallsReader(const llvm::bolt::BinaryFunction &BF) const;
  void findOverwritten(const EffectsOfFunctions &Functions,
                       const RegisterModel &Model);
  static CallersOfFunctions callersOf(const EffectsOfFunctions &Functions);
  FunctionSet findUses(const EffectsOfFunctions &Functions,
                       const CallersOfFunctions &Callers, FunctionSet Stale,
                       const RegisterModel &Model);
  void findReads(const EffectsOfFunctions &Functions,
                 const CallersOfFunctions &Callers, const RegisterModel &Model);
  FunctionSet findResults(const EffectsOfFunctions &Functions,
                          const FunctionSet &Changed,
                          const RegisterModel &Model, StayingCalls &Staying);
  void addResultsFor(StayingCalls &Staying, UnreadCode &Unread,
                     FunctionSet &WithMore);
  void addHandedOn(StayingCalls &Staying, const EffectsOfFunctions &Functions,
                   FunctionSet &Stale);
  /// Clears a field before its least solution is sought. Returns all functions.
  FunctionSet forget(RegisterSet Summary::*Field,
                     const EffectsOfFunctions &Functions);
  FunctionSet
  findLeast(RegisterSet Summary::*Field, const EffectsOfFunctions &Functions,
            const CallersOfFunctions &Callers, FunctionSet ToDo,
            llvm::function_ref<RegisterSet(llvm::bolt::BinaryFunction &,
                                           const OwnEffects &)>
                Find);
  RegisterSet readBehindUnknownCalls(const EffectsOfFunctions &Functions,
                                     const RegisterModel &Model) const;
  RegisterSet passedOn(const EffectsOfFunctions &Functions) const;

  llvm::bolt::BinaryContext &BC;
  llvm::DenseMap<const llvm::bolt::BinaryFunction *, Summary> Known;
  llvm::DenseMap<const llvm::MCSymbol *, Summary> KnownEntries;
  /// By function; only for those without a flow graph.
  llvm::DenseMap<const llvm::bolt::BinaryFunction *, OwnConvention>
      OwnConventions;
  /// Registers that functions without a flow graph hand on to their callees.
  llvm::DenseMap<const llvm::bolt::BinaryFunction *, RegisterSet> HandedOn;
  /// For calls through pointers and functions in other images.
  Summary OfOthers;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_REGISTERSUMMARIES_H
