//===- Numa/Plan/Follow.cpp - The current use of pages --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the users of pages while a program runs.
//
// 1. use collects samples. endSlice has takeSlice add them up by page, and find
//    the node that made most of a page's traffic.
// 2. compare looks whether a page has another owner than before, if that was
//    known well enough.
// 3. If others make a large part of the traffic, and more pages are others'
//    than chance explains, beginPhase remembers the phase that is over, and
//    forgets the uses of all pages. Then the observations that told so are
//    learnt.
// 4. learn lets earlier uses of a page lose worth, and adds those of the slice.
//    A run of uses by one node that is no chance replaces all that was known.
// 5. If the phase is known from before, recognize takes over its uses of pages
//    that were not used yet, if that is worth the moves. guessBetween
//    (FollowGuess.cpp) guesses pages between others.
// 6. takeNews tells which pages have changed. moved notes whether a page moved
//    in vain.
//
//===----------------------------------------------------------------------===//

#include "Follow.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

using namespace graupel::numa;

/// With each use of a page, what it was used for before is worth less.
static constexpr double Memory = 0.875;
/// A run of uses by one node that is less likely than this is no chance.
static constexpr double Unlikely = 0.002;
/// The weight of four slices: enough to know the owner of a page, and to see
/// that others own it now.
static constexpr double Owned = 3.3;
/// So many pages that can be compared tell whether a phase has begun.
static constexpr unsigned EnoughPages = 32;
/// As a fraction of the traffic, the least part that others make then; and the
/// least number of deviations above the part that they would make by chance.
static constexpr double MostStay = 0.3, Deviations = 4;
/// Cost of moving a page, in bytes that a program refers to: a page is
/// copied at a fraction of the speed at which caches serve most references.
static constexpr double MoveBytes = 65536;
/// A page that stays where it was put in vain is tried again when others have
/// used it that often.
static constexpr double Melts = 64;

size_t Follower::numberOf(uint64_t Address, uint32_t Object) {
  auto [It, New] = Numbers.try_emplace(Address, Pages.size());
  if (New) {
    Pages.emplace_back();
    Pages.back().Loads.resize(Nodes);
    Pages.back().Stores.resize(Nodes);
    Known.emplace_back();
    Known.back().Address = Address;
  }
  Known[It->second].Object = Object;
  return It->second;
}

void Follower::use(uint64_t Address, uint32_t Object, unsigned Node,
                   double Loads, double Stores) {
  if (Loads + Stores > 0)
    Now.push_back({numberOf(Address, Object), Node, Loads, Stores});
}

void Follower::note(size_t Page) {
  if (!Known[Page].IsNews)
    News.push_back(Page);
  Known[Page].IsNews = true;
}

std::vector<size_t> Follower::takeNews() {
  for (size_t Page : News)
    Known[Page].IsNews = false;
  return std::exchange(News, {});
}

/// A page that moves though its last home used it seldom has moved in vain.
void Follower::moved(size_t Page, unsigned To, bool Done) {
  RecentPage &P = Pages[Page];
  Evidence &E = Known[Page];
  if (!Done || (E.Away > 0 && E.AtHome <= 2 * E.Away))
    P.Moves += P.Moves < MostVainMoves;
  else
    P.Moves -= P.Moves > 0;
  E.AtHome = E.Away = 0;
  if (Done)
    P.Home = int(To);
}

//===--- A slice ----------------------------------------------------------===//

std::vector<Follower::Observation> Follower::takeSlice() {
  std::sort(Now.begin(), Now.end(),
            [](const Piece &A, const Piece &B) { return A.Page < B.Page; });
  std::vector<Observation> Slice;
  std::vector<double> ByNode(Nodes);
  for (size_t N = 0; N < Now.size();) {
    Observation O;
    O.Page = Now[N].Page;
    std::fill(ByNode.begin(), ByNode.end(), 0);
    for (; N < Now.size() && Now[N].Page == O.Page; ++N) {
      O.By.push_back(Now[N]);
      O.Bytes += Now[N].Loads + Now[N].Stores;
      ByNode[Now[N].Node] += Now[N].Loads + Now[N].Stores;
    }
    auto Most = std::max_element(ByNode.begin(), ByNode.end());
    if (*Most >= OwnersPart * O.Bytes)
      O.Owner = int(Most - ByNode.begin());
    Slice.push_back(std::move(O));
  }
  Now.clear();
  return Slice;
}

/// Whether the page has another owner than it had, if both are known.
void Follower::compare(Observation &O) {
  const Evidence &E = Known[O.Page];
  O.IsCompared = E.Seen >= Owned && !E.IsGuess;
  if (!O.IsCompared)
    return;
  const RecentPage &P = Pages[O.Page];
  const int Owner = P.owner();
  O.IsOther = Owner >= 0 && O.Owner >= 0 && Owner != O.Owner;
  ++Last.Compared;
  if (Owner >= 0)
    Last.Expected +=
        1 - (P.use(unsigned(Owner)) / P.bytes() * E.Seen + 0.5) / (E.Seen + 1);
  Last.Bytes += O.Bytes;
  if (O.IsOther) {
    ++Last.Others;
    Last.OtherBytes += O.Bytes;
  }
}

bool Follower::othersBegin() const {
  return Last.OtherBytes > MostStay * Last.Bytes &&
         Last.Others >
             Last.Expected + Deviations * std::sqrt(Last.Expected + 1);
}

