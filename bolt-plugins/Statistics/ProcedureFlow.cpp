//===- Statistics/ProcedureFlow.cpp - Counted flow of a procedure ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the natural loops of a procedure by its dominators.
//
// 1. DominatorTree computes dominators over a virtual root that all entries and
//    landing pads follow (Cooper, Harvey, Kennedy 2001). It numbers the tree so
//    that dominates() is a comparison.
// 2. weight() and entryIsHottest() look at the counts of blocks only.
// 3. hottestLoopTripCount(): an edge to a block that dominates its source makes
//    that block a header. The executions of the most executed header are
//    divided by those that come from outside of the loop.
// 4. innermostLoops() collects for each header the blocks from which control
//    goes back to it (loopBody). Loops that run again less than half of the
//    time count for none, and a loop with another one in it that is not rare is
//    left out.
//
//===----------------------------------------------------------------------===//

#include "ProcedureFlow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace graupel;

namespace {

constexpr uint32_t Unreached = ~0u;

/// Lists of numbers by number, in one piece of memory.
class Adjacency {
public:
  template <typename RangeT, typename KeyT, typename ValueT>
  Adjacency(size_t Size, const RangeT &Items, KeyT Key, ValueT Value)
      : Start(Size + 1) {
    for (const auto &Item : Items)
      ++Start[Key(Item) + 1];
    for (size_t I = 0; I < Size; ++I)
      Start[I + 1] += Start[I];
    Values.resize(Start.back());
    std::vector<uint32_t> Next(Start.begin(), Start.end() - 1);
    for (const auto &Item : Items)
      Values[Next[Key(Item)]++] = Value(Item);
  }
  size_t size(uint32_t List) const { return Start[List + 1] - Start[List]; }
  uint32_t at(uint32_t List, size_t I) const { return Values[Start[List] + I]; }

private:
  std::vector<uint32_t> Start, Values;
};

/// Visits what can be reached from \p Root depth first, without recursion:
/// some procedures have ten thousands of blocks in a row.
template <typename EnterT, typename LeaveT>
void depthFirst(const Adjacency &Next, uint32_t Root, size_t Size, EnterT Enter,
                LeaveT Leave) {
  std::vector<bool> Seen(Size);
  std::vector<std::pair<uint32_t, size_t>> Path = {{Root, 0}};
  Seen[Root] = true;
  Enter(Root);
  while (!Path.empty()) {
    auto &[Node, I] = Path.back();
    if (I == Next.size(Node)) {
      Leave(Node);
      Path.pop_back();
      continue;
    }
    const uint32_t To = Next.at(Node, I++);
    if (Seen[To])
      continue;
    Seen[To] = true;
    Enter(To);
    Path.push_back({To, 0});
  }
}

/// The blocks that lie on every path to a block. All roots follow a virtual
/// one, the last node (Cooper, Harvey, Kennedy 2001).
class DominatorTree {
public:
  explicit DominatorTree(const ProcedureFlow &Flow)
      : Size(Flow.Blocks.size() + 1), Root(Size - 1),
        Dominator(Size, Unreached), Enter(Size), Leave(Size) {
    std::vector<ProcedureFlow::Edge> Edges = Flow.Edges;
    Edges.push_back({Root, 0, 0});
    for (uint32_t Other : Flow.OtherRoots)
      Edges.push_back({Root, Other, 0});
    solve(Edges);
    number();
  }

  bool reached(uint32_t Block) const { return Dominator[Block] != Unreached; }
  bool dominates(uint32_t A, uint32_t B) const {
    return Enter[A] <= Enter[B] && Leave[B] <= Leave[A];
  }

private:
  size_t Size;
  uint32_t Root;
  std::vector<uint32_t> Dominator, Enter, Leave;

  void solve(const std::vector<ProcedureFlow::Edge> &Edges) {
    auto source = [](auto &E) { return E.Source; };
    auto target = [](auto &E) { return E.Target; };
    const Adjacency Next(Size, Edges, source, target);
    const Adjacency Previous(Size, Edges, target, source);
    std::vector<uint32_t> Order, Finished(Size, Unreached);
    depthFirst(
        Next, Root, Size, [](uint32_t) {},
        [&](uint32_t Node) {
          Finished[Node] = Order.size();
          Order.push_back(Node);
        });
    Dominator[Root] = Root;
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (uint32_t Node : llvm::drop_begin(llvm::reverse(Order))) {
        uint32_t New = Unreached;
        for (size_t I = 0; I < Previous.size(Node); ++I) {
          const uint32_t From = Previous.at(Node, I);
          if (Dominator[From] == Unreached)
            continue;
          New = New == Unreached ? From : common(From, New, Finished);
        }
        Changed |= Dominator[Node] != New;
        Dominator[Node] = New;
      }
    }
  }

  uint32_t common(uint32_t A, uint32_t B,
                  const std::vector<uint32_t> &Finished) const {
    while (A != B) {
      while (Finished[A] < Finished[B])
        A = Dominator[A];
      while (Finished[B] < Finished[A])
        B = Dominator[B];
    }
    return A;
  }

