//===- Numa/Bench/Plan.cpp - Planned cases and tables ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include <algorithm>

namespace graupel::numa::bench {

const char OneProcessor[] =
    "There is one processor: states that need another one's cache, transfers "
    "between processors and latency under load cannot be measured.";

size_t Plan::add(const Case &C) {
  auto At = std::find(Cases.begin(), Cases.end(), C);
  if (At == Cases.end())
    At = Cases.insert(Cases.end(), C);
  return size_t(At - Cases.begin());
}

Cell Plan::cell(const Case &C) {
  const bool NeedsOthers =
      C.From != State::None && C.From != State::UOWN && C.Remote.empty();
  if (C.Local.empty() || NeedsOthers)
    return {};
  return Cell::mean({add(C)});
}

void Plan::note(std::string Sentence) {
  if (std::find(Notes.begin(), Notes.end(), Sentence) == Notes.end())
    Notes.push_back(std::move(Sentence));
}

std::vector<unsigned> Plan::processor(unsigned Node, unsigned Number) const {
  const auto &All = M.Nodes[Node].Processors;
  if (Number >= All.size())
    return {};
  return {All[Number]};
}

unsigned Plan::readerNode() const {
  for (unsigned Node : M.byDistance(Home))
    if (!M.Nodes[Node].Processors.empty())
      return Node;
  return Home;
}

unsigned Plan::reader() const { return processor(readerNode())[0]; }

std::vector<unsigned> Plan::partner() const {
  for (unsigned Node : M.byDistance(readerNode()))
    for (unsigned Processor : M.Nodes[Node].Processors)
      if (Processor != reader())
        return {Processor};
  return {};
}

std::span<const Experiment> experiments() {
  static const Experiment All[] = {
      {"latency", "latency from each node to each node's memory",
       addLatencyByNode},
      {"bandwidth", "bandwidth from each node to each node's memory",
       addBandwidthByNode},
      {"states", "latency, restart latency and bandwidth by coherence state",
       addStates},
      {"one", "bandwidth of one processor by pattern", addOneProcessor},
      {"processors", "what processors and nodes get together", addProcessors},
      {"remote", "one home, requests from every node", addRemote},
      {"interventions", "requester, home and owner, two of them together",
       addInterventions},
      {"single-sharer", "invalidation of one sharer, in three placements",
       addSingleSharer},
      {"sharers", "invalidation of 1 to all sharers", addSharers},
      {"storm", "all share all lines, then each writes a part", addStorm},
      {"core-to-core", "modified lines from processor to processor",
       addCoreToCore},
      {"loaded", "latency while others load the memory", addLoaded},
      {"sweep", "read and modify over size and stride", addSweep},
  };
  return All;
}

} // namespace graupel::numa::bench
