//===- Dsm/Analysis/Replay.cpp - Misses with other blocks and homes -------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replay::predict runs an object's recorded accesses through Stache's directory
// with another placement (docs/design/dsm-advice.md):
//
// 1. A Run prepares what its placement needs: the node that uses each page most
//    (findMostUsers), or the granules of 32 bytes that each node ever touches
//    in a recorded block (findTouched).
// 2. step() takes the accesses in order and visits each block that one covers.
//    visit() asks homeOf() for the home, and starts the block's directory anew
//    if that has changed.
// 3. access() counts a miss where the directory refuses the access, or where a
//    home first maps the page. grant() counts the messages and changes the
//    owner and the sharers.
// 4. In the run for the most with smaller blocks, step() also visits the rest
//    of the recorded block, as far as the node ever touches it.
// 5. In the run for the most with larger blocks, step() keeps a second
//    directory, of recorded blocks. remember() notes nodes that lose the block
//    but still hold another recorded block in it that they have used. settle()
//    lets them access it again at the first visit of a later epoch.
// 6. The most is at least the least; the two are equal if the block is the
//    recorded one. misses() returns the accesses that miss in the run for the
//    least.
//
//===----------------------------------------------------------------------===//

#include "Replay.h"
#include <algorithm>
#include <bit>
#include <bitset>
#include <unordered_map>

using namespace graupel::dsm;

namespace {

constexpr uint64_t PageBytes = 4096, GranuleBytes = 32;
constexpr int RoundRobin = -1, FirstTouch = -2;
using NodeSet = uint64_t; // 64 nodes at most.
using Granules = std::bitset<PageBytes / GranuleBytes>;

NodeSet only(int Node) { return NodeSet(1) << Node; }

/// A part of an allocation: its number and the part's.
struct Unit {
  uint64_t Allocation, Number;
  bool operator==(const Unit &) const = default;
};
struct UnitHash {
  size_t operator()(const Unit &U) const {
    uint64_t H =
        (U.Allocation * 0x2545f4914f6cdd1d + U.Number) * 0x9e3779b97f4a7c15;
    return H ^ H >> 29;
  }
};
template <class T> using ByUnit = std::unordered_map<Unit, T, UnitHash>;

/// A block as Stache's directory knows it.
struct Directory {
  int Home = -1;
  int Owner = -1;      ///< Remote, if there is one.
  NodeSet Sharers = 0; ///< Shared, if there are any.
  bool has(int Node) const {
    return Node == Owner || (Sharers & only(Node)) ||
           (Node == Home && Owner < 0);
  }
  bool mayStore(int Node) const {
    return Node == Owner || (Node == Home && Owner < 0 && !Sharers);
  }
};

/// Changes the directory for a refused access. Returns the number of messages.
uint64_t grant(Directory &D, int Node, bool Store) {
  const bool AtHome = Node == D.Home;
  uint64_t Messages = AtHome ? 0 : 2; // Request and answer.
  if (D.Owner >= 0) {
    Messages += 2; // Recall and contents.
    // The owner keeps a copy if home reads.
    D.Sharers = AtHome && !Store ? only(D.Owner) : 0;
    D.Owner = -1;
  } else if (Store) {
    // Invalidation and acknowledgement.
    Messages += 2 * std::popcount(D.Sharers & ~only(Node));
    D.Sharers = 0;
  }
  if (AtHome)
    return Messages;
  if (Store) {
    D.Owner = Node;
    D.Sharers = 0;
  } else {
    D.Sharers |= only(Node);
  }
  return Messages;
}

} // namespace

/// One run of all accesses with one placement.
class Replay::Run {
public:
  Run(const Replay &R, const Placement &P, bool Most)
      : R(R), P(P), Most(Most),
        PerBlock(std::max<uint64_t>(P.Block / R.Recorded, 1)) {
    if (P.Home == Placement::MostUser)
      findMostUsers();
    if (Most && P.Block < R.Recorded)
      findTouched();
  }

  Cost run(std::vector<Missed> *To);

private:
  struct Page {
    int Home = -1;
    bool Elected = false;
    NodeSet Touched = 0;
  };
  struct Block {
    Directory D;
    int LastToLoad = -1; ///< The node of the last miss, if it was to load.
    /// Those that want it back, to load or to store, from an epoch on.
    NodeSet LostToLoad = 0, LostToStore = 0;
    uint32_t LostIn = 0;
  };
  struct Recorded {
    Directory D;
    NodeSet Stored = 0, Used = 0;
  };
  struct Touched {
    Granules Loaded, Stored;
  };

