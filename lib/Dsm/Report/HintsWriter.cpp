//===- Dsm/Report/HintsWriter.cpp - The advice as hints for the compiler --===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hint is for a line, and a line may allocate several objects:
//
//   1. Objects with a log are put together by line.
//   2. The block is the one with the least cost for all of them together.
//   3. The home is the one that the advice gives to all that it moves, if no
//      other object of the line stays where it is.
//
//===----------------------------------------------------------------------===//

#include "Dsm/Analysis/Placements.h"
#include "Environment/Output/Shown.h"
#include "Report/Table.h"
#include "Writers.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace graupel;
using namespace graupel::dsm;

namespace {

struct LineHint {
  std::vector<unsigned> Objects;
  std::vector<Wanted> Placements;
};

double costOf(const LineHint &L, const Accesses &A, uint64_t Block) {
  double Cost = 0;
  for (unsigned Object : L.Objects) {
    const Replay &R = *A[Object].Log;
    uint64_t Own = std::min(Block, R.largestBlock());
    Cost += double(R.predict({Own}).Most.Misses) * costOfMiss(Own);
  }
  return Cost;
}

/// The advised one that costs least, unless another is better for all.
uint64_t blockFor(const LineHint &L, const Accesses &A) {
  constexpr double Better = 0.98;
  uint64_t Best = L.Placements[0].Then.Block;
  double Least = Better * costOf(L, A, Best);
  for (uint64_t Block = 32; Block <= 4096; Block *= 2)
    if (double Cost = costOf(L, A, Block); Cost < Least) {
      Best = Block;
      Least = Better * Cost;
    }
  return Best;
}

/// "" if it stays, or cannot be said in a hint.
std::string homeFor(const LineHint &L) {
  int Home = L.Placements[0].Then.Home;
  if (L.Placements.size() != L.Objects.size() ||
      any_of(L.Placements,
             [&](const Wanted &W) { return W.Then.Home != Home; }))
    return "";
  if (Home >= 0)
    return " home=" + std::to_string(Home);
  return Home == -1   ? " home=round-robin"
         : Home == -2 ? " home=first-touch"
                      : "";
}

} // namespace

void graupel::dsm::writeHints(const Report &R, const Accesses &A,
                              raw_ostream &OS) {
  OS << "graupel-fgdsm-hints 1\n# From `graupel dsm report`. " +
            sumOf(R.Advices) + "\n";
  std::map<std::pair<std::string, unsigned>, LineHint> Lines;
  for (unsigned I : R.P.ByTime)
    if (const Object &O = R.P.Data[I]; A[I].Log && !O.Site.File.empty())
      Lines[{O.Site.File, O.Site.Line}].Objects.push_back(I);
  for (const Wanted &W : R.Advices.Placements)
    if (const Object &O = R.P.Data[W.Object]; !O.Site.File.empty())
      Lines[{O.Site.File, O.Site.Line}].Placements.push_back(W);
  for (const auto &[Where, L] : Lines) {
    // A name with a line's end would become a line of its own.
    if (L.Placements.empty() || output::shown(Where.first) != Where.first)
      continue;
    for (const Wanted &W : L.Placements)
      OS << "# " << output::shown(R.P.Data[W.Object].Name) << ": blocks of "
         << W.Then.Block << " bytes instead of " << W.Now.Block << '\n';
    OS << "alloc " << Where.first << ':' << Where.second
       << " block=" << blockFor(L, A) << homeFor(L) << " replace\n";
  }
}
