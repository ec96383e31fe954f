//===- HotCold/Proof/CalleeFacts.h - Effects of calls -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The optimizer has summaries of its own (RegisterSummaries), which the proof
// does not believe. These facts are found by other means, from the callees'
// code.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROOF_CALLEEFACTS_H
#define GRAUPEL_HOTCOLD_PROOF_CALLEEFACTS_H

#include "HotCold/Machine/AccessSizes.h"
#include "HotCold/Machine/Machine.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace graupel::symbolic {

class NeededRegisters;
class RawCode;
class StayingCallers;
class Strangers;

/// Facts that the proof knows about all functions of the image.
class CalleeFacts {
public:
  /// Looks at all functions of \p BC, before the first is changed.
  CalleeFacts(llvm::bolt::BinaryContext &BC, const MachineModel &Model);
  ~CalleeFacts();

  /// The effects of \p Call in \p From, which may be a tail call.
  CallEffects ofCall(const llvm::bolt::BinaryFunction &From,
                     const llvm::MCInst &Call) const;
  CallEffects of(const llvm::bolt::BinaryFunction &BF) const;
  /// The effects of calls through pointers and of other images.
  const CallEffects &ofOthers() const {
    AskedOthers = true;
    return OfOthers;
  }
  /// Registers that callers of \p BF may read behind it.
  RegisterSet results(const llvm::bolt::BinaryFunction &BF) const;
  /// Registers that a hot version of \p BF may leave with other values: callers
  /// know that they change, and compilers that they are written (gcc -fipa-ra).
  RegisterSet mayDiffer(const llvm::bolt::BinaryFunction &BF) const;

  /// Bytes between the return address and the stack pointer at \p Block, by the
  /// unwind table of its function.
  std::optional<int64_t>
  tableDepth(const llvm::bolt::BinaryBasicBlock &Block) const;

  const MachineModel &model() const { return Model; }
  AccessSizes &sizes() const { return Sizes; }
  /// Additions to registers of 64 bits, by opcode: 1, or -1 for subtractions,
  /// or 2 for AND.
  int form(unsigned Opcode) const { return Forms[Opcode]; }

private:
  using Function = const llvm::bolt::BinaryFunction;
  llvm::bolt::BinaryContext &BC;
  const MachineModel Model;
  mutable AccessSizes Sizes;
  std::vector<int8_t> Forms;
  const std::unique_ptr<StayingCallers> Stayers;
  bool Solved = false;
  std::vector<Function *> Order; ///< Callees first, as far as possible.
  llvm::DenseMap<Function *, llvm::SmallSetVector<Function *, 4>> Callers;
  /// Functions whose facts depend on code of others, too.
  llvm::SmallSetVector<Function *, 8> Composite;
  llvm::DenseMap<Function *, CallEffects> Known;
  llvm::DenseMap<Function *, RegisterSet> Results, Writes;
  /// Callers' registers that functions that stay hand on to their callees.
  llvm::DenseMap<Function *, RegisterSet> HandedOn;
  RegisterSet ResultsOfAll = reg::Results; ///< For calls through pointers, too.
  /// For calls through pointers and functions in other images.
  CallEffects OfOthers;
  mutable bool AskedOthers = false; ///< ofOthers() was called since the reset.
  llvm::DenseSet<Function *> AsksOthers;
  /// Depths, by number of preceding call frame instructions. Found on demand.
  mutable llvm::DenseMap<Function *, std::vector<std::optional<int64_t>>>
      TableDepths;
  /// Found on demand.
  mutable llvm::DenseMap<const llvm::MCSymbol *, CallEffects> KnownEntries;

  void forEachCall(Function &BF,
                   llvm::function_ref<void(const llvm::MCInst &Call)> Do) const;
  void orderFunctions();
  void findCallers(Function &BF);
  void findEffects(const Strangers &Pointed, RawCode &Raw);
  void solveEffects(llvm::DenseSet<Function *> ToDo);
  void findOthers(const Strangers &Pointed, RawCode &Raw);
  bool addChanges(const Strangers &Pointed, RawCode &Raw);
  llvm::DenseSet<Function *> addHandedOn(const llvm::DenseSet<Function *> &All);
  bool findMoreEffects(Function &BF);
  CallEffects findEffectsOf(Function &BF) const;
  void findWrites(RawCode &Raw);
  void addExtraResults(const Strangers &Pointed);
  void findResults(const Strangers &Pointed, RawCode &Raw);
  RegisterSet readBehindPointers() const;
  RegisterSet passedOn() const;
  void addResults(Function &BF, const NeededRegisters &Needed,
                  llvm::SmallSetVector<Function *, 16> &ToDo);
  bool addResult(llvm::bolt::BinaryFunction &To, RegisterSet Needed,
                 llvm::SmallSetVector<Function *, 16> &ToDo);
  void addResultsOfStaying(RawCode &Raw,
                           llvm::SmallSetVector<Function *, 16> &ToDo);
  CallEffects ofPart(Function &To, const llvm::MCSymbol &Entry) const;
  CallEffects ofEntry(Function &BF, const llvm::MCSymbol &Entry) const;
};

/// The block of \p BF that \p Label is a name of, or null.
const llvm::bolt::BinaryBasicBlock *
entryBlock(const llvm::bolt::BinaryFunction &BF, const llvm::MCSymbol &Label);

/// The effects of code in this image that is not understood.
CallEffects unknownEffects();

} // namespace graupel::symbolic

#endif // GRAUPEL_HOTCOLD_PROOF_CALLEEFACTS_H
