//===- HotCold/Explanation.h - One procedure, side by side ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_EXPLANATION_H
#define GRAUPEL_HOTCOLD_EXPLANATION_H

#include "Report.h"
#include "llvm/Support/raw_ostream.h"

namespace graupel {

/// The result for one procedure, instruction by instruction.
struct Explanation {
  struct Instruction {
    std::string Text;
    unsigned Origin = 0; ///< Its number in the original; 0 if it is new.
  };
  struct Block {
    std::string Name;
    double Count = 0;
    bool Hot = false;
    std::vector<Instruction> Code; ///< Numbered through all blocks, from 1.
  };
  /// An edge out of a hot block.
  struct Way {
    bool ToStub;
    unsigned To; ///< A hot block or stub.
  };
  struct HotBlock {
    unsigned Original; ///< A block.
    double Count = 0;
    std::vector<Instruction> Code;
    std::vector<Way> Ways;
  };
  struct Stub {
    std::string From, Target; ///< A hot block and a cold one.
    bool IsPad = false;       ///< It is for exceptions.
    double Count = 0;
    std::vector<Instruction> Replay, Code;
    std::string Label = {}; ///< Set if others lead to it.
  };

  ProcedureRecord Record;
  double AllExecuted = 0; ///< Instructions of the whole program.
  std::vector<Block> Blocks;
  /// The draft; without one, there are no hot blocks.
  std::vector<HotBlock> Hot;
  std::vector<Stub> Stubs;
};

/// A line of a hot block beside its original.
struct ExplainedLine {
  enum class Mark : char {
    Kept = ' ',
    Removed = '-',
    Sunk = '>',    ///< It is in stubs instead.
    Changed = '~', ///< Registers or displacements.
    New = '+',
    Moved = '<', ///< It comes from another place of the original.
  };
  const Explanation::Instruction *Left, *Right; ///< Null if there is none.
  Mark Kind;
  std::string Note;
};

/// Hot block \p Index beside the block it is a copy of.
std::vector<ExplainedLine> explainBlock(const Explanation &E, unsigned Index);

void writeExplanation(const Explanation &E, llvm::raw_ostream &OS);

/// The \p Names that are most like \p Name, the most similar first; at most
/// \p Most of them.
std::vector<std::string>
nearNames(llvm::StringRef Name, llvm::ArrayRef<std::string> Names, size_t Most);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_EXPLANATION_H
