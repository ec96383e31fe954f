//===- Numa/Plan/Plan.cpp - Places threads and data on nodes --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses where threads and data go, in the order of costs that Plan.h names.
//
// 1. The Planner places the threads, unless they are given. makeItem lists each
//    object's choices with their outcomes, and adds copies if several nodes use
//    it and hardly any of its bytes are stores. Objects are sorted by traffic.
// 2. setLimits computes how much each node can serve before it is congested.
// 3. run begins with the first touch for an object and chooses for it, one
//    object after the other. chooseFor takes the best choice while all others
//    stay. Up to eight more rounds follow, until nothing changes.
// 4. explain says in words why the choice is best, and why the best of each
//    other kind is not.
// 5. changeInPhases chooses anew for each phase if much is remote. It uses that
//    if the gain is worth the moves and a function tells when the phase begins.
// 6. run notes what limits the plan, such as one node or too little memory.
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include "Reasons.h"
#include "Threads.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace graupel::numa;

namespace {

/// A node serves its fair share and so much more before it is congested.
constexpr double FairAndMore = 1.25;
/// Copies are for data of which so few bytes are stores.
constexpr double MostStores = 0.05;
/// Data with less of the traffic stay where they are.
constexpr double Noticeable = 0.001;
/// Pages move for a phase if less would stay remote than that part.
constexpr double WorthMoving = 0.5, FineAsItIs = 0.1;

void add(Outcome &To, const Outcome &O, double Sign = 1) {
  To.Served.resize(O.Served.size());
  To.Held.resize(O.Held.size());
  for (size_t N = 0; N < O.Served.size(); ++N) {
    To.Served[N] += Sign * O.Served[N];
    To.Held[N] += Sign * O.Held[N];
  }
  To.Remote += Sign * O.Remote;
  To.Far += Sign * O.Far;
}

class Planner {
public:
  Planner(const Topology &T, const Traffic &Observed,
          const std::vector<double> &Room,
          const std::vector<unsigned> &KeepThreads);
  Plan run();

private:
  struct Candidate {
    Choice Placement;
    Outcome O;
  };
  struct Item {
    unsigned Object;
    Demand D;
    std::vector<Candidate> Candidates;
    size_t Chosen = 0;
    bool WantsCopies = false; ///< But the program cannot read them.
  };
  Item makeItem(unsigned Object) const;
  void setLimits();
  Weight weigh(const Outcome &All) const;
  bool chooseFor(Item &I);
  void changeInPhases(const Item &I, PlannedData &To);
  PlannedData explain(const Item &I) const;

  const Topology &T;
  const Traffic &Observed;
  const std::vector<double> &Room;
  Plan P;
  std::vector<Item> Items;
};

} // namespace

std::vector<double> graupel::numa::capacitiesOf(const Topology &T) {
  std::vector<double> Room;
  bool Known = false;
  for (const Node &N : T.Nodes) {
    Room.push_back(double(N.FreeBytes.value_or(N.Bytes)));
    Known |= N.Bytes > 0;
  }
  if (!Known)
    Room.assign(T.Nodes.size(), INFINITY);
  return Room;
}

Planner::Planner(const Topology &T, const Traffic &Observed,
                 const std::vector<double> &Room,
                 const std::vector<unsigned> &KeepThreads)
    : T(T), Observed(Observed), Room(Room) {
  P.ThreadNodes = KeepThreads.empty() ? placeThreads(T, Observed) : KeepThreads;
  for (unsigned N = 0; N < Observed.Objects.size(); ++N)
    Items.push_back(makeItem(N));
  std::sort(Items.begin(), Items.end(), [](const Item &A, const Item &B) {
    return std::pair(-A.D.bytes(), A.Object) <
           std::pair(-B.D.bytes(), B.Object);
  });
  for (const Item &I : Items) {
    P.Bytes += I.D.bytes();
    add(P.Before, I.Candidates[0].O);
  }
  P.Before.Served.resize(T.Nodes.size());
  P.Before.Held.resize(T.Nodes.size());
  setLimits();
}