void Follower::endSlice() {
  std::vector<Observation> Slice = takeSlice();
  if (Slice.empty())
    return;
  if (Last.Compared >= EnoughPages)
    Last = {};
  for (Observation &O : Slice)
    compare(O);
  if (othersBegin()) {
    beginPhase();
    // The observations that showed it are the first of this phase.
    for (const Observation &O : Last.All)
      if (O.IsOther)
        learn(O);
    for (const Observation &O : Slice)
      if (O.IsOther || !O.IsCompared)
        learn(O);
    Last = {};
  } else {
    for (Observation &O : Slice) {
      learn(O);
      Last.All.push_back(std::move(O));
    }
  }
  if (!IsKnown)
    recognize();
  guessBetween();
}

//===--- Pages ------------------------------------------------------------===//

void Follower::forget(size_t Page) {
  RecentPage &P = Pages[Page];
  Evidence &E = Known[Page];
  std::fill(P.Loads.begin(), P.Loads.end(), 0);
  std::fill(P.Stores.begin(), P.Stores.end(), 0);
  E.Seen = 0;
  E.RunOf = -1;
  E.IsGuess = false;
}

/// Likelihood of the owner's next use according to earlier ones; a node that
/// never used the page may do so once in a while.
double Follower::chanceOf(size_t Page, unsigned Node) const {
  const RecentPage &P = Pages[Page];
  const double All = P.bytes(), Seen = Known[Page].Seen;
  const double Part = All > 0 ? P.use(Node) / All : 0;
  return (Part * Seen + 1) / (Seen + Nodes);
}

void Follower::addToRun(const Observation &O) {
  Evidence &E = Known[O.Page];
  if (O.Owner < 0 || O.Owner != E.RunOf) {
    E.Run = 0;
    E.RunLoads = E.RunStores = 0;
    E.Chance = O.Owner < 0 ? 1 : chanceOf(O.Page, unsigned(O.Owner));
    E.RunOf = O.Owner;
  }
  ++E.Run;
  for (const Piece &U : O.By)
    if (int(U.Node) == E.RunOf) {
      E.RunLoads += U.Loads;
      E.RunStores += U.Stores;
    }
}

void Follower::learn(const Observation &O) {
  RecentPage &P = Pages[O.Page];
  Evidence &E = Known[O.Page];
  if (E.IsGuess)
    forget(O.Page);
  addToRun(O);
  if (E.Chance < 1 && std::pow(E.Chance, E.Run) <= Unlikely) {
    // Others used it before.
    std::fill(P.Loads.begin(), P.Loads.end(), 0);
    std::fill(P.Stores.begin(), P.Stores.end(), 0);
    P.Loads[unsigned(E.RunOf)] = E.RunLoads;
    P.Stores[unsigned(E.RunOf)] = E.RunStores;
    E.Seen = E.Run;
    E.Chance = 1;
  } else {
    for (unsigned Node = 0; Node < Nodes; ++Node) {
      P.Loads[Node] *= Memory;
      P.Stores[Node] *= Memory;
    }
    for (const Piece &U : O.By) {
      P.Loads[U.Node] += U.Loads;
      P.Stores[U.Node] += U.Stores;
    }
    E.Seen = E.Seen * Memory + 1;
  }
  if (P.Home >= 0 && O.Owner >= 0)
    ++(O.Owner == P.Home ? E.AtHome : E.Away);
  if (P.Moves >= MostVainMoves && E.Away > E.AtHome + Melts) {
    --P.Moves;
    E.AtHome = E.Away = 0;
  }
  if (O.Owner >= 0)
    Phases.see(O.Page, unsigned(O.Owner), O.Bytes);
  note(O.Page);
}

//===--- Phases -----------------------------------------------------------===//

void Follower::beginPhase() {
  std::vector<Recurrence::Uses> Uses(Pages.size());
  for (size_t Page = 0; Page < Pages.size(); ++Page) {
    const RecentPage &P = Pages[Page];
    Evidence &E = Known[Page];
    if (E.Seen > 0 && !E.IsGuess) {
      E.Before = P.owner();
      Recurrence::Uses &U = Uses[Page];
      U.Loads = float(std::accumulate(P.Loads.begin(), P.Loads.end(), 0.0));
      U.Stores = float(std::accumulate(P.Stores.begin(), P.Stores.end(), 0.0));
      U.Owner = E.Before;
    }
    forget(Page);
  }
  Phases.end(Uses);
  Phases.begin();
  IsKnown = false;
  ++Count.Phases;
}

/// Takes over the last uses by this phase, for pages that it has not used yet.
void Follower::recognize() {
  const Recurrence::Phase *P = Phases.recognized();
  if (!P)
    return;
  IsKnown = true;
  ++Count.Again;
  std::vector<size_t> Away;
  double Moves = 0;
  for (size_t Page = 0; Page < P->Pages.size(); ++Page) {
    const Recurrence::Uses &U = P->Pages[Page];
    if (U.Loads + U.Stores <= 0 ||
        (Known[Page].Seen > 0 && !Known[Page].IsGuess))
      continue;
    Away.push_back(Page);
    Moves +=
        U.Owner >= 0 && Pages[Page].Home >= 0 && U.Owner != Pages[Page].Home;
  }
  // A phase that is over before its pages have come is better left alone.
  if (P->Bytes < MoveBytes * Moves)
    return;
  for (size_t Page : Away) {
    const Recurrence::Uses &U = P->Pages[Page];
    forget(Page);
    for (unsigned Node = 0; Node < Nodes; ++Node)
      if (U.Owner < 0 || U.Owner == int(Node)) {
        const double Part = U.Owner < 0 ? 1.0 / Nodes : 1;
        Pages[Page].Loads[Node] = U.Loads * Part;
        Pages[Page].Stores[Node] = U.Stores * Part;
      }
    Known[Page].Seen = Owned;
    note(Page);
  }
}
