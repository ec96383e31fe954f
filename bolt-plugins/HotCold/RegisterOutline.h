//===- HotCold/RegisterOutline.h - Code as liveness sees it -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_REGISTEROUTLINE_H
#define GRAUPEL_HOTCOLD_REGISTEROUTLINE_H

#include "RegisterSummaries.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace graupel {

/// The effects of one function's code on registers. Liveness in a whole image
/// is solved several times for each function; instructions are read once.
class RegisterOutline {
public:
  /// A call, a return, or all instructions up to the next of these.
  struct Step {
    enum StepKind : uint8_t { Run, Call, Return };
    StepKind Kind = Run;
    bool IsTail = false;        ///< The call is a tail call,
    bool IsConditional = false; ///< which may not be taken.
    bool IsLast = false;        ///< The last instruction of its block.
    RegisterSet Kills = 0;      ///< For runs only.
    RegisterSet Reads = 0;      ///< Reads before a write in the step.
    CallTarget Target;          ///< For calls only.
  };

  RegisterOutline(const llvm::bolt::BinaryFunction &BF,
                  const RegisterModel &Model,
                  const RegisterSummaries &Summaries);

  unsigned size() const { return Blocks.size(); }
  llvm::ArrayRef<Step> steps(unsigned Block) const {
    return llvm::ArrayRef<Step>(Steps).slice(Blocks[Block].FirstStep,
                                             Blocks[Block].NumSteps);
  }
  llvm::ArrayRef<unsigned> successors(unsigned Block) const {
    return llvm::ArrayRef<unsigned>(Edges).slice(Blocks[Block].FirstEdge,
                                                 Blocks[Block].NumSuccessors);
  }
  llvm::ArrayRef<unsigned> landingPads(unsigned Block) const {
    return llvm::ArrayRef<unsigned>(Edges).slice(
        Blocks[Block].FirstEdge + Blocks[Block].NumSuccessors,
        Blocks[Block].NumPads);
  }
  /// Registers needed behind a block, successors aside.
  RegisterSet atEnd(unsigned Block) const { return Blocks[Block].AtEnd; }

  /// Callee-saved registers that are pushed with values of the function's own,
  /// which others read.
  RegisterSet pushedForOthers() const { return PushedForOthers; }
  /// Others that are pushed.
  RegisterSet saved() const { return Saved; }

  /// The step that \p Inst of \p Block is by itself. \p Inst is no pseudo
  /// instruction.
  static Step stepOf(const llvm::bolt::BinaryBasicBlock &Block,
                     const llvm::MCInst &Inst, const RegisterModel &Model,
                     RegisterSet PushedForOthers);
  /// Registers needed at the end of \p Block, successors aside.
  static RegisterSet atEndOf(const llvm::bolt::BinaryBasicBlock &Block);

private:
  struct BlockRange {
    unsigned FirstStep, NumSteps, FirstEdge, NumSuccessors, NumPads;
    RegisterSet AtEnd;
  };

  void findPushed(const llvm::bolt::BinaryFunction &BF,
                  const RegisterModel &Model,
                  const RegisterSummaries &Summaries);
  void add(const Step &S, unsigned FirstOfBlock);

  std::vector<Step> Steps;
  std::vector<unsigned> Edges;
  std::vector<BlockRange> Blocks; ///< By BinaryBasicBlock::getIndex().
  RegisterSet PushedForOthers = 0;
  RegisterSet Saved = 0;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_REGISTEROUTLINE_H