Planner::Item Planner::makeItem(unsigned Object) const {
  const DataTraffic &O = Observed.Objects[Object];
  Item I{Object, Demand(T, P.ThreadNodes, O, O.Pages), {}, 0, false};
  for (Choice &C : I.D.candidates()) {
    // Data without a name in placement files keep their placement.
    if (C.Policy != Choice::FirstTouch && O.Place.empty())
      break;
    Outcome Would = I.D.outcomeOf(C);
    I.Candidates.push_back({std::move(C), std::move(Would)});
  }
  bool ReadMostly = I.D.users() > 1 && I.D.loads() > 0 && T.Nodes.size() > 1 &&
                    I.D.stores() <= MostStores * I.D.bytes();
  if (!ReadMostly || O.Place.empty() ||
      (O.Storage != DataTraffic::Heap && O.Storage != DataTraffic::Global))
    return I;
  I.WantsCopies = !Observed.ReadsCopies;
  if (!Observed.ReadsCopies)
    return I;
  Choice C{Choice::Replicate, T.nodesWithMemory(), {}, 1};
  Outcome Would = I.D.outcomeOf(C);
  I.Candidates.push_back({std::move(C), std::move(Would)});
  return I;
}

/// Uses measured bandwidth if that is known. A node can always serve its own
/// threads: they would not be served better elsewhere.
void Planner::setLimits() {
  std::vector<double> Share(T.Nodes.size());
  for (unsigned N : T.nodesWithMemory())
    Share[N] = T.Bandwidth ? T.Bandwidth->at(N, N) : 1;
  double All = std::accumulate(Share.begin(), Share.end(), 0.0);
  std::vector<double> Own(T.Nodes.size());
  for (const DataTraffic &O : Observed.Objects)
    for (const PageUse &Page : O.Pages)
      for (const Use &U : Page.By)
        if (U.Thread < P.ThreadNodes.size())
          Own[P.ThreadNodes[U.Thread]] += double(U.all());
  for (size_t N = 0; N < T.Nodes.size(); ++N)
    P.Limits.push_back(Share[N] == 0
                           ? 0
                           : FairAndMore *
                                 std::max(P.Bytes * Share[N] / All, Own[N]));
}

Weight Planner::weigh(const Outcome &All) const {
  Weight W;
  for (size_t N = 0; N < All.Served.size(); ++N) {
    W.Missing += std::max(0.0, All.Held[N] - Room[N]);
    W.Congested += std::max(0.0, All.Served[N] - P.Limits[N]);
  }
  W.Far = All.Far;
  return W;
}

/// Chooses anew while all others stay. Whether that changes anything.
bool Planner::chooseFor(Item &I) {
  // A placement file of many lines that change nothing is hard to read.
  if (I.D.bytes() < Noticeable * P.Bytes)
    return false;
  add(P.After, I.Candidates[I.Chosen].O, -1);
  auto With = [&](size_t N) {
    Outcome All = P.After;
    add(All, I.Candidates[N].O);
    return weigh(All);
  };
  size_t Best = 0;
  Weight Least = With(0);
  for (size_t N = 1; N < I.Candidates.size(); ++N)
    if (Weight W = With(N); W.isBetterThan(
            Least, P.Bytes, I.D.bytes(), I.Candidates[N].Placement.margin())) {
      Best = N;
      Least = W;
    }
  bool Changes = Best != I.Chosen;
  I.Chosen = Best;
  add(P.After, I.Candidates[Best].O);
  return Changes;
}

