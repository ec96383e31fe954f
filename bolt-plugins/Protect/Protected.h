//===- Protect/Protected.h - Functions that have to stay --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some functions cannot be rewritten, because what depends on the places of
// their instructions cannot be found in the program. BOLT does not see all of
// them and breaks the program. These functions are found here; Driver/ skips
// them.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROTECT_PROTECTED_H
#define GRAUPEL_PROTECT_PROTECTED_H

#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace llvm::bolt {
class CFIReaderWriter;
}

namespace graupel {

/// Why; Reasons.def says what each means.
enum class ProtectReason {
#define REASON(Name, Why, One, Many) Name,
#include "Reasons.def"
};

/// The functions that have to stay, each with the first reason that was found.
class ProtectedFunctions {
public:
  using BinaryFunction = llvm::bolt::BinaryFunction;

  void add(BinaryFunction &BF, ProtectReason Reason);
  bool empty() const { return Reasons.empty(); }
  const llvm::MapVector<BinaryFunction *, ProtectReason> &reasons() const {
    return Reasons;
  }

  /// Adds what the compiler split off from \p Ignored, which BOLT could not
  /// read, and what these were split from.
  void addPartsOf(llvm::ArrayRef<BinaryFunction *> Ignored);
  /// Adds the same of all that were added so far.
  void addFragments();

  /// Why \p BF, which is one of them, cannot be rewritten. For a part of
  /// another function, that one's reason, too.
  std::string explain(const BinaryFunction &BF) const;

  /// One line a function.
  void print(llvm::raw_ostream &OS) const;
  /// "2 functions left as they are: 1 ..., 1 ..."
  void printSummary(llvm::raw_ostream &OS) const;

private:
  llvm::MapVector<BinaryFunction *, ProtectReason> Reasons;
  llvm::DenseSet<const BinaryFunction *> Unread;
  /// For parts of others: the function with a reason of its own.
  llvm::DenseMap<const BinaryFunction *, const BinaryFunction *> Roots;
};

/// The part of decideProtected() about what code that stays branches to.
void protectEntered(llvm::bolt::BinaryContext &BC,
                    ProtectedFunctions &Protected);

/// The known entries of PC-relative tables, of which BOLT forgets those that
/// belong to no jump table it knows.
class TableEntries {
public:
  /// \p BC is about to look at its jump tables.
  explicit TableEntries(const llvm::bolt::BinaryContext &BC);
  /// \p BC has done so: notes which functions the others may lead to.
  void noteUnclaimed(llvm::bolt::BinaryContext &BC) const;
  /// Notes whose tables go on behind what \p BC takes for their end.
  void noteCut(llvm::bolt::BinaryContext &BC) const;

private:
  std::vector<uint64_t> Entries;
};

/// The function with \p Address in it, or in its middle only, if there is one
/// that can move.
llvm::bolt::BinaryFunction *functionWith(llvm::bolt::BinaryContext &BC,
                                         uint64_t Address);
llvm::bolt::BinaryFunction *functionAround(llvm::bolt::BinaryContext &BC,
                                           uint64_t Address);

/// Decodes the doubtful operands of \p BF (KnownPlaces.h).
void noteOperands(const llvm::bolt::BinaryFunction &BF);
/// Functions with operands that count from a label.
bool countsFromLabel(const llvm::bolt::BinaryFunction &BF);

/// Before \p BF is disassembled: keeps addresses that are the end of another.
void keepEndAddresses(llvm::bolt::BinaryFunction &BF);
/// True if it kept one that is the end of \p BF.
bool hasKnownEnd(const llvm::bolt::BinaryFunction &BF);

/// True if noteCut() found a table of \p BF.
bool hasCutTable(const llvm::bolt::BinaryFunction &BF);

/// The part of decideProtected() that rests on knownPlaces().
void protectKnownPlaces(llvm::bolt::BinaryContext &BC,
                        ProtectedFunctions &Protected);

/// Whether the symbols at \p BF say that it is no function.
bool isData(const llvm::bolt::BinaryFunction &BF);

/// Before code is read: has BOLT not read what isData(), once.
void skipData(llvm::bolt::BinaryContext &BC);

/// Takes references that lead to no section from \p BC, notes the functions
/// that have some, and what lies between functions and is referred to.
void forgetStrangeBranches(llvm::bolt::BinaryContext &BC);

/// The part of decideProtected() that rests on neighbors().
void protectNeighbors(llvm::bolt::BinaryContext &BC,
                      ProtectedFunctions &Protected);

/// Makes BOLT write nothing over gaps between functions that are no padding.
void keepGaps(llvm::bolt::BinaryContext &BC);

/// The first reason to leave \p BF alone that is in how its control flows.
/// \p KnowsItself: it computes an address inside itself.
std::optional<ProtectReason> reasonInFlow(const llvm::bolt::BinaryFunction &BF,
                                          bool KnowsItself);

/// Jumps to where a register says: __x86_indirect_thunk_rax and the like.
bool isThunkJump(const llvm::bolt::BinaryContext &BC, const llvm::MCInst &Inst);

/// Decides for the whole program, whose functions have their control flow; BOLT
/// could not read \p Unread.
ProtectedFunctions
decideProtected(llvm::bolt::BinaryContext &BC,
                llvm::ArrayRef<llvm::bolt::BinaryFunction *> Unread);

/// After functions were ignored that BOLT had read: what code that stays leads
/// to, as far as that is doubtful and can still move.
ProtectedFunctions decideEntered(llvm::bolt::BinaryContext &BC);

/// Looks at the last instruction of \p BF, which has just been disassembled.
void noteEnd(const llvm::bolt::BinaryFunction &BF);

/// Looks at the unwind record of that instruction.
void noteFrameAtEnd(const llvm::bolt::BinaryFunction &BF,
                    const llvm::bolt::CFIReaderWriter &Reader);

/// Decides of what noteEnd() noted; all functions are known.
void judgeEnds(llvm::bolt::BinaryContext &BC);

/// True if control may run past the end of \p BF.
bool fallsThrough(const llvm::bolt::BinaryFunction &BF);

/// The function right behind \p BF, if there is one that can move.
llvm::bolt::BinaryFunction *functionRunInto(llvm::bolt::BinaryFunction &BF);

/// True if \p BF has code that no branch seems to lead to.
bool hasUnreachedCode(const llvm::bolt::BinaryFunction &BF);

/// Tells \p Note of each function whose instructions \p BF reads or writes.
void findReadByOthers(
    llvm::bolt::BinaryFunction &BF,
    llvm::function_ref<void(llvm::bolt::BinaryFunction &)> Note);

/// True if data seems to hold distances of those labels of \p BF from one another
/// whose addresses data holds, too.
bool hasTableOfDistances(const llvm::bolt::BinaryFunction &BF);

/// True if \p BF finds something else by the address of a switch's table.
bool usesTableForOthers(llvm::bolt::BinaryFunction &BF);

} // namespace graupel

#endif // GRAUPEL_PROTECT_PROTECTED_H
