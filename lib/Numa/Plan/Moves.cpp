//===- Numa/Plan/Moves.cpp - Which pages to move now ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Moves.h"
#include <algorithm>
#include <numeric>

using namespace graupel::numa;

namespace {

/// As fractions of a page's traffic: the part that another node makes beyond
/// the home's, so that the page is worth moving; the largest part of stores for
/// pages that want copies.
constexpr double Threshold = 0.2, FewStores = 0.05;
/// Two nodes at least have that part of the loads of such a page.
constexpr double Reads = 0.1;
constexpr double FairAndMore = 1.25;

double sum(const std::vector<double> &Values) {
  return std::accumulate(Values.begin(), Values.end(), 0.0);
}

class Chooser {
public:
  Chooser(const Topology &T, const std::vector<RecentPage> &Pages);
  Moves run();

private:
  static bool wantsCopies(const RecentPage &P);
  void follow(size_t N);
  void relieve();
  void move(size_t N, unsigned To, double Gain);

  const std::vector<RecentPage> &Pages;
  std::vector<unsigned> WithMemory;
  std::vector<unsigned> Nearest; ///< With memory, by node.
  std::vector<double> Served;
  std::vector<size_t> Ownerless;
  std::vector<std::pair<double, PageMove>> Chosen;
  Moves M;
};

} // namespace

Chooser::Chooser(const Topology &T, const std::vector<RecentPage> &Pages)
    : Pages(Pages), WithMemory(T.nodesWithMemory()), Served(T.Nodes.size()) {
  for (unsigned Node = 0; Node < T.Nodes.size(); ++Node) {
    Nearest.push_back(Node);
    for (unsigned Near : T.within(Node, unsigned(T.Nodes.size())))
      if (std::find(WithMemory.begin(), WithMemory.end(), Near) !=
          WithMemory.end()) {
        Nearest.back() = Near;
        break;
      }
  }
}

double RecentPage::bytes() const { return sum(Loads) + sum(Stores); }

int RecentPage::owner() const {
  unsigned Most = 0;
  for (unsigned Node = 1; Node < Loads.size(); ++Node)
    if (use(Node) > use(Most))
      Most = Node;
  double All = bytes();
  return All > 0 && use(Most) >= OwnersPart * All ? int(Most) : -1;
}

bool Chooser::wantsCopies(const RecentPage &P) {
  double Loads = sum(P.Loads), All = P.bytes();
  auto Readers =
      std::count_if(P.Loads.begin(), P.Loads.end(),
                    [&](double Bytes) { return Bytes >= Reads * Loads; });
  return P.CanBeCopied && Readers > 1 && All - Loads <= FewStores * All;
}

void Chooser::move(size_t N, unsigned To, double Gain) {
  double All = Pages[N].bytes();
  Served[unsigned(Pages[N].Home)] -= All;
  Served[To] += All;
  Chosen.push_back({Gain, {N, To}});
}

void Chooser::follow(size_t N) {
  const RecentPage &P = Pages[N];
  const int Owner = P.owner();
  if (Owner < 0)
    return Ownerless.push_back(N);
  const unsigned To = Nearest[unsigned(Owner)];
  double Gain = P.use(unsigned(Owner)) - P.use(unsigned(P.Home));
  if (To != unsigned(P.Home) && Gain > Threshold * P.bytes() &&
      P.Moves < MostVainMoves)
    move(N, To, Gain);
}

/// Pages without an owner leave nodes that serve more than they can for the one
/// that serves least.
void Chooser::relieve() {
  double Limit = FairAndMore * sum(Served) / double(WithMemory.size());
  for (size_t N : Ownerless) {
    const RecentPage &P = Pages[N];
    unsigned Least = unsigned(P.Home);
    for (unsigned Node : WithMemory)
      if (Served[Node] < Served[Least])
        Least = Node;
    if (Served[unsigned(P.Home)] > Limit && Served[Least] + P.bytes() < Limit &&
        P.Moves < MostVainMoves)
      move(N, Least, 0);
  }
}

Moves Chooser::run() {
  for (const RecentPage &P : Pages)
    if (P.Home >= 0)
      Served[unsigned(P.Home)] += P.bytes();
  for (size_t N = 0; N < Pages.size(); ++N) {
    if (wantsCopies(Pages[N]))
      M.Copies.push_back(N);
    else if (Pages[N].Home >= 0 && Pages[N].bytes() > 0)
      follow(N);
  }
  relieve();
  std::stable_sort(
      Chosen.begin(), Chosen.end(),
      [](const auto &A, const auto &B) { return A.first > B.first; });
  for (const auto &[Gain, Move] : Chosen)
    M.Pages.push_back(Move);
  return std::move(M);
}

Moves graupel::numa::chooseMoves(const Topology &T,
                                 const std::vector<RecentPage> &Pages) {
  return Chooser(T, Pages).run();
}