  /// Intervals that make dominates() a comparison.
  void number() {
    std::vector<uint32_t> Children;
    for (uint32_t Node = 0; Node < Size; ++Node)
      if (reached(Node) && Node != Root)
        Children.push_back(Node);
    const Adjacency Tree(
        Size, Children, [&](uint32_t Node) { return Dominator[Node]; },
        [](uint32_t Node) { return Node; });
    uint32_t Clock = 0;
    depthFirst(
        Tree, Root, Size, [&](uint32_t Node) { Enter[Node] = Clock++; },
        [&](uint32_t Node) { Leave[Node] = Clock++; });
  }
};

} // namespace

uint64_t ProcedureFlow::weight() const {
  uint64_t Sum = 0;
  for (const Block &B : Blocks)
    Sum = llvm::SaturatingMultiplyAdd(B.Count, B.Instructions, Sum);
  return Sum;
}

bool ProcedureFlow::entryIsHottest() const {
  return llvm::none_of(
      Blocks, [&](const Block &B) { return B.Count > Blocks.front().Count; });
}

double graupel::hottestLoopTripCount(const ProcedureFlow &Flow) {
  if (Flow.Blocks.empty() || Flow.Edges.empty())
    return 1;
  const DominatorTree Tree(Flow);
  const size_t Size = Flow.Blocks.size();
  std::vector<uint64_t> Inside(Size), Outside(Size);
  std::vector<bool> IsHeader(Size), IsRoot(Size);
  for (const ProcedureFlow::Edge &E : Flow.Edges) {
    const bool Back =
        Tree.reached(E.Source) && Tree.dominates(E.Target, E.Source);
    uint64_t &Sum = (Back ? Inside : Outside)[E.Target];
    Sum = llvm::SaturatingAdd(Sum, E.Count);
    if (Back)
      IsHeader[E.Target] = true;
  }
  IsRoot[0] = true;
  for (uint32_t Other : Flow.OtherRoots)
    IsRoot[Other] = true;

  uint64_t Hottest = 0;
  double Trips = 1;
  for (size_t B = 0; B < Size; ++B) {
    const uint64_t Count = Flow.Blocks[B].Count;
    if (!IsHeader[B] || Count == 0 || Count < Hottest)
      continue;
    uint64_t Entries = Outside[B];
    // Where control comes from outside the edges, too, it accounts for what
    // the edges do not explain.
    const uint64_t Known = llvm::SaturatingAdd(Inside[B], Outside[B]);
    if (IsRoot[B] && Count > Known)
      Entries += Count - Known;
    const double T = std::max(1.0, static_cast<double>(Count) /
                                       std::max<uint64_t>(Entries, 1));
    Trips = Count > Hottest ? T : std::max(Trips, T);
    Hottest = Count;
  }
  return Trips;
}

namespace {

/// The blocks that lead to \p Sources without passing \p Header, which
/// dominates them.
std::vector<uint32_t> loopBody(const Adjacency &Previous, uint32_t Header,
                               std::vector<uint32_t> Sources, size_t Size) {
  std::vector<bool> Inside(Size);
  Inside[Header] = true;
  while (!Sources.empty()) {
    const uint32_t Block = Sources.back();
    Sources.pop_back();
    if (Inside[Block])
      continue;
    Inside[Block] = true;
    for (size_t I = 0; I < Previous.size(Block); ++I)
      Sources.push_back(Previous.at(Block, I));
  }
  std::vector<uint32_t> Blocks;
  for (uint32_t Block = 0; Block < Size; ++Block)
    if (Inside[Block])
      Blocks.push_back(Block);
  return Blocks;
}

} // namespace

std::vector<InnermostLoop> graupel::innermostLoops(const ProcedureFlow &Flow) {
  std::vector<InnermostLoop> Loops;
  const size_t Size = Flow.Blocks.size();
  if (Flow.Blocks.empty() || Flow.Edges.empty())
    return Loops;
  const DominatorTree Tree(Flow);
  std::vector<ProcedureFlow::Edge> Reached;
  std::vector<std::vector<uint32_t>> Back(Size);
  std::vector<uint64_t> Again(Size);
  for (const ProcedureFlow::Edge &E : Flow.Edges) {
    if (!Tree.reached(E.Source))
      continue;
    Reached.push_back(E);
    if (!Tree.dominates(E.Target, E.Source))
      continue;
    Back[E.Target].push_back(E.Source);
    Again[E.Target] = llvm::SaturatingAdd(Again[E.Target], E.Count);
  }
  for (uint32_t Header = 0; Header < Size; ++Header)
    if (Again[Header] < Flow.Blocks[Header].Count / 2)
      Back[Header].clear();
  const Adjacency Previous(
      Size, Reached, [](auto &E) { return E.Target; },
      [](auto &E) { return E.Source; });
  for (uint32_t Header = 0; Header < Size; ++Header) {
    if (Back[Header].empty() || !Flow.Blocks[Header].Count)
      continue;
    InnermostLoop Loop = {Header,
                          loopBody(Previous, Header, Back[Header], Size)};
    // A rare loop does not hide the loop around it.
    const bool HasOther = llvm::any_of(Loop.Blocks, [&](uint32_t Block) {
      return Block != Header && !Back[Block].empty() &&
             Flow.Blocks[Block].Count >= Flow.Blocks[Header].Count / 2;
    });
    if (!HasOther)
      Loops.push_back(std::move(Loop));
  }
  return Loops;
}
