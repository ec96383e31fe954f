//===- Recover/IndirectBranches.h - Jumps BOLT gives up on ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT leaves a function alone as soon as it does not understand one indirect
// jump in it. Four kinds are common in what compilers emit today and are
// understood here, by proof and not by pattern alone:
//
//   - a switch in a loop, whose table's address was loaded before the loop. A
//     dataflow analysis over the whole function, in which every jump table adds
//     its edges, shows that the register holds the table at the jump;
//   - an indirect tail call, to a method say, in a function into which no
//     address points: such a jump can only leave the function;
//   - a switch that leads to the function's cold part, too;
//   - goto *label, where the labels are in data.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_RECOVER_INDIRECTBRANCHES_H
#define GRAUPEL_RECOVER_INDIRECTBRANCHES_H

#include "bolt/Core/BinaryFunction.h"
#include <set>

namespace graupel {

/// Ties the indirect jumps of \p BF that read a table through a
/// hoisted base register to their tables. \p BF has just been disassembled.
void recoverHoistedTables(llvm::bolt::BinaryFunction &BF);

/// The offsets of the jumps in \p BF that recoverHoistedTables tied to tables.
const std::set<uint64_t> &tiedJumps(const llvm::bolt::BinaryFunction &BF);

/// Has the rest of this file forget which offsets of functions are entered by
/// their cold parts, if others enter there, too. \p BC has just disassembled all
/// functions.
void forgetStrangeEntries(llvm::bolt::BinaryContext &BC);

/// True if control comes to \p Offset of \p BF from its callers, or only from
/// itself and those of its parts whose flow recoverHoistedTables has seen.
bool isUnderstoodEntry(const llvm::bolt::BinaryFunction &BF, uint64_t Offset);

/// The facts that buildCFG forgets and acceptRecoveredBranches needs.
struct ReferencesInto {
  bool Any = false;
  explicit ReferencesInto(const llvm::bolt::BinaryFunction &BF);
};

/// Marks \p BF fit for optimization if BOLT's only objection to it was indirect
/// jumps that are understood by now. \p BF has its control flow graph;
/// \p References was made before it got it. Thread-safe for distinct functions.
void acceptRecoveredBranches(llvm::bolt::BinaryFunction &BF,
                             const ReferencesInto &References);

/// Takes those functions of \p BC off BOLT's list of what is given up whose
/// tables lead to a cold part of their own. All tables have just been read.
void acceptSplitTables(llvm::bolt::BinaryContext &BC);

/// True if \p BF jumps to an address that is neither loaded nor passed in as a
/// whole but computed. \p HasAllEdges: each computed goto of \p BF has its edges.
bool jumpsToSums(llvm::bolt::BinaryFunction &BF, bool HasAllEdges = false);
/// The same for \p Jump in \p Block.
bool jumpsToSum(llvm::bolt::BinaryBasicBlock &Block,
                llvm::bolt::BinaryBasicBlock::iterator Jump);

/// Says on BOLT's journal how many functions were recovered, if any.
void reportRecovered(llvm::bolt::BinaryContext &BC);

/// Lets control fall through ud1, ud2 and hlt in \p BF, which has its control
/// flow.
void fallThroughTraps(llvm::bolt::BinaryFunction &BF);

} // namespace graupel

#endif // GRAUPEL_RECOVER_INDIRECTBRANCHES_H
