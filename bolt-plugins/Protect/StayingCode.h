//===- Protect/StayingCode.h - Flow of functions that stay ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT forgets the flow graph of a function that is not rewritten. Passes that
// have to know what such a function reads behind its calls find a copy here.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROTECT_STAYINGCODE_H
#define GRAUPEL_PROTECT_STAYINGCODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/MC/MCInst.h"
#include <vector>

namespace llvm::bolt {
class BinaryContext;
class BinaryFunction;
} // namespace llvm::bolt

namespace graupel {

enum class ProtectReason;

/// A function that stays, as it was when that was decided. Blocks are numbers;
/// the first is where it begins.
class StayingFunction {
public:
  struct Step {
    /// Without annotations, displacements and targets. No pseudos. Equal ones
    /// are one object, which lives until the process ends.
    const llvm::MCInst *Inst;
    /// The target of a call or jump, if that is another function or the
    /// beginning of this one. Null for calls through pointers.
    llvm::bolt::BinaryFunction *To;
    bool IsCall; ///< Tail calls are calls.
    bool IsTail; ///< Also a conditional one, behind which control goes on.
    bool IsReturn;
  };
  const llvm::bolt::BinaryFunction *Function;
  /// Control goes along the edges only. Otherwise nothing is known.
  bool IsUnderstood;

  StayingFunction(const llvm::bolt::BinaryFunction &BF, bool IsUnderstood)
      : Function(&BF), IsUnderstood(IsUnderstood) {}

  /// The steps of all blocks, one behind the other.
  llvm::ArrayRef<Step> steps() const { return Steps; }
  llvm::MutableArrayRef<Step> steps() { return Steps; }
  unsigned numBlocks() const { return Ends.size(); }
  llvm::ArrayRef<Step> stepsOf(unsigned Block) const {
    const unsigned First = Block ? Ends[Block - 1].Steps : 0;
    return steps().slice(First, Ends[Block].Steps - First);
  }
  /// The blocks behind \p Block. Not those that exceptions lead to: the
  /// unwinder leaves nothing of what functions hand to their callers.
  llvm::ArrayRef<unsigned> next(unsigned Block) const {
    const unsigned First = Block ? Ends[Block - 1].Edges : 0;
    return llvm::ArrayRef(Edges).slice(First, Ends[Block].Edges - First);
  }

  /// Adds a block with these steps and edges.
  void addBlock(llvm::ArrayRef<Step> Its, llvm::ArrayRef<unsigned> Next);
  /// Makes room for that many.
  void reserve(size_t NumSteps, size_t NumBlocks);

private:
  struct End {
    unsigned Steps, Edges;
  };
  // Large programs have millions of steps: each costs memory.
  std::vector<Step> Steps;
  std::vector<unsigned> Edges;
  std::vector<End> Ends; ///< By blocks.
};

/// Copies \p BF, which is going to stay because of \p Reason.
void noteStaying(llvm::bolt::BinaryFunction &BF, ProtectReason Reason);

/// Decodes \p BF, of which BOLT made no flow graph.
void noteUnread(llvm::bolt::BinaryFunction &BF);

/// Identical functions were folded: finds those that calls lead to now.
void followFolding(llvm::bolt::BinaryContext &BC);

/// All that were noted.
llvm::ArrayRef<StayingFunction> stayingFunctions();

} // namespace graupel

#endif // GRAUPEL_PROTECT_STAYINGCODE_H
