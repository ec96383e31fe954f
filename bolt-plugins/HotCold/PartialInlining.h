//===- HotCold/PartialInlining.h - Hot parts in their callers ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cohn, Goodwin and Lowney 1997 name partial inlining as the next thing to do
// with hot parts. A frequent part of a callee that neither calls nor touches
// the stack takes the place of calls. Where it leaves for the rest, the caller
// calls what it leaves for: that finds the stack and the registers as it would
// have found them, and returns to the caller, behind the call.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PARTIALINLINING_H
#define GRAUPEL_HOTCOLD_PARTIALINLINING_H

#include "Liveness.h"
#include <vector>

namespace graupel {

/// The part of one function that can take the place of a call of it.
struct InlinablePart {
  /// The first one is the entry.
  std::vector<llvm::bolt::BinaryBasicBlock *> Blocks;
  /// Edges from one of Blocks to another that close a loop; they leave.
  std::vector<std::pair<const llvm::bolt::BinaryBasicBlock *,
                        const llvm::bolt::BinaryBasicBlock *>>
      BackEdges;
  /// Without returns.
  unsigned NumInstructions = 0;
  uint64_t Bytes = 0; ///< Added by each copy.
  /// Number of returns, and of exits to the rest of the function.
  double Returns = 0, Leaves = 0;

  /// Something in it may trap, or does unless these registers point into a
  /// frame. In a caller with an exception table, a handler of signals that
  /// throws would find no call site there.
  bool MayTrap = false;
  RegisterSet Pointers = 0;

  /// Empty if there is no such part of \p BF that would be a gain. If old code
  /// \p IsPatched, there must be room for that at the entries that \p BF gets.
  static InlinablePart find(llvm::bolt::BinaryFunction &BF,
                            const RegisterModel &Registers, bool IsPatched);
  /// Instructions fewer, for each call.
  double gain() const;
  /// True if the edge from \p From to \p To stays inside.
  bool stays(const llvm::bolt::BinaryBasicBlock &From,
             const llvm::bolt::BinaryBasicBlock &To) const;
  /// True if no path leaves for the rest of the function.
  bool isWhole() const;
  /// \p Count executions of the function are in its callers now: leaves the
  /// others to it. Loops stay in the function, with their counts.
  void takeExecutions(double Count) const;
};

struct InliningResult {
  /// Executed instructions that the calls and returns were.
  double Saved = 0;
  uint64_t NumCalls = 0;
  /// New blocks that call the rest of a callee.
  std::vector<const llvm::bolt::BinaryBasicBlock *> RareCalls;
  /// Functions, and the number of their executions that the caller took over.
  std::vector<std::pair<llvm::bolt::BinaryFunction *, uint64_t>> Executions;
};

/// Inlines hot parts into \p Caller in place of calls that are executed at
/// least \p MinCount times and save at least \p MinDensity executed
/// instructions for each byte. \p PartOf returns the part of a callee. The rest
/// of each callee gets further entries, which are added to \p Summaries.
/// \p MayGrow is asked before each change, with the bytes that it adds.
InliningResult inlineHotParts(
    llvm::bolt::BinaryFunction &Caller, uint64_t MinCount, double MinDensity,
    llvm::function_ref<const InlinablePart &(llvm::bolt::BinaryFunction &)>
        PartOf,
    const RegisterModel &Registers, RegisterSummaries &Summaries,
    llvm::function_ref<bool(uint64_t)> MayGrow);

/// A function that calls of its rest lead to, and that stays nevertheless,
/// where it has no such entries; null if there is none.
const llvm::bolt::BinaryFunction *findLostCallee();

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_PARTIALINLINING_H
