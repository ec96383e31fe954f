//===- Statistics/FetchMeasure.h - Cost of fetching code --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts decode windows and cache lines that execution enters, of the whole
// program and of each innermost loop, before and after. It measures nothing: it
// follows from block counts and addresses, the same on every machine. So it can
// tell that a loop got worse where time cannot.
//
// 1. Input: blocks at their addresses; the loops of each function, by the
//    offset of their head.
// 2. Output, before emission: blocks at their offsets in their fragments; the
//    loops again.
// 3. When the addresses of fragments are known: the sums. Loops are compared if
//    one with the same head is left.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STATISTICS_FETCHMEASURE_H
#define GRAUPEL_STATISTICS_FETCHMEASURE_H

#include "Align/FetchCost.h"
#include "Portrait.h"
#include "bolt/Core/BinaryFunction.h"
#include <map>

namespace graupel {

/// Blocks and edges of \p BF in the order of its layout.
ProcedureFlow flowOf(llvm::bolt::BinaryFunction &BF);

/// The output address of fragment \p Fragment of \p BF, and its size.
std::pair<uint64_t, uint64_t> emittedAt(const llvm::bolt::BinaryFunction &BF,
                                        unsigned Fragment);

class FetchMeasure {
public:
  /// The number of times execution enters another decode window, or another
  /// line.
  struct Entries {
    uint64_t Windows = 0, Lines = 0;
  };

  /// Step 1; \p Flow is flowOf(BF).
  Entries addInput(llvm::bolt::BinaryFunction &BF, const ProcedureFlow &Flow);
  /// Step 2, when BOLT's emitter has told the offsets of blocks.
  void addOutput(llvm::bolt::BinaryFunction &BF);
  /// Instead: a function that stays as it is.
  void addStaying(Entries InInput) {
    StayingWindows += InInput.Windows;
    StayingLines += InInput.Lines;
  }
  /// Step 3; the input has executed \p Executed instructions.
  void finish(LayoutChange &Change, uint64_t Executed);

private:
  using Function = llvm::bolt::BinaryFunction;

  /// A block of the output, with offsets for addresses.
  struct EmittedBlock {
    unsigned Fragment;
    PlacedBlock Place;
  };
  struct EmittedLoop {
    uint64_t Offset; ///< Offset of the head, in the input.
    uint64_t Iterations;
    std::vector<uint32_t> Blocks;
  };
  struct EmittedFunction {
    const Function *BF;
    std::vector<EmittedBlock> Blocks;
    std::vector<EmittedLoop> Loops;
  };

  uint64_t WindowsBefore = 0, LinesBefore = 0;
  uint64_t StayingWindows = 0, StayingLines = 0;
  std::map<std::pair<const Function *, uint64_t>, LoopFigures> Loops;
  std::vector<EmittedFunction> Emitted;

  void finish(const EmittedFunction &F, LayoutFigures &After);
};

} // namespace graupel

#endif // GRAUPEL_STATISTICS_FETCHMEASURE_H
