//===- HotCold/Proof/KnownStack.h - Where values come from ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of the walk in Provenance.cpp: for each general register and each
// slot of the stack, the caller's registers that it may have been copied from.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROOF_KNOWNSTACK_H
#define GRAUPEL_HOTCOLD_PROOF_KNOWNSTACK_H

#include "HotCold/Machine/RegisterSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCInst.h"
#include <array>
#include <map>

namespace graupel::symbolic {

/// Counted from the return address (base 0), or from where the stack pointer
/// was aligned.
struct StackAddress {
  enum : uint8_t {
    None,
    Exact,
    AtMost ///< This or something below it.
  } Kind = None;
  uint32_t Base = 0;
  int64_t Offset = 0;
  friend auto operator<=>(const StackAddress &, const StackAddress &) = default;

  StackAddress plus(int64_t Distance) const {
    return {Kind, Base, Offset + Distance};
  }
};

/// The bases. An aligned address is somewhere below the one before.
class Alignments {
public:
  /// The base that \p Inst makes of \p From, or 0 if it made it of another
  /// address before.
  uint32_t add(const llvm::MCInst &Inst, int64_t From, int64_t To);
  /// The range, counted from the return address, in which \p Size bytes at
  /// \p At are.
  std::pair<int64_t, int64_t> extent(StackAddress At, int64_t Size) const;
  bool overlap(StackAddress A, int64_t SizeA, StackAddress B,
               int64_t SizeB) const;
  /// The facts that are true for both.
  StackAddress join(StackAddress A, StackAddress B) const;

private:
  std::vector<std::pair<int64_t, int64_t>> Bases{{0, 1}}; ///< From, to.
  std::map<const llvm::MCInst *, uint32_t> BaseOf;
};

struct Origin {
  uint16_t MayBe = 0; ///< Registers at the entry, by encoding.
  int8_t CopyOf = -1; ///< Certainly a copy of this one.
  StackAddress Address = {};
  friend bool operator==(const Origin &, const Origin &) = default;
};

struct KnownStack {
  static constexpr unsigned NumGeneral = 16;
  static constexpr int64_t Word = 8;
  struct Slot {
    StackAddress At;
    Origin Content;
    friend bool operator==(const Slot &, const Slot &) = default;
  };

  std::array<Origin, NumGeneral> General;
  llvm::SmallVector<Slot, 12> Slots; ///< By address. Each is a word.
  /// Registers other than general ones.
  RegisterSet MayBeOld = ~reg::General, AreOld = ~reg::General;
  friend bool operator==(const KnownStack &, const KnownStack &) = default;

  static KnownStack atEntry();
  struct Joined {
    uint16_t Lost = 0; ///< Origins of slots that only one of them has.
    bool Changed = false;
  };
  /// Keeps the facts that are true for both.
  Joined join(const KnownStack &Other, const Alignments &Bases);
  const Origin *find(StackAddress At) const;
  void set(StackAddress At, const Origin &Content);
};

} // namespace graupel::symbolic

#endif // GRAUPEL_HOTCOLD_PROOF_KNOWNSTACK_H
