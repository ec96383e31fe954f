//===- Numa/Plan/Moves.cpp - Which pages to move now ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Moves.h"
#include "Threads.h"
#include <algorithm>
#include <numeric>

using namespace graupel::numa;

namespace {

/// Of a page's traffic: what another node makes beyond the home's, so that it
/// is worth moving; what an owner makes; what stores are, at most, of pages
/// that want copies.
constexpr double Threshold = 0.2, Owns = 0.6, FewStores = 0.05;
/// Two nodes at least have that part of the loads of such a page.
constexpr double Reads = 0.1;
/// A page that has moved so often is frozen.
constexpr unsigned Freeze = 8;
constexpr double FairAndMore = 1.25;

double sum(const std::vector<double> &Of) {
  return std::accumulate(Of.begin(), Of.end(), 0.0);
}

class Chooser {
public:
  Chooser(const Topology &T, const std::vector<RecentPage> &Pages)
      : T(T), Pages(Pages), Served(T.Nodes.size()) {}
  Moves run();

private:
  double use(const RecentPage &P, unsigned Node) const {
    return P.Loads[Node] + P.Stores[Node];
  }
  bool wantsCopies(const RecentPage &P) const;
  void follow(size_t N);
  void relieve();
  void move(size_t N, unsigned To, double Gain);

  const Topology &T;
  const std::vector<RecentPage> &Pages;
  std::vector<double> Served;
  std::vector<size_t> Ownerless;
  std::vector<std::pair<double, PageMove>> Chosen;
  Moves M;
};

} // namespace

bool Chooser::wantsCopies(const RecentPage &P) const {
  double Loads = sum(P.Loads), All = Loads + sum(P.Stores);
  auto Readers =
      std::count_if(P.Loads.begin(), P.Loads.end(),
                    [&](double Bytes) { return Bytes >= Reads * Loads; });
  return P.CanBeCopied && Readers > 1 && All - Loads <= FewStores * All;
}

void Chooser::move(size_t N, unsigned To, double Gain) {
  const RecentPage &P = Pages[N];
  double All = sum(P.Loads) + sum(P.Stores);
  Served[unsigned(P.Home)] -= All;
  Served[To] += All;
  Chosen.push_back({Gain, {N, To}});
}

void Chooser::follow(size_t N) {
  const RecentPage &P = Pages[N];
  double All = sum(P.Loads) + sum(P.Stores);
  unsigned Best = unsigned(P.Home);
  for (unsigned Node = 0; Node < T.Nodes.size(); ++Node)
    if (T.Nodes[Node].Bytes && use(P, Node) > use(P, Best))
      Best = Node;
  double Gain = use(P, Best) - use(P, unsigned(P.Home));
  if (use(P, Best) >= Owns * All && Gain > Threshold * All && P.Moves < Freeze)
    move(N, Best, Gain);
  else if (use(P, Best) < Owns * All)
    Ownerless.push_back(N);
}

/// Pages without an owner leave nodes that serve more than they can for the one
/// that serves least.
void Chooser::relieve() {
  double Limit = FairAndMore * sum(Served) / double(T.Nodes.size());
  for (size_t N : Ownerless) {
    const RecentPage &P = Pages[N];
    double All = sum(P.Loads) + sum(P.Stores);
    unsigned Least = unsigned(P.Home);
    for (unsigned Node = 0; Node < T.Nodes.size(); ++Node)
      if (T.Nodes[Node].Bytes && Served[Node] < Served[Least])
        Least = Node;
    if (Served[unsigned(P.Home)] > Limit && Served[Least] + All < Limit &&
        P.Moves < Freeze)
      move(N, Least, 0);
  }
}

Moves Chooser::run() {
  for (const RecentPage &P : Pages)
    if (P.Home >= 0)
      Served[unsigned(P.Home)] += sum(P.Loads) + sum(P.Stores);
  for (size_t N = 0; N < Pages.size(); ++N) {
    if (wantsCopies(Pages[N]))
      M.Copies.push_back(N);
    else if (Pages[N].Home >= 0 &&
             sum(Pages[N].Loads) + sum(Pages[N].Stores) > 0)
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