  void findMostUsers();
  void findTouched();
  int homeOf(const Access &, uint64_t Offset, Page &) const;
  void step(const Access &);
  void visit(const Access &, uint64_t Number, bool Store);
  void settle(const Access &, const Unit &, Block &);
  void remember(const Access &, uint64_t Number, Block &, NodeSet Before);
  bool access(Block &, Page &, int Node, bool Store);
  NodeSet holders(const Directory &D) const;

  const Replay &R;
  const Placement P;
  const bool Most;
  const uint64_t PerBlock; ///< Recorded blocks in one.
  Cost Sum;
  ByUnit<Page> Pages;
  ByUnit<Block> Blocks;
  ByUnit<Recorded> AsRecorded;
  ByUnit<int> MostUsers;
  ByUnit<std::vector<Touched>> TouchedBy;
};

void Replay::Run::findMostUsers() {
  ByUnit<std::vector<uint64_t>> Counts;
  for (const Access &A : R.All) {
    auto &C = Counts[{A.Allocation, A.First / PageBytes}];
    C.resize(R.Nodes);
    // A node that stores sends and gets messages for those that load, too.
    C[A.Node] += A.Store ? 2 : 1;
  }
  for (const auto &[U, C] : Counts)
    MostUsers[U] = int(std::max_element(C.begin(), C.end()) - C.begin());
}

void Replay::Run::findTouched() {
  for (const Access &A : R.All) {
    auto &T = TouchedBy[{A.Allocation, A.First / R.Recorded}];
    T.resize(R.Nodes);
    for (uint64_t G = A.First / GranuleBytes; G <= A.Last / GranuleBytes; ++G)
      (A.Store ? T[A.Node].Stored : T[A.Node].Loaded)
          .set(G % (PageBytes / GranuleBytes));
  }
}

int Replay::Run::homeOf(const Access &A, uint64_t Offset,
                        Page &BlockPage) const {
  switch (P.Home) {
  case Placement::AsRecorded:
    // A block of another size may lie across pages as they were: it stays where
    // it was first, once homes are there to stay.
    if (A.Home < 0 || (BlockPage.Elected && P.Block != R.Recorded))
      return std::max(BlockPage.Home, 0);
    BlockPage.Elected = A.Epoch >= R.FirstParallel;
    return A.Home;
  case Placement::MostUser:
    return MostUsers.at({A.Allocation, A.First / PageBytes});
  case RoundRobin:
    return int(Offset / PageBytes % unsigned(R.Nodes));
  case FirstTouch:
    if (BlockPage.Elected)
      return BlockPage.Home;
    if (A.Epoch < R.FirstParallel || !R.FirstParallel)
      return 0;
    BlockPage.Elected = true;
    return A.Node;
  default:
    return P.Home;
  }
}

NodeSet Replay::Run::holders(const Directory &D) const {
  NodeSet S = D.Sharers;
  if (D.Owner >= 0)
    S |= only(D.Owner);
  else if (D.Home >= 0)
    S |= only(D.Home);
  return S;
}

/// Returns whether it missed.
bool Replay::Run::access(Block &B, Page &BlockPage, int Node, bool Store) {
  Directory &D = B.D;
  bool NewPage = Node == D.Home && !(BlockPage.Touched & only(Node));
  if (Node == D.Home)
    BlockPage.Touched |= only(Node);
  if (Store ? D.mayStore(Node) : D.has(Node)) {
    Sum.Misses += NewPage; // Its mapping.
    return NewPage;
  }
  ++Sum.Misses;
  if (Store && B.LastToLoad == Node)
    ++Sum.LoadedBefore;
  B.LastToLoad = Store ? -1 : Node;
  Sum.Messages += grant(D, Node, Store);
  return true;
}

/// Nodes that have lost the block in an epoch before want it back.
void Replay::Run::settle(const Access &A, const Unit &U, Block &B) {
  if (!(B.LostToLoad | B.LostToStore) || B.LostIn >= A.Epoch)
    return;
  NodeSet Load = B.LostToLoad, Store = B.LostToStore;
  B.LostToLoad = B.LostToStore = 0;
  Page &BlockPage = Pages[{A.Allocation, U.Number * P.Block / PageBytes}];
  for (NodeSet Left = Load | Store; Left; Left &= Left - 1) {
    int Node = std::countr_zero(Left);
    NodeSet Before = holders(B.D);
    access(B, BlockPage, Node, Store & only(Node));
    Access Again = A;
    Again.Node = Node;
    remember(Again, ~uint64_t(0), B, Before);
  }
}

