//===- Numa/Topology/Routes.cpp - Ways between nodes ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"
#include "Topology.h"
#include <algorithm>
#include <queue>

using namespace graupel::numa;

Routes::Routes(const Topology &T)
    : Count(T.vertices()), Next(size_t(Count) * Count, -1),
      Fixed(size_t(Count) * Count) {
  std::vector<std::vector<unsigned>> Adjacent(Count);
  for (Link L : T.Links) {
    Adjacent[L.A].push_back(L.B);
    Adjacent[L.B].push_back(L.A);
  }
  for (std::vector<unsigned> &To : Adjacent)
    std::sort(To.begin(), To.end());
  for (unsigned To = 0; To < Count; ++To)
    search(To, Adjacent);
  for (const FixedRoute &R : T.FixedRoutes)
    Fixed[size_t(R.From) * Count + R.To] = R.Vertices;
}

/// Breadth first from the end of the ways.
void Routes::search(unsigned To,
                    const std::vector<std::vector<unsigned>> &Adjacent) {
  std::vector<int> Distance(Count, -1);
  std::queue<unsigned> Waiting;
  Distance[To] = 0;
  Waiting.push(To);
  while (!Waiting.empty()) {
    unsigned At = Waiting.front();
    Waiting.pop();
    for (unsigned Other : Adjacent[At])
      if (Distance[Other] < 0) {
        Distance[Other] = Distance[At] + 1;
        Waiting.push(Other);
      }
  }
  for (unsigned From = 0; From < Count; ++From)
    for (unsigned Other : Adjacent[From])
      if (Distance[From] > 0 && Distance[Other] == Distance[From] - 1) {
        Next[size_t(From) * Count + To] = int(Other);
        break;
      }
}

std::vector<unsigned> Routes::between(unsigned From, unsigned To) const {
  if (!Fixed[size_t(From) * Count + To].empty())
    return Fixed[size_t(From) * Count + To];
  std::vector<unsigned> Way = {From};
  while (Way.back() != To) {
    int Step = Next[size_t(Way.back()) * Count + To];
    if (Step < 0)
      return {};
    Way.push_back(unsigned(Step));
  }
  return Way;
}

int Routes::hops(unsigned From, unsigned To) const {
  return int(between(From, To).size()) - 1;
}
