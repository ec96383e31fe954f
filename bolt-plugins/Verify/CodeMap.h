//===- Verify/CodeMap.h - Where instructions begin --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_CODEMAP_H
#define GRAUPEL_VERIFY_CODEMAP_H

#include "SymbolMap.h"
#include "llvm/ADT/BitVector.h"
#include <map>

namespace graupel {

/// The functions of a file that was made from another, and their instructions,
/// found by disassembling each from its start.
class CodeMap {
public:
  struct Function {
    uint64_t Begin, End;
    llvm::StringRef Name;
    /// The same bytes are at the same place of the input: not our code, and
    /// what it does is not ours to judge.
    bool Unchanged;
    /// Code between functions: hand-written assembly whose labels BOLT drops.
    bool Anonymous = false;
    /// Its bytes are instructions to the end.
    bool Decoded = false;
    /// It may be a part of another one, whatever its name is.
    bool MayBePart = false;
  };

  /// Fails if code that is not the input's cannot be disassembled. \p Symbols
  /// outlive the map; \p Unwind are the output's records.
  static llvm::Expected<CodeMap> make(const ElfView &Input,
                                      const ElfView &Output,
                                      const SymbolMap &Symbols,
                                      const UnwindTables &Unwind);

  const std::vector<Function> &functions() const { return Functions; }
  /// The function whose bytes are at \p Address, null if there is none.
  const Function *functionAt(uint64_t Address) const;
  /// Whether control may go to \p Address: the beginning of an instruction of a
  /// function, a function without a size, a PLT, or code that is the input's.
  bool isTarget(uint64_t Address) const;
  /// Checks that each direct branch and call of new code leads to a target.
  llvm::Error checkBranches() const;
  uint64_t branches() const { return Branches.size(); }

private:
  struct Branch {
    uint64_t From, Size, To;
  };
  const ElfView *Input = nullptr;
  const ElfView *Output = nullptr;
  std::vector<Function> Functions;  ///< By address, not overlapping.
  std::vector<uint64_t> Entries;    ///< Addresses of all function symbols.
  std::vector<uint64_t> OldEntries; ///< The same of the input.
  /// Functions of the input whose size is known, by address: begin and end.
  std::vector<std::pair<uint64_t, uint64_t>> OldRanges;
  std::vector<uint64_t> Begins; ///< Beginnings of functions; findBegins().
  /// The jumps over beginnings of originals. Empty if anything else of the
  /// input's code differs: then its functions moved.
  std::vector<uint64_t> Patches;
  bool HasAnonymous = false;
  std::vector<Branch> Branches;
  /// For each executable section, by address: one bit a byte.
  std::map<uint64_t, llvm::BitVector> Starts;

  void findFunctions();
  void addRecorded(const SymbolMap &Recorded);
  void addAnonymous();
  llvm::Error disassemble(Function &F, class Disassembler &Decoder);
  llvm::Error disassemble();
  bool isUnchanged(uint64_t Begin, uint64_t Size) const;
  bool isInOldFunction(uint64_t Address) const;
  bool isUnchangedGap(uint64_t Address) const;
  bool isPatchedEntry(uint64_t Address) const;
  llvm::Error readPatches(const SymbolMap &Symbols);
  void findBegins();
  std::optional<uint64_t> findPatches();
  bool leadsToCopy(uint64_t Patch, const SymbolMap &Symbols) const;
  bool jumpsToAdded(uint64_t Address) const;
  llvm::ArrayRef<uint64_t> patchesIn(uint64_t Begin, uint64_t End) const;
  bool doesTheSame(uint64_t Address) const;
  bool isUnlabeled(uint64_t Address) const;
  bool staysInside(const Branch &B) const;
  bool isAsBefore(const Branch &B, class Disassembler &Decoder) const;
};

} // namespace graupel

#endif // GRAUPEL_VERIFY_CODEMAP_H
