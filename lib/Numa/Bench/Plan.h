//===- Numa/Bench/Plan.h - Planned cases and tables ----------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_PLAN_H
#define GRAUPEL_NUMA_BENCH_PLAN_H

#include "Case.h"
#include "Machine.h"
#include "Table.h"
#include <span>

namespace graupel::numa::bench {

/// Cases, tables that say which case goes where, and sentences about what
/// cannot be measured here. Cells with the same case share it.
class Plan {
public:
  /// `Home` is a node's index: where lines lie unless a table says otherwise.
  Plan(const Machine &M, unsigned Home) : M(M), Home(Home) {}

  /// The case's number; the same for equal ones.
  size_t add(const Case &C);
  /// A cell with this case, or an empty one if `C` has nobody to measure.
  Cell cell(const Case &C);
  void note(std::string Sentence);

  /// The processor of a node, from 0 on. Nothing if there are not so many.
  std::vector<unsigned> processor(unsigned Node, unsigned Number = 0) const;
  /// The first processor of the nearest node that has any, and its node.
  unsigned reader() const;
  unsigned readerNode() const;
  /// Another processor than the reader's, as near as possible to home; nothing
  /// if there is none.
  std::vector<unsigned> partner() const;

  const Machine &M;
  const unsigned Home;
  std::vector<Case> Cases;
  std::vector<PlannedTable> Tables;
  std::vector<std::string> Notes;
};

/// A note about the tables that are missing with one processor.
extern const char OneProcessor[];

/// Adds tables to a plan.
struct Experiment {
  const char *Name, *Summary;
  void (*Add)(Plan &);
};
/// All there are, in the order they are shown.
std::span<const Experiment> experiments();

// --- Parts of that list.

void addLatencyByNode(Plan &);
void addBandwidthByNode(Plan &);
void addStates(Plan &);
void addOneProcessor(Plan &);
void addProcessors(Plan &);
void addRemote(Plan &);
void addInterventions(Plan &);
void addSingleSharer(Plan &);
void addSharers(Plan &);
void addStorm(Plan &);
void addCoreToCore(Plan &);
void addLoaded(Plan &);
void addSweep(Plan &);

} // namespace graupel::numa::bench

#endif