/// If owners change, and a function tells when, pages move then.
void Planner::changeInPhases(const Item &I, PlannedData &To) {
  if (Observed.Phases.empty() || Observed.Objects[I.Object].Place.empty() ||
      To.RemoteAfter <= FineAsItIs * To.Bytes ||
      To.Placement.Policy == Choice::Replicate)
    return;
  double Remote = 0, Moved = 0;
  Choice First;
  std::vector<PlannedChange> Changes;
  for (unsigned N = 0; N < Observed.Phases.size(); ++N) {
    Demand D(T, P.ThreadNodes, Observed.Objects[I.Object],
             Observed.Phases[N].Pages[I.Object]);
    if (D.bytes() == 0)
      continue;
    std::vector<Choice> All = D.candidates();
    // First touch says nothing of a page that is there already.
    size_t Best = 1;
    Outcome Least = D.outcomeOf(All[1]);
    for (size_t C = 2; C < All.size(); ++C)
      if (Outcome O = D.outcomeOf(All[C]);
          O.Far < Least.Far - All[C].margin() * D.bytes()) {
        Least = std::move(O);
        Best = C;
      }
    const Choice &Before = Changes.empty() ? First : Changes.back().Placement;
    bool Same = N && All[Best].text(T) == Before.text(T);
    if (!Same)
      Changes.push_back({N, All[Best]});
    if (!Same && Changes.size() > 1)
      Moved +=
          2 * double(Observed.Objects[I.Object].Pages.size() * PlanPageBytes);
    Remote += Least.Remote;
  }
  if (Changes.size() < 2 || Remote + Moved > WorthMoving * To.RemoteAfter)
    return;
  // A phase starts with the placement that the one before has left.
  for (size_t N = 1; N < Changes.size(); ++N)
    if (Observed.Phases[Changes[N].Phase].Function.empty()) {
      To.WhyNot.push_back(
          sayNoFunction(Observed.Phases[Changes[N].Phase].Begin));
      return;
    }
  To.Placement = Changes[0].Placement;
  To.Changes.assign(Changes.begin() + 1, Changes.end());
  To.Why = sayChanges(To.RemoteAfter, Remote, To.Bytes);
  P.After.Remote += Remote - To.RemoteAfter;
  To.RemoteAfter = Remote;
}

PlannedData Planner::explain(const Item &I) const {
  const Candidate &Chosen = I.Candidates[I.Chosen];
  PlannedData D;
  D.Object = I.Object;
  D.Placement = Chosen.Placement;
  D.Bytes = I.D.bytes();
  D.RemoteBefore = I.Candidates[0].O.Remote;
  D.RemoteAfter = Chosen.O.Remote;
  Outcome Others = P.After;
  add(Others, Chosen.O, -1);
  Reasons R(T, P, weigh(P.After), D.Bytes);
  D.Why = R.why(Chosen.Placement, Chosen.O, I.D,
                Observed.Objects[I.Object].Place.empty());
  // The best of each other kind.
  std::vector<std::pair<Weight, size_t>> Rest;
  for (size_t N = 0; N < I.Candidates.size(); ++N) {
    if (N == I.Chosen)
      continue;
    Outcome All = Others;
    add(All, I.Candidates[N].O);
    Weight W = weigh(All);
    auto Same = std::find_if(Rest.begin(), Rest.end(), [&](const auto &Other) {
      return I.Candidates[Other.second].Placement.Policy ==
             I.Candidates[N].Placement.Policy;
    });
    if (Same == Rest.end())
      Rest.emplace_back(W, N);
    else if (W.isBetterThan(Same->first, P.Bytes, D.Bytes))
      *Same = {W, N};
  }
  for (auto &[W, N] : Rest)
    D.WhyNot.push_back(R.whyNot(I.Candidates[N].Placement, I.Candidates[N].O, W,
                                N > I.Chosen));
  if (I.WantsCopies)
    D.WhyNot.push_back(sayNoCopies(I.D));
  return D;
}

Plan Planner::run() {
  P.After.Served.resize(T.Nodes.size());
  P.After.Held.resize(T.Nodes.size());
  for (Item &I : Items) {
    add(P.After, I.Candidates[0].O);
    chooseFor(I);
  }
  bool Changes = true;
  for (unsigned Round = 0; Changes && Round < 8; ++Round) {
    Changes = false;
    for (Item &I : Items)
      Changes |= chooseFor(I);
  }
  for (const Item &I : Items)
    P.Data.push_back(explain(I));
  for (size_t N = 0; N < Items.size(); ++N)
    changeInPhases(Items[N], P.Data[N]);
  if (T.Nodes.size() == 1)
    P.Notes.push_back("The machine has one node: nothing can be remote, and "
                      "there is nothing to choose; --topology plans for "
                      "another machine.");
  if (Observed.First == FirstTouch::Guessed && T.Nodes.size() > 1)
    P.Notes.push_back("Who touches pages first is a guess: what is remote as "
                      "it is may be more or less.");
  if (weigh(P.After).Missing > 0)
    P.Notes.push_back("There is not enough memory on any choice of nodes; the "
                      "kernel will put what is left elsewhere.");
  return std::move(P);
}

Plan graupel::numa::makePlan(const Topology &T, const Traffic &Observed,
                             const std::vector<double> &Capacities,
                             const std::vector<unsigned> &KeepThreads) {
  return Planner(T, Observed, Capacities, KeepThreads).run();
}
