//===- Facts.h - The needs that checks satisfy ------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access touches bytes [Lo, Lo + Size) of a *base*: an address without its
// constant part, as scalar evolution sees it, so that a[i - 1] and a[i + 1] are
// bytes of one base. A base names another address when the values in it are
// computed anew: when a block with a definition, or the header of a loop whose
// induction it contains, is entered.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_FACTS_H
#define GRAUPEL_FGDSM_FACTS_H

#include "Access.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class DominatorTree;
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace graupel::fgdsm {

/// The memory that one access needs to be valid.
struct Need {
  unsigned AccessIndex;
  unsigned Base;
  int64_t Lo;
  uint64_t Size;
  bool Store;
  /// Whether its check may be shared, moved and left out.
  bool Free;
  /// Indices of the strips' ranges that cover it.
  llvm::SmallVector<unsigned, 1> Ranges;

  int64_t hi() const { return Lo + int64_t(Size); }
  /// A check of this is one of Other.
  bool covers(const Need &Other) const {
    return Base == Other.Base && Lo <= Other.Lo && hi() >= Other.hi() &&
           (Store || !Other.Store);
  }
};

struct AddressBase {
  const llvm::SCEV *Expression;
  /// Values that are the base plus a constant.
  llvm::SmallVector<std::pair<llvm::Value *, int64_t>, 2> Pointers;
  /// Indices into FactTable::Needs.
  llvm::SmallVector<unsigned, 4> Needs;
  /// Where it becomes another address.
  llvm::SmallVector<const llvm::Loop *, 2> Loops;
  llvm::SmallVector<llvm::Instruction *, 2> Definitions;

  /// A value that is the base plus Offset, and is there before `At`.
  llvm::Value *pointerAt(const llvm::Instruction *At,
                         const llvm::DominatorTree &DT, int64_t &Offset) const;
};

class FactTable {
public:
  /// Collects the needs of accesses that may be shared and have a length. If
  /// `Free` is false each check stands for itself.
  FactTable(llvm::ArrayRef<Access> Accesses, llvm::ScalarEvolution &SE,
            bool Free);

  std::vector<Need> Needs;
  std::vector<AddressBase> Bases;
  /// By instruction.
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<unsigned, 1>>
      NeedsOf;
  /// Gathers and scatters: their accesses.
  llvm::DenseMap<const llvm::Instruction *, unsigned> LanesAt;
};

} // namespace graupel::fgdsm

#endif
