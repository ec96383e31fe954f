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
/// copies inherit whatever is done to them.
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
  void begin(llvm::bolt::BinaryFunction &BF);
  void draft(const HotVersion &Hot, const llvm::BitVector &HotBlocks);
  void end(llvm::bolt::BinaryFunction &BF, const llvm::BitVector &HotBlocks);

  /// Of a function for which begin() was called.
  Explanation *of(const llvm::bolt::BinaryFunction &BF) {
    auto At = Explanations.find(&BF);
    return At == Explanations.end() ? nullptr : &At->second;
  }

  /// Functions that nobody looked at, and why.
  void printOthers(llvm::raw_ostream &OS) const;

private:
  std::vector<std::string> Names;
  llvm::SmallPtrSet<const llvm::bolt::BinaryFunction *, 4> Wanted;
  std::map<const llvm::bolt::BinaryFunction *, Explanation> Explanations;
  /// Where each original block is in its explanation.
  llvm::DenseMap<const llvm::bolt::BinaryBasicBlock *, unsigned> IndexOf;

  std::vector<Explanation::Instruction>
  copy(const std::vector<llvm::MCInst> &Code,
       const llvm::bolt::BinaryContext &BC) const;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_EXPLAINER_H
