//===- HotCold/Explainer.h - Watches the functions to explain ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_EXPLAINER_H
#define GRAUPEL_HOTCOLD_EXPLAINER_H

#include "Explanation.h"
#include "HotVersion.h"

namespace graupel {

/// Takes pictures of the functions that -hco-explain names, before and after.
/// Their instructions carry their numbers meanwhile, as annotations, which
/// copies inherit even if they are changed.
class Explainer {
public:
  explicit Explainer(std::vector<std::string> Names)
      : Names(std::move(Names)) {}

  bool any() const { return !Names.empty(); }

  /// Fails if there is no function of one of the names.
  llvm::Error find(llvm::bolt::BinaryContext &BC);

  bool isWanted(const llvm::bolt::BinaryFunction &BF) const {
    return Wanted.contains(&BF);
  }
  void begin(llvm::bolt::BinaryFunction &BF, const llvm::BitVector &Frequent);
  /// Takes a picture of a draft, which replaces earlier ones that were not
  /// kept.
  void draft(const HotVersion &Hot);
  /// Keeps the picture.
  void commit(const HotVersion &Hot);
  void end(llvm::bolt::BinaryFunction &BF);

  /// The explanation of a function for which begin() was called.
  Explanation *of(const llvm::bolt::BinaryFunction &BF) {
    auto At = Explanations.find(&BF);
    return At == Explanations.end() ? nullptr : &At->second;
  }

  /// Prints functions that were not looked at, and why.
  void printOthers(llvm::raw_ostream &OS) const;

private:
  struct Draft {
    std::vector<Explanation::HotBlock> Hot;
    std::vector<Explanation::Stub> Stubs;
  };

  std::vector<std::string> Names;
  llvm::SmallPtrSet<const llvm::bolt::BinaryFunction *, 4> Wanted;
  std::map<const llvm::bolt::BinaryFunction *, Explanation> Explanations;
  /// Indices of blocks in their explanation: originals, and copies with the
  /// index of their original.
  llvm::DenseMap<const llvm::bolt::BinaryBasicBlock *, unsigned> IndexOf;
  /// Drafts of the function between begin() and end().
  Draft Last, Kept;
  size_t NumKeptBlocks = 0; ///< Others are only in drafts that were not kept.
  /// Stubs of all drafts that were kept, with their blocks.
  std::vector<
      std::pair<const llvm::bolt::BinaryBasicBlock *, Explanation::Stub>>
      Stubs;

  unsigned indexOf(Explanation &E, const llvm::bolt::BinaryBasicBlock &Block);
  std::vector<Explanation::Instruction>
  copy(llvm::ArrayRef<llvm::MCInst> Code,
       const llvm::bolt::BinaryContext &BC) const;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_EXPLAINER_H
