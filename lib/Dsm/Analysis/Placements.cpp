//===- Dsm/Analysis/Placements.cpp - The best blocks, homes and fetches ---===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placements.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace graupel::dsm;

namespace {

/// The least gain that is worth a change of the program: a seventh less.
constexpr double Worth = 0.85;
/// And as much less as another choice that is good, too.
constexpr double Better = 0.98;
constexpr uint64_t SmallestBlock = 32;
/// Blocks that a thread fetches at a time (docs/design/fgdsm.md).
constexpr uint64_t AtATime = 32;
/// Bulk fetches: misses in a row, and parts of them.
constexpr uint64_t FewMisses = 8;
constexpr double MostAlone = 0.5, Dense = 0.5;

double cost(const Cost &C, uint64_t Block) {
  return double(C.Misses) * costOfMiss(Block);
}

} // namespace

double graupel::dsm::costOfMiss(uint64_t Block) {
  return 1 + double(Block) / 8192;
}

Placement graupel::dsm::chooseBlock(const Replay &R, const Placement &Now) {
  Placement Best = Now;
  double Least = Worth * cost(R.predict(Now).Least, Now.Block);
  auto Try = [&](uint64_t Block) {
    double C = cost(R.predict({Block, Now.Home}).Most, Block);
    if (C >= Least)
      return;
    Best.Block = Block;
    Least = Better * C;
  };
  // The nearest first: the next ones have to be better, not as good.
  for (uint64_t Block = Now.Block / 2; Block >= SmallestBlock; Block /= 2)
    Try(Block);
  for (uint64_t Block = Now.Block * 2; Block <= R.largestBlock(); Block *= 2)
    Try(Block);
  return Best;
}

Placement graupel::dsm::chooseHome(const Replay &R, const Placement &Now,
                                   int Nodes) {
  Placement Best = Now;
  Prediction Before = R.predict(Now);
  double Least = Worth * double(Before.Most.Messages);
  auto Try = [&](int Home, double Bonus) {
    Placement P = {Now.Block, Home};
    Prediction Then = R.predict(P);
    // Not at the cost of more misses.
    if (double(Then.Most.Misses) > 1.02 * double(Before.Most.Misses))
      return;
    double Messages = Bonus * double(Then.Most.Messages);
    if (Messages < Least) {
      Least = Messages;
      Best = P;
    }
  };
  for (int Node = 0; Node < Nodes; ++Node)
    Try(Node, 1);
  Try(-1, 1);
  Try(-2, 1);
  // Takes more of a change than a word: one allocation for each node.
  Try(Placement::MostUser, 1.1);
  return Best;
}

std::vector<BulkFetch> graupel::dsm::findBulkFetches(const Replay &R,
                                                     const Placement &P) {
  struct Visit {
    uint64_t Misses = 0, Alone = 0;
    std::set<uint64_t> Blocks;
  };
  std::map<std::tuple<unsigned, int, uint32_t, uint64_t>, Visit> Visits;
  for (const Missed &M : R.misses(P)) {
    const Access &A = R.accesses()[M.Number];
    if (A.Store)
      continue;
    Visit &V = Visits[{A.Place, A.Node, A.Epoch, A.Allocation}];
    ++V.Misses;
    V.Alone += A.Alone;
    V.Blocks.insert(M.Block);
  }
  struct Line {
    uint64_t Visits = 0, Misses = 0, Alone = 0, Blocks = 0, Span = 0, Then = 0;
  };
  std::map<unsigned, Line> Lines;
  for (const auto &[Key, V] : Visits) {
    Line &L = Lines[std::get<0>(Key)];
    uint64_t Span = *V.Blocks.rbegin() - *V.Blocks.begin() + 1;
    ++L.Visits;
    L.Misses += V.Misses;
    L.Alone += V.Alone;
    L.Blocks += V.Blocks.size();
    L.Span += Span;
    L.Then += (Span + AtATime - 1) / AtATime;
  }
  std::vector<BulkFetch> Result;
  for (const auto &[Place, L] : Lines)
    if (L.Misses >= FewMisses * L.Visits &&
        double(L.Alone) >= MostAlone * double(L.Misses) &&
        double(L.Blocks) >= Dense * double(L.Span))
      Result.push_back({Place, L.Span * P.Block / L.Visits, L.Misses, L.Alone,
                        std::max(L.Span, L.Misses), L.Then});
  return Result;
}
