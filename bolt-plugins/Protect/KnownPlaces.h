//===- Protect/KnownPlaces.h - Known places in code -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places in code that the tables of an ELF file describe, and BOLT does not
// use. Plain ELF; nothing here knows BOLT.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROTECT_KNOWNPLACES_H
#define GRAUPEL_PROTECT_KNOWNPLACES_H

#include "Elf/ElfView.h"
#include <tuple>
#include <vector>

namespace graupel {

/// A reference to a place in code.
struct KnownPlace {
  enum class Kind : uint8_t {
    /// The address, in ordinary data.
    Data,
    /// The distance from the reference, or from a table, in ordinary data.
    RelativeData,
    /// The address, in a section for a table of its own (__ex_table,
    /// __rseq_cs).
    Table,
    /// A number that BOLT never updates: a distance from the GOT, a distance in
    /// a section of its own, an address of 8 or 16 bits.
    Number,
    /// The code at the place, or right behind it, is there to be patched or to
    /// be probed: nops of -fpatchable-function-entry, XRay's, SystemTap's.
    Patched,
  };
  uint64_t At;     ///< Address of the reference.
  uint64_t Target; ///< In code.
  Kind Is;

  friend bool operator<(const KnownPlace &A, const KnownPlace &B) {
    return std::tie(A.At, A.Target, A.Is) < std::tie(B.At, B.Target, B.Is);
  }
  friend bool operator==(const KnownPlace &A, const KnownPlace &B) {
    return A.At == B.At && A.Target == B.Target && A.Is == B.Is;
  }
};

/// The operand at \p At of a direct branch leads to \p Target.
struct KnownBranch {
  uint64_t At, Target;

  friend bool operator<(const KnownBranch &A, const KnownBranch &B) {
    return std::tie(A.At, A.Target) < std::tie(B.At, B.Target);
  }
  friend bool operator==(const KnownBranch &A, const KnownBranch &B) {
    return A.At == B.At && A.Target == B.Target;
  }
};

/// A place in code that the linker has filled in.
struct FilledPlace {
  /// Linkers put other instructions in the place of loads from the global
  /// offset table and accesses of thread-local data.
  enum class Kind : uint8_t { Absolute, Relative, Either };
  uint64_t At;
  Kind Is;

  friend bool operator<(const FilledPlace &A, const FilledPlace &B) {
    return std::tie(A.At, A.Is) < std::tie(B.At, B.Is);
  }
  friend bool operator==(const FilledPlace &A, const FilledPlace &B) {
    return A.At == B.At && A.Is == B.Is;
  }
};

struct KnownPlaces {
  /// By the address of the reference. Whole addresses of beginnings of
  /// functions are left out: BOLT updates these.
  std::vector<KnownPlace> Known;
  /// Direct branches and calls that the linker made, which lead to what is not
  /// the beginning of a function. By the place of the operand.
  std::vector<KnownBranch> Branches;
  /// All places in code that the linker has filled in. By address.
  std::vector<FilledPlace> Filled;
  /// Places outside of code that code refers to: where tables begin. Sorted.
  std::vector<uint64_t> DataReferences;
  /// Places in code of numbers that the linker made relative to themselves and
  /// whose instruction may not use them so. Sorted.
  std::vector<uint64_t> DoubtfulOperands;
  /// Functions that are elements of an array of code, such as the jump tables
  /// of clang's -fsanitize=cfi-icall.
  std::vector<uint64_t> ArrayElements;
  /// Functions that begin where a symbol says that another section ends. Their
  /// address means that end, too, which does not move.
  std::vector<uint64_t> BehindSections;
  /// Functions that begin where a label of another kind is whose address is
  /// taken: V8's built-in functions are found by their distance from it.
  std::vector<uint64_t> CodeLabels;
  /// Such labels elsewhere in code. Sorted.
  std::vector<uint64_t> InnerLabels;
  /// Functions with several names whose address is taken.
  std::vector<uint64_t> SecondNames;
  /// Words that are filled in with an address which a function of this file
  /// chooses when the program starts (IFUNC): the word, the function. Sorted.
  std::vector<std::pair<uint64_t, uint64_t>> Chosen;
  /// Places where code may be entered by its address alone: data or an operand
  /// other than that of a direct branch holds it, or the dynamic symbol table.
  /// Only if the linker left relocations. Sorted.
  std::vector<uint64_t> TakenAddresses;
};

/// Collects them from \p File, which has been checked.
KnownPlaces findKnownPlaces(const ElfView &File);

/// Keeps what findKnownPlaces() finds in the file \p Data, for
/// decideProtected().
void noteKnownPlaces(llvm::StringRef Data);
const KnownPlaces &knownPlaces();

} // namespace graupel

#endif // GRAUPEL_PROTECT_KNOWNPLACES_H
