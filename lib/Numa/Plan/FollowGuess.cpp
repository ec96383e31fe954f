//===- Numa/Plan/FollowGuess.cpp - Pages between others -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sample takes long to see every page. Where neighbors mostly have the same
// owner, pages between two of the same have it, too.
//
//===----------------------------------------------------------------------===//

#include "Follow.h"
#include <algorithm>

using namespace graupel::numa;

/// The least part of the pairs of used neighbors that have the same owner, so
/// that others may be guessed; and the least number of such pairs.
static constexpr double MostlySame = 2.0 / 3;
static constexpr unsigned EnoughPairs = 4;
/// Unused pages between two pages of an object may have another owner if there
/// are more of them.
static constexpr uint64_t FarthestPages = 512;
static constexpr uint64_t PageBytes = 4096;

bool Follower::isUsed(size_t Page) const {
  return Known[Page].Seen > 0 && !Known[Page].IsGuess;
}

/// Pages that nobody has used before go as their neighbors.
bool Follower::goTogether(size_t A, size_t B) const {
  return Known[A].Object == Known[B].Object &&
         (Known[A].Before == Known[B].Before || Known[A].Before < 0 ||
          Known[B].Before < 0);
}

void Follower::guess(size_t Page, size_t Like) {
  if (isUsed(Page) ||
      (Known[Page].IsGuess && Pages[Page].owner() == Pages[Like].owner()))
    return;
  forget(Page);
  Pages[Page].Loads = Pages[Like].Loads;
  Pages[Page].Stores = Pages[Like].Stores;
  Known[Page].Seen = 1;
  Known[Page].IsGuess = true;
  note(Page);
  ++Count.Guessed;
}

/// In order. `From` and `To`: places in InOrder of two with the same owner.
void Follower::guessGap(size_t From, size_t To) {
  const size_t First = InOrder[From], Last = InOrder[To];
  for (size_t N = From + 1; N < To; ++N)
    guess(InOrder[N], First);
  const uint64_t Begin = Known[First].Address, End = Known[Last].Address;
  if ((End - Begin) / PageBytes > FarthestPages)
    return;
  for (uint64_t At = Begin + PageBytes; At < End; At += PageBytes)
    if (!Numbers.contains(At))
      guess(numberOf(At, Known[First].Object), First);
}

/// The same of two that go different ways: what had one's owner before goes
/// with it.
void Follower::guessEdge(size_t From, size_t To) {
  const size_t First = InOrder[From], Last = InOrder[To];
  const int OldOwners[] = {Known[First].Before, Known[Last].Before};
  if (Known[First].Object != Known[Last].Object || OldOwners[0] == OldOwners[1])
    return;
  for (size_t N = From + 1; N < To; ++N)
    for (size_t Like : {First, Last})
      if (Known[Like].Before >= 0 &&
          Known[InOrder[N]].Before == Known[Like].Before)
        guess(InOrder[N], Like);
}

void Follower::sortPages() {
  if (InOrder.size() == Pages.size())
    return;
  const size_t Old = InOrder.size();
  auto Before = [&](size_t A, size_t B) {
    return std::pair(Known[A].Object, Known[A].Address) <
           std::pair(Known[B].Object, Known[B].Address);
  };
  for (size_t N = Old; N < Pages.size(); ++N)
    InOrder.push_back(N);
  std::sort(InOrder.begin(), InOrder.end(), Before);
}

void Follower::guessBetween() {
  sortPages();
  /// Places of pages that were used and have an owner, and who.
  std::vector<std::pair<size_t, int>> Used;
  for (size_t N = 0; N < InOrder.size(); ++N)
    if (isUsed(InOrder[N]))
      Used.emplace_back(N, Pages[InOrder[N]].owner());
  unsigned Pairs = 0, Same = 0;
  auto Agree = [&](size_t N) {
    return Used[N].second >= 0 && Used[N].second == Used[N - 1].second;
  };
  auto AreNear = [&](size_t N) {
    return goTogether(InOrder[Used[N - 1].first], InOrder[Used[N].first]);
  };
  for (size_t N = 1; N < Used.size(); ++N)
    if (AreNear(N)) {
      ++Pairs;
      Same += Agree(N);
    }
  if (Pairs < EnoughPairs || Same < MostlySame * Pairs)
    return;
  for (size_t N = 1; N < Used.size(); ++N)
    if (Agree(N) && AreNear(N))
      guessGap(Used[N - 1].first, Used[N].first);
    else if (Used[N - 1].second >= 0 && Used[N].second >= 0)
      guessEdge(Used[N - 1].first, Used[N].first);
}
