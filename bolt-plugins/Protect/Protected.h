//===- Protect/Protected.h - Functions that have to stay --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some functions cannot be rewritten, because what depends on the places of
// their instructions cannot be found in the program. BOLT does not see all of
// them and breaks the program. Which they are is decided here; Driver/ leaves
// them as they are.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROTECT_PROTECTED_H
#define GRAUPEL_PROTECT_PROTECTED_H

#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/MapVector.h"

namespace graupel {

enum class ProtectReason {
  /// Code elsewhere knows the address of an instruction in the middle: GCC's
  /// nested functions with non-local goto.
  EscapedAddress,
  /// Jumps to sums of an address and a number that no relocation describes.
  LabelDifferences,
  /// Reads its own code as data.
  DataInCode,
  /// Instructions other than calls throw, which BOLT's exception tables cannot
  /// say.
  TrapsThrow,
  /// Its exception table names types where no types are; BOLT would take them
  /// for some.
  StrangeTypes,
  /// Its exception table cannot be understood, or leads elsewhere.
  StrangeTable,
  /// Control runs past its end, into what is behind it.
  FallsThrough,
  /// Part of a function that stays.
  Fragment,
};

/// The functions that have to stay, each with the first reason that was found.
class ProtectedFunctions {
public:
  using BinaryFunction = llvm::bolt::BinaryFunction;

  void add(BinaryFunction &BF, ProtectReason Reason) {
    Reasons.insert({&BF, Reason});
  }
  bool empty() const { return Reasons.empty(); }
  const llvm::MapVector<BinaryFunction *, ProtectReason> &reasons() const {
    return Reasons;
  }

  /// Adds what the compiler split off from these, and what it was split from.
  void addFragments();

  /// One line a function.
  void print(llvm::raw_ostream &OS) const;
  /// "2 functions left as they are: 1 ..., 1 ..."
  void printSummary(llvm::raw_ostream &OS) const;

private:
  llvm::MapVector<BinaryFunction *, ProtectReason> Reasons;
};

/// Looks for addresses in \p BF, which BOLT is not going to read as a function.
void noteUnreadFunction(const llvm::bolt::BinaryFunction &BF);

/// What is known of tables of PC-relative entries, of which BOLT forgets those
/// that belong to no jump table it knows.
class TableEntries {
public:
  /// \p BC is about to look at its jump tables.
  explicit TableEntries(const llvm::bolt::BinaryContext &BC);
  /// \p BC has done so: notes which functions the others may lead to.
  void noteUnclaimed(llvm::bolt::BinaryContext &BC) const;

private:
  std::vector<uint64_t> Entries;
};

/// Decides for the whole program, whose functions have their control flow.
ProtectedFunctions decideProtected(llvm::bolt::BinaryContext &BC);

/// Looks at the last instruction of \p BF, which has just been disassembled.
void noteEnd(const llvm::bolt::BinaryFunction &BF);

/// True if control may run past the end of \p BF.
bool fallsThrough(const llvm::bolt::BinaryFunction &BF);

/// True if \p BF jumps to an address that is neither loaded nor passed in as a
/// whole but computed.
bool jumpsToSums(llvm::bolt::BinaryFunction &BF);

} // namespace graupel

#endif // GRAUPEL_PROTECT_PROTECTED_H
