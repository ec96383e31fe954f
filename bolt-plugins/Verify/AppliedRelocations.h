//===- Verify/AppliedRelocations.h - Where addresses are --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_APPLIEDRELOCATIONS_H
#define GRAUPEL_VERIFY_APPLIEDRELOCATIONS_H

#include "Elf/ElfView.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace graupel {

/// The places of a file that hold addresses: by the relocations that the linker
/// applied (--emit-relocs) and by those that the loader will.
class AppliedRelocations {
public:
  struct Place {
    uint64_t Address;
    uint32_t Type;
  };

  explicit AppliedRelocations(const ElfView &File);

  /// Whether there were any of the linker's.
  bool known() const { return !Code.empty() || !Data.empty(); }
  /// Whether an absolute address is in the instruction at [\p Begin, \p End).
  bool hasAbsolute(uint64_t Begin, uint64_t End) const;
  /// Whether the instruction at [\p Begin, \p End) refers to the end of a
  /// section, by a symbol that is in it, where code begins.
  bool hasEndOfSection(uint64_t Begin, uint64_t End) const;
  /// The places of the global offset table that hold such an end.
  const llvm::DenseSet<uint64_t> &slotsOfEnds() const { return SlotsOfEnds; }
  /// The relocation at the place \p Address of data; null if there is none.
  const Place *dataAt(uint64_t Address) const;
  llvm::ArrayRef<Place> data() const { return Data; }
  /// The targets of references from code and of pointers in data, as far as
  /// relocations say: ends of tables.
  llvm::ArrayRef<uint64_t> references() const { return References; }
  /// The addresses of symbols of data: tables end there, too.
  llvm::ArrayRef<uint64_t> named() const { return Named; }
  /// The pointers that the loader makes by the image's base.
  const llvm::DenseMap<uint64_t, uint64_t> &relative() const {
    return Relative;
  }
  /// The value of the symbol that the loader writes to \p Place; 0 if it is
  /// not of this file.
  uint64_t symbolOf(uint64_t Place) const { return Symbols.lookup(Place); }
  /// The pointer that is at \p Place when the program starts.
  std::optional<uint64_t> pointerAt(uint64_t Place) const;

private:
  const ElfView &File;
  std::vector<Place> Code, Data; ///< By address.
  std::vector<uint64_t> References, Named;
  std::vector<uint64_t> Ends; ///< Places in code, by address.
  llvm::DenseSet<uint64_t> SlotsOfEnds;
  llvm::DenseMap<uint64_t, uint64_t> Relative, Symbols;

  void readApplied(const ElfView::Section &Table);
  void readNames(const ElfView::Section &Table);
  void noteEnd(const ElfView::Rela &R, const ElfView::Symbol &S);
  void readLoaders(const ElfView::Section &Table);
  void readPacked(const ElfView::Section &Table);
};

} // namespace graupel

#endif // GRAUPEL_VERIFY_APPLIEDRELOCATIONS_H
