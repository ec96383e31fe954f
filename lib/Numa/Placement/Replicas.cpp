//===- Numa/Placement/Replicas.cpp - Nodes that get copies ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Replicas.h"
#include <algorithm>

using namespace graupel::numa;

static unsigned nearest(const Topology &T, unsigned To,
                        const std::vector<unsigned> &Among) {
  return *std::min_element(Among.begin(), Among.end(),
                           [&](unsigned A, unsigned B) {
                             return std::pair(T.classes().at(To, A), A) <
                                    std::pair(T.classes().at(To, B), B);
                           });
}

Cover graupel::numa::coverReaders(const Topology &T,
                                  const std::vector<unsigned> &Readers,
                                  unsigned Radius) {
  Cover C;
  std::vector<unsigned> Possible = T.nodesWithMemory(), Left = Readers;
  while (!Left.empty()) {
    auto Serves = [&](unsigned Holder) {
      return std::count_if(Left.begin(), Left.end(), [&](unsigned R) {
        return T.classes().at(R, Holder) <= Radius;
      });
    };
    unsigned Next = *std::max_element(
        Possible.begin(), Possible.end(),
        [&](unsigned A, unsigned B) { return Serves(A) < Serves(B); });
    // Nobody is near enough to any of them.
    if (!Serves(Next))
      Next = nearest(T, Left.front(), Possible);
    C.Holders.push_back(Next);
    unsigned First = Left.front();
    bool Served = false;
    std::erase_if(Left, [&](unsigned R) {
      bool Done = T.classes().at(R, Next) <= Radius;
      Served |= Done;
      return Done;
    });
    if (!Served)
      std::erase(Left, First);
  }
  std::sort(C.Holders.begin(), C.Holders.end());
  C.Holders.erase(std::unique(C.Holders.begin(), C.Holders.end()),
                  C.Holders.end());
  for (unsigned N = 0; N < T.Nodes.size(); ++N)
    C.ReadsFrom.push_back(nearest(T, N, C.Holders));
  return C;
}
