//===- Numa/Plan/Threads.cpp - Threads get nodes --------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches nodes for threads.
//
// 1. share adds up the bytes that two threads have in common: in each page,
//    those of the one that refers to it less.
// 2. Threads with at least a quarter of the greatest traffic are placed by
//    search. makeRoom gives each node its processors' share of these threads.
// 3. If there are few assignments, tryAll tries all of them, and leaves off
//    where the cost is too great already.
// 4. Otherwise greedy places the threads with most traffic first, each where it
//    costs least. exchange then exchanges pairs of threads while that helps.
// 5. placeLight puts the other threads where they cost least, whatever room
//    there is.
//
//===----------------------------------------------------------------------===//

#include "Threads.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace graupel::numa;

double graupel::numa::distanceOf(const Topology &T, unsigned From,
                                 unsigned To) {
  if (From == To)
    return 1;
  if (T.Latency)
    return T.Latency->at(From, To) / T.Latency->at(From, From);
  return T.Firmware->at(From, To) / T.Firmware->at(From, From);
}

namespace {

class Search {
public:
  Search(const Topology &T, const Traffic &Observed);
  std::vector<unsigned> run();

private:
  void share(const Traffic &Observed);
  void makeRoom(const Topology &T);
  bool take(unsigned Node);
  void giveBack(unsigned Node);
  void placeLight();
  void tryAll(size_t At, double Cost);
  void greedy();
  void exchange();
  /// Cost of a thread on a node for traffic with those before it in Order.
  double costOf(unsigned Thread, unsigned Node, size_t Placed) const;
  double costToAll(unsigned Thread, unsigned Node) const;
  double between(unsigned A, unsigned B) const { return Shared[A * Count + B]; }

  const unsigned Count;
  std::vector<unsigned> Usable; ///< Nodes with processors.
  std::vector<double> Distance;
  const unsigned NodeCount;
  std::vector<double> Shared;   ///< Bytes that two threads have in common.
  std::vector<uint64_t> Weight; ///< Bytes of each thread.
  /// Threads that do much, and those that do a little.
  std::vector<unsigned> Order, Light;
  /// By node: how many more threads; below 0: of those that are left over when
  /// each node has its share.
  std::vector<int> Room;
  unsigned Spare = 0;
  std::vector<unsigned> Now, Best;
  double BestCost = INFINITY;
};

} // namespace

Search::Search(const Topology &T, const Traffic &Observed)
    : Count(Observed.Threads), NodeCount(unsigned(T.Nodes.size())),
      Shared(size_t(Count) * Count), Weight(Count), Room(NodeCount), Now(Count),
      Best(Count) {
  for (unsigned N = 0; N < NodeCount; ++N) {
    if (!T.processorsOf(N).empty())
      Usable.push_back(N);
    for (unsigned M = 0; M < NodeCount; ++M)
      Distance.push_back(distanceOf(T, N, M));
  }
  if (Usable.empty())
    Usable.push_back(0);
  share(Observed);
  uint64_t Most = Count ? *std::max_element(Weight.begin(), Weight.end()) : 0;
  for (unsigned N = 0; N < Count; ++N)
    if (Weight[N] && Weight[N] >= Most / 4)
      Order.push_back(N);
    else
      Light.push_back(N);
  makeRoom(T);
}

/// Each node gets its processors' share of the threads, rounded down; what is
/// left over goes anywhere, one a node.
void Search::makeRoom(const Topology &T) {
  size_t All = 0, Given = 0;
  for (unsigned N : Usable)
    All += std::max<size_t>(T.processorsOf(N).size(), 1);
  for (unsigned N : Usable) {
    size_t Own = std::max<size_t>(T.processorsOf(N).size(), 1);
    Room[N] = int(Order.size() * Own / All);
    Given += size_t(Room[N]);
  }
  Spare = unsigned(Order.size() - Given);
}

bool Search::take(unsigned Node) {
  if (Room[Node] < 0 || (Room[Node] == 0 && !Spare))
    return false;
  Spare -= Room[Node]-- == 0;
  return true;
}

