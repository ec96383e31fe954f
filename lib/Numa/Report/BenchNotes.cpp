//===- Numa/Report/BenchNotes.cpp - What may disturb figures --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BenchReport.h"

using namespace graupel::numa;
using namespace graupel::numa::bench;

void graupel::numa::addNotes(const Machine &M, const Meter &TheMeter,
                             const Session &S,
                             std::vector<std::string> &Notes) {
  if (M.Guest)
    Notes.push_back(
        "This is a virtual machine: its processors may move between real ones "
        "while it runs, and others may use the same memory.");
  constexpr double Busy = 5;
  if (S.othersPercent() > Busy)
    Notes.push_back("Other programs used " +
                    std::to_string(unsigned(S.othersPercent())) +
                    " % of the processors' time; a quiet machine has more "
                    "stable rows.");
  for (unsigned N = 0; N < M.Nodes.size(); ++N) {
    const Memory &Here = TheMeter.memory(N);
    if (Here.Elsewhere)
      Notes.push_back(std::to_string(Here.Elsewhere) + " of " +
                      std::to_string(Here.Pages) + " pages meant for node " +
                      std::to_string(M.Nodes[N].Id) +
                      " are on others; nothing measured with them is stable.");
    if (Here.LargeBytes < Here.Pages * 4096 * 9 / 10)
      Notes.push_back("Memory of node " + std::to_string(M.Nodes[N].Id) +
                      " is not in large pages: latencies include looking up "
                      "addresses.");
  }
  if (TheMeter.sizes().RangeBytes < 2 * M.LastCaches * M.SharedBytes)
    Notes.push_back("There is too little free memory for ranges larger than "
                    "the caches: bandwidths are those of caches in part.");
  if (!TheMeter.writesCode())
    Notes.push_back("The system does not let programs write code: there is no "
                    "restart latency.");
  if (S.passes() < LeastPasses)
    Notes.push_back("Time was up after " + std::to_string(S.passes()) +
                    (S.passes() == 1 ? " pass" : " passes") +
                    "; nothing is stable with fewer than " +
                    std::to_string(LeastPasses) +
                    ". Give more with --seconds, or less to do with --only.");
}