/// Nodes that had the block before and have not now, but have another recorded
/// block of it and have used that, will want it back.
void Replay::Run::remember(const Access &A, uint64_t Number, Block &B,
                           NodeSet Before) {
  NodeSet Lost = Before & ~holders(B.D) & ~only(A.Node);
  // A node that may only load has lost something, too, if it stores.
  NodeSet Demoted = Before & ~Lost & ~only(A.Node);
  if (!(Lost | Demoted))
    return;
  uint64_t First = A.First / P.Block * PerBlock;
  for (uint64_t I = First; I != First + PerBlock; ++I) {
    auto Found = AsRecorded.find({A.Allocation, I});
    if (I == Number || Found == AsRecorded.end())
      continue;
    const Recorded &Old = Found->second;
    NodeSet Had = holders(Old.D) & Old.Used;
    NodeSet Owned = Old.D.Owner >= 0                  ? only(Old.D.Owner)
                    : Old.D.Sharers || Old.D.Home < 0 ? 0
                                                      : only(Old.D.Home);
    B.LostToStore |= (Lost | Demoted) & Had & Owned & Old.Stored;
    B.LostToLoad |= Lost & Had;
  }
  B.LostIn = A.Epoch;
}

void Replay::Run::visit(const Access &A, uint64_t Number, bool Store) {
  Unit U = {A.Allocation, Number};
  Page &BlockPage = Pages[{A.Allocation, Number * P.Block / PageBytes}];
  Block &B = Blocks[U];
  int Home = homeOf(A, Number * P.Block, BlockPage);
  if (Home != B.D.Home) {
    B.D = {Home, -1, 0};
    if (BlockPage.Home != Home)
      BlockPage.Touched = 0;
    BlockPage.Home = Home;
  }
  if (Most && PerBlock > 1)
    settle(A, U, B);
  NodeSet Before = holders(B.D);
  access(B, BlockPage, A.Node, Store);
  if (Most && PerBlock > 1)
    remember(A, A.First / R.Recorded, B, Before);
}

void Replay::Run::step(const Access &A) {
  for (uint64_t I = A.First / P.Block; I <= A.Last / P.Block; ++I)
    visit(A, I, A.Store);
  if (!Most)
    return;
  if (P.Block < R.Recorded) {
    // The rest of what it touched there at any time.
    const Touched &T =
        TouchedBy.at({A.Allocation, A.First / R.Recorded})[A.Node];
    uint64_t Start = A.First / R.Recorded * R.Recorded;
    for (uint64_t At = Start; At < Start + R.Recorded; At += P.Block) {
      if (At / P.Block >= A.First / P.Block && At / P.Block <= A.Last / P.Block)
        continue;
      bool Loaded = false, Stored = false;
      for (uint64_t G = At; G < At + P.Block; G += GranuleBytes) {
        Loaded |= T.Loaded[G / GranuleBytes % T.Loaded.size()];
        Stored |= T.Stored[G / GranuleBytes % T.Stored.size()];
      }
      if (Loaded || (Stored && A.Store))
        visit(A, At / P.Block, Stored && A.Store);
    }
  }
  if (PerBlock > 1) {
    Recorded &Old = AsRecorded[{A.Allocation, A.First / R.Recorded}];
    if (A.Home >= 0 && A.Home != Old.D.Home)
      Old.D = {A.Home, -1, 0};
    if (A.Store ? !Old.D.mayStore(A.Node) : !Old.D.has(A.Node))
      grant(Old.D, A.Node, A.Store);
    Old.Used |= only(A.Node);
    if (A.Store)
      Old.Stored |= only(A.Node);
  }
}

Cost Replay::Run::run(std::vector<Missed> *To) {
  for (size_t I = 0; I < R.All.size(); ++I) {
    const Access &A = R.All[I];
    uint64_t Before = Sum.Misses;
    step(A);
    if (To && Sum.Misses != Before)
      To->push_back({I, A.First / P.Block});
  }
  return Sum;
}

Replay::Replay(std::vector<Access> Accesses, uint64_t Block, int Nodes,
               uint32_t FirstParallel)
    : All(std::move(Accesses)), Recorded(Block), Largest(Block), Nodes(Nodes),
      FirstParallel(FirstParallel) {
  uint64_t End = 0;
  for (const Access &A : All)
    End = std::max(End, A.Last + 1);
  Largest = std::max(Block, std::min(PageBytes, std::bit_ceil(End)));
}

Prediction Replay::predict(const Placement &P) const {
  Prediction Result;
  Result.Least = Run(*this, P, false).run(nullptr);
  // The recorded blocks hide nothing.
  Result.Most =
      P.Block == Recorded ? Result.Least : Run(*this, P, true).run(nullptr);
  // A wish to have a block back may come in handy.
  Result.Most.Misses = std::max(Result.Most.Misses, Result.Least.Misses);
  Result.Most.Messages = std::max(Result.Most.Messages, Result.Least.Messages);
  return Result;
}

std::vector<Missed> Replay::misses(const Placement &P) const {
  std::vector<Missed> Result;
  Run(*this, P, false).run(&Result);
  return Result;
}
