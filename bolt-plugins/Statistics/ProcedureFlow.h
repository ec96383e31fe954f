//===- Statistics/ProcedureFlow.h - Counted flow of a procedure -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One procedure as the statistics see it, and the question they ask of its
// loops: does the procedure spend its time going round, or going through? Most
// of the time of large programs is spent in procedures that hardly loop (Cohn,
// Goodwin, Lowney 1997), which decides what kind of optimization can pay.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STATISTICS_PROCEDUREFLOW_H
#define GRAUPEL_STATISTICS_PROCEDUREFLOW_H

#include <cstdint>
#include <vector>

namespace graupel {

/// Blocks and edges of one procedure with their counts. The first block is the
/// entry.
struct ProcedureFlow {
  struct Block {
    uint64_t Count;
    uint64_t Instructions;
  };
  struct Edge {
    uint32_t Source;
    uint32_t Target;
    uint64_t Count;
  };

  std::vector<Block> Blocks;
  std::vector<Edge> Edges;
  /// Blocks other than the first that control reaches from outside the edges:
  /// further entries and landing pads.
  std::vector<uint32_t> OtherRoots;

  /// Executed instructions.
  uint64_t weight() const;
  /// True if no block is executed more often than the entry.
  bool entryIsHottest() const;
};

/// Average number of times that the header of \p Flow's most executed loop runs
/// for each time the loop is entered; 1 if no loop runs. Loops are natural
/// loops: cycles entered through one block only. The most executed loop is the
/// one whose header runs most often, so of nested loops mostly the inner one.
double hottestLoopTripCount(const ProcedureFlow &Flow);

/// The blocks of a natural loop that has no other one in it, but for loops that
/// run less than half as often. A cycle with less than two iterations on the
/// average is not taken for a loop.
struct InnermostLoop {
  uint32_t Header;
  std::vector<uint32_t> Blocks; ///< With the header, in rising order.
};

/// Those of \p Flow whose header was executed, in the order of headers.
std::vector<InnermostLoop> innermostLoops(const ProcedureFlow &Flow);

} // namespace graupel

#endif // GRAUPEL_STATISTICS_PROCEDUREFLOW_H
