//===- HotCold/Liveness.h - Which registers are needed later ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_LIVENESS_H
#define GRAUPEL_HOTCOLD_LIVENESS_H

#include "RegisterSet.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace graupel {

struct OwnEffects;

/// What each function of the image does to its caller's registers. Compilers
/// know that of local functions, too (gcc -fipa-ra), and keep values in
/// registers that the ABI lets a callee overwrite: a function must not write
/// more than it did, and a call must not be taken to end a value's life that it
/// leaves alone. Conservative where nothing is known.
class RegisterSummaries {
public:
  struct Summary {
    /// May be overwritten when it returns.
    RegisterSet Clobbers = reg::CallerSaved;
    /// May be read as its caller left it, saving aside. Results that it does not
    /// assign to on all ways are among them: others read them for it.
    RegisterSet Uses = reg::Parameters;
    /// Of these, what it and its callees do more with than leave it there, if it
    /// is no parameter by the ABI: what other images do is not known.
    RegisterSet Reads = reg::Parameters;
    /// False if control never comes back, whatever code follows the call.
    bool Returns = true;
  };

  /// Looks at all functions of \p BC, callees before callers.
  RegisterSummaries(llvm::bolt::BinaryContext &BC, const RegisterModel &Model);

  /// Of the function that \p Call, which may be a tail call, goes to.
  Summary ofCall(const llvm::MCInst &Call) const;
  Summary of(const llvm::bolt::BinaryFunction &BF) const;
  /// Makes \p Entry, a further entry of a function at \p Block, known.
  void addEntry(const llvm::MCSymbol &Entry,
                llvm::bolt::BinaryBasicBlock &Block,
                const RegisterModel &Model);
  /// What callers of this image may read when a function has returned.
  RegisterSet results() const { return Results; }

private:
  using EffectsOfFunctions =
      std::vector<std::pair<llvm::bolt::BinaryFunction *, OwnEffects>>;

  void findClobbers(const EffectsOfFunctions &Functions);
  void findUses(const EffectsOfFunctions &Functions,
                const RegisterModel &Model);
  void findReads(const EffectsOfFunctions &Functions,
                 const RegisterModel &Model);
  void findLeast(RegisterSet Summary::*What,
                 const EffectsOfFunctions &Functions,
                 llvm::function_ref<RegisterSet(llvm::bolt::BinaryFunction &)>
                     Find);
  bool someCallHasThirdResult(const EffectsOfFunctions &Functions,
                              const RegisterModel &Model) const;

  RegisterSet Results = reg::Results;
  llvm::bolt::BinaryContext &BC;
  llvm::DenseMap<const llvm::bolt::BinaryFunction *, Summary> Known;
  llvm::DenseMap<const llvm::MCSymbol *, Summary> KnownEntries;
};

/// Registers that may be read before they are written, in one function.
class Liveness {
public:
  /// \p KeptForCaller are registers that callers need when the function has
  /// returned, results aside.
  Liveness(llvm::bolt::BinaryFunction &BF, const RegisterModel &Model,
           const RegisterSummaries &Summaries,
           RegisterSet KeptForCaller = reg::CalleeSaved);
  /// Of what the function and its callees read themselves: nobody needs
  /// anything when it has returned.
  static Liveness ofReads(llvm::bolt::BinaryFunction &BF,
                          const RegisterModel &Model,
                          const RegisterSummaries &Summaries);

  RegisterSet into(const llvm::bolt::BinaryBasicBlock &Block) const {
    return LiveIn[Block.getIndex()];
  }
  RegisterSet outOf(const llvm::bolt::BinaryBasicBlock &Block) const;
  /// Before \p Inst of \p Block, if \p After is live behind it.
  RegisterSet before(const llvm::bolt::BinaryBasicBlock &Block,
                     const llvm::MCInst &Inst, RegisterSet After) const;
  /// What \p Inst of \p Block and whom it calls may do more with than leave it
  /// where it is, if it is nothing that compilers pass as a parameter.
  RegisterSet readBy(const llvm::bolt::BinaryBasicBlock &Block,
                     const llvm::MCInst &Inst) const;

private:
  Liveness(llvm::bolt::BinaryFunction &BF, const RegisterModel &Model,
           const RegisterSummaries &Summaries, RegisterSet KeptForCaller,
           RegisterSet AtReturn,
           RegisterSet RegisterSummaries::Summary::*OfCallees);

  llvm::bolt::BinaryFunction &BF;
  const RegisterModel &Model;
  const RegisterSummaries &Summaries;
  const RegisterSet KeptForCaller, AtReturn;
  /// What counts as read by calls.
  RegisterSet RegisterSummaries::Summary::*const OfCallees;
  std::vector<RegisterSet> LiveIn;
  /// Callee-saved registers that are pushed with values of the function's own,
  /// which others read.
  RegisterSet PushedForOthers = 0;

  /// Others that are pushed.
  RegisterSet Saved = 0;

  RegisterSet findPushedForOthers() const;
  RegisterSet findSaved() const;
};

/// True if \p Inst only puts a register on the stack that the caller may need.
bool isSave(const llvm::bolt::BinaryContext &BC, const llvm::MCInst &Inst);
/// True if \p Inst takes such a register back.
bool isRestore(const llvm::bolt::BinaryContext &BC, const llvm::MCInst &Inst);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_LIVENESS_H