void Search::giveBack(unsigned Node) { Spare += ++Room[Node] == 0; }

/// Two threads have in common what the lesser of them refers to in a page.
void Search::share(const Traffic &Observed) {
  for (const DataTraffic &O : Observed.Objects)
    for (const PageUse &P : O.Pages)
      for (const Use &A : P.By) {
        if (A.Thread >= Count)
          continue;
        Weight[A.Thread] += A.all();
        for (const Use &B : P.By)
          if (B.Thread < Count && A.Thread != B.Thread)
            Shared[A.Thread * Count + B.Thread] +=
                double(std::min(A.all(), B.all()));
      }
}

double Search::costOf(unsigned Thread, unsigned Node, size_t Placed) const {
  double Cost = 0;
  for (size_t N = 0; N < Placed; ++N)
    Cost +=
        between(Thread, Order[N]) * Distance[Node * NodeCount + Now[Order[N]]];
  return Cost;
}

double Search::costToAll(unsigned Thread, unsigned Node) const {
  double Cost = 0;
  for (unsigned Other : Order)
    if (Other != Thread)
      Cost += between(Thread, Other) * Distance[Node * NodeCount + Now[Other]];
  return Cost;
}

/// All assignments, but those that cost more already.
void Search::tryAll(size_t At, double Cost) {
  // A little less does not make a plan better that reads worse.
  if (Cost >= BestCost * (1 - 1e-9))
    return;
  if (At == Order.size()) {
    BestCost = Cost;
    Best = Now;
    return;
  }
  for (unsigned Node : Usable) {
    if (!take(Node))
      continue;
    Now[Order[At]] = Node;
    tryAll(At + 1, Cost + costOf(Order[At], Node, At));
    giveBack(Node);
  }
}

void Search::greedy() {
  std::stable_sort(Order.begin(), Order.end(), [&](unsigned A, unsigned B) {
    return Weight[A] > Weight[B];
  });
  for (size_t At = 0; At < Order.size(); ++At) {
    unsigned To = Usable[0];
    double Least = INFINITY;
    for (unsigned Node : Usable) {
      double Cost = costOf(Order[At], Node, At);
      if (Cost < Least && take(Node)) {
        giveBack(Node);
        To = Node;
        Least = Cost;
      }
    }
    take(To);
    Now[Order[At]] = To;
  }
  exchange();
  Best = Now;
}

void Search::exchange() {
  for (unsigned Round = 0, Better = 1; Better && Round < 20; ++Round) {
    Better = 0;
    for (unsigned A : Order)
      for (unsigned B : Order) {
        if (A >= B || Now[A] == Now[B])
          continue;
        double Before = costToAll(A, Now[A]) + costToAll(B, Now[B]);
        std::swap(Now[A], Now[B]);
        double After = costToAll(A, Now[A]) + costToAll(B, Now[B]);
        if (After < Before * (1 - 1e-9))
          Better = 1;
        else
          std::swap(Now[A], Now[B]);
      }
  }
}

/// A thread that does little does not keep others from a node.
void Search::placeLight() {
  Now = Best;
  for (unsigned Thread : Light) {
    double Least = INFINITY;
    for (unsigned Node : Usable)
      if (double Cost = costToAll(Thread, Node); Cost < Least * (1 - 1e-9)) {
        Best[Thread] = Node;
        Least = Cost;
      }
  }
}

std::vector<unsigned> Search::run() {
  std::fill(Best.begin(), Best.end(), Usable[0]);
  Now = Best;
  constexpr double MostAssignments = 100000;
  if (std::pow(double(Usable.size()), double(Order.size())) <= MostAssignments)
    tryAll(0, 0);
  else
    greedy();
  placeLight();
  return Best;
}

std::vector<unsigned> graupel::numa::placeThreads(const Topology &T,
                                                  const Traffic &Observed) {
  return Search(T, Observed).run();
}
