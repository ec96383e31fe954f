//===- ProfileMatch/BlockMatching.cpp - Which block is which --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions with the same graph are matched in reverse postorder (Cohn,
// Goodwin, Lowney 1997). Of the others,
//
// 1. align the blocks in the order in which they are in memory, which compilers
//    keep where the source stays, such that the most instructions agree;
// 2. match successors and predecessors of matched blocks that are left over;
// 3. match blocks that moved, if nothing else looks like them.
//
//===----------------------------------------------------------------------===//

#include "BlockMatching.h"
#include "Subsequence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <map>

using namespace llvm;
using namespace graupel;

namespace {

using Block = ShapedFunction::Block;

class BlockMatcher {
public:
  BlockMatcher(const ShapedFunction &Old, const ShapedFunction &New,
               const FunctionMatches &Functions)
      : Old(Old.Blocks), New(New.Blocks), Functions(Functions),
        NewOf(Old.Blocks.size()), IsTaken(New.Blocks.size()) {}

  std::vector<std::optional<uint32_t>> run() {
    align(0, Old.size(), 0, New.size());
    if (!Old.empty() && !New.empty())
      match(0, 0);
    followEdges();
    matchMoved();
    followEdges();
    return std::move(NewOf);
  }

private:
  ArrayRef<Block> Old, New;
  const FunctionMatches &Functions;
  std::vector<std::optional<uint32_t>> NewOf;
  std::vector<bool> IsTaken;

  /// Most pairs of blocks that are compared at once.
  static constexpr size_t MostCompared = 1 << 24;
  /// Least likeness of blocks that only their place speaks for, and of those
  /// that an edge leads to.
  static constexpr int Aligned = 4, Followed = 1;

  bool match(uint32_t O, uint32_t N) {
    if (NewOf[O] || IsTaken[N])
      return false;
    NewOf[O] = N;
    IsTaken[N] = true;
    return true;
  }

  bool isSameCallee(uint32_t O, uint32_t N) const {
    return isExternal(O) ? O == N : Functions.newOf(O) == N;
  }

  /// False if both callees are known not to be the same.
  bool mayBeSameCallee(uint32_t O, uint32_t N) const {
    if (isSameCallee(O, N))
      return true;
    return !isExternal(O) && !isExternal(N) && !Functions.isOldTaken(O) &&
           !Functions.isNewTaken(N);
  }

  int callsLikeness(const Block &O, const Block &N) const {
    if (O.Callees.empty() && N.Callees.empty())
      return 0;
    if (O.Callees.empty() != N.Callees.empty())
      return -3;
    int Same = 0, Maybe = 0;
    for (uint32_t X : O.Callees) {
      Same += llvm::any_of(N.Callees,
                           [&](uint32_t Y) { return isSameCallee(X, Y); });
      Maybe += llvm::any_of(N.Callees,
                            [&](uint32_t Y) { return mayBeSameCallee(X, Y); });
    }
    return Same ? 6 : Maybe ? 0 : -6;
  }

  int likeness(const Block &O, const Block &N) const {
    const BlockShape &A = O.Shape, &B = N.Shape;
    const int Size = std::min<uint32_t>(6, A.Instructions);
    int Like;
    if (A.Exact == B.Exact)
      Like = 3 + 2 * Size;
    else if (A.Mnemonics == B.Mnemonics)
      Like = 2 + Size;
    else
      Like = (10 - popcount(A.Sketch ^ B.Sketch)) / 2;
    Like += A.Exit == B.Exit ? 1 : -2;
    Like += O.Successors.size() == N.Successors.size() ? 1 : -1;
    Like -= O.IsEntered != N.IsEntered ? 4 : 0;
    return Like + callsLikeness(O, N);
  }

  /// Step 1.
  void align(size_t OldBegin, size_t OldEnd, size_t NewBegin, size_t NewEnd) {
    if ((OldEnd - OldBegin) * (NewEnd - NewBegin) > MostCompared)
      return alignParts(OldBegin, OldEnd, NewBegin, NewEnd);
    alignment(
        OldEnd - OldBegin, NewEnd - NewBegin,
        [&](size_t I, size_t J) {
          const int Like = likeness(Old[OldBegin + I], New[NewBegin + J]);
          return Like >= Aligned ? Like : 0;
        },
        [&](size_t I, size_t J) { match(OldBegin + I, NewBegin + J); });
  }

  using Key = std::pair<uint32_t, uint32_t>;
  static Key keyOf(const Block &B) {
    return {B.Shape.Exact, B.Shape.Instructions};
  }

  /// Pairs of blocks that are the same and that nothing else looks like.
  std::vector<std::pair<uint32_t, uint32_t>>
  unique(size_t OldBegin, size_t OldEnd, size_t NewBegin, size_t NewEnd,
         uint32_t LeastSize) const {
    struct Owners {
      uint32_t NumOld = 0, NumNew = 0, Old = 0, New = 0;
    };
    std::map<Key, Owners> ByKey;
    for (size_t I = OldBegin; I < OldEnd; ++I)
      if (!NewOf[I] && Old[I].Shape.Instructions >= LeastSize) {
        Owners &O = ByKey[keyOf(Old[I])];
        ++O.NumOld;
        O.Old = I;
      }
    for (size_t I = NewBegin; I < NewEnd; ++I)
      if (!IsTaken[I] && New[I].Shape.Instructions >= LeastSize) {
        Owners &O = ByKey[keyOf(New[I])];
        ++O.NumNew;
        O.New = I;
      }
    std::vector<std::pair<uint32_t, uint32_t>> Pairs;
    for (const auto &[K, O] : ByKey)
      if (O.NumOld == 1 && O.NumNew == 1)
        Pairs.push_back({O.Old, O.New});
    llvm::sort(Pairs);
    return Pairs;
  }

  /// For functions too large for comparing all with all.
  void alignParts(size_t OldBegin, size_t OldEnd, size_t NewBegin,
                  size_t NewEnd) {
    const auto Pairs = unique(OldBegin, OldEnd, NewBegin, NewEnd, 3);
    std::vector<uint32_t> Order;
    for (const auto &[O, N] : Pairs)
      Order.push_back(N);
    const std::vector<uint32_t> Kept = longestIncreasing(Order);
    if (Kept.empty())
      return;
    for (uint32_t Index : Kept) {
      const auto [O, N] = Pairs[Index];
      match(O, N);
      align(OldBegin, O, NewBegin, N);
      OldBegin = O + 1;
      NewBegin = N + 1;
    }
    align(OldBegin, OldEnd, NewBegin, NewEnd);
  }

  using Edges = std::vector<SmallVector<uint32_t, 2>>;
  static Edges predecessors(ArrayRef<Block> Blocks) {
    Edges Result(Blocks.size());
    for (uint32_t B = 0; B < Blocks.size(); ++B)
      for (uint32_t To : Blocks[B].Successors)
        Result[To].push_back(B);
    return Result;
  }

  /// Step 2.
  void followEdges() {
    const Edges OldBefore = predecessors(Old), NewBefore = predecessors(New);
    std::vector<uint32_t> Work;
    for (uint32_t O = 0; O < Old.size(); ++O)
      if (NewOf[O])
        Work.push_back(O);
    while (!Work.empty()) {
      const uint32_t O = Work.back(), N = *NewOf[O];
      Work.pop_back();
      matchNeighbours(Old[O].Successors, New[N].Successors, Work);
      matchNeighbours(OldBefore[O], NewBefore[N], Work);
    }
  }

  void matchNeighbours(ArrayRef<uint32_t> Olds, ArrayRef<uint32_t> News,
                       std::vector<uint32_t> &Work) {
    // The only ones left over need not be much alike.
    auto isOpen = [&](uint32_t O) { return !NewOf[O]; };
    auto isFree = [&](uint32_t N) { return !IsTaken[N]; };
    const bool Only = llvm::count_if(Olds, isOpen) == 1 &&
                      llvm::count_if(News, isFree) == 1 &&
                      Olds.size() == News.size();
    for (uint32_t O : Olds) {
      if (NewOf[O])
        continue;
      std::optional<uint32_t> Best;
      int Most = Only ? Followed - 4 : Followed;
      for (uint32_t N : News)
        if (!IsTaken[N])
          if (const int Like = likeness(Old[O], New[N]); Like >= Most) {
            Most = Like + 1;
            Best = N;
          }
      if (Best && match(O, *Best))
        Work.push_back(O);
    }
  }

  /// Step 3.
  void matchMoved() {
    for (const auto &[O, N] : unique(0, Old.size(), 0, New.size(), 2))
      match(O, N);
  }
};

/// In reverse postorder; nothing if the edges turn out not to agree.
std::vector<std::optional<uint32_t>> matchGraph(const ShapedFunction &Old,
                                                const ShapedFunction &New) {
  const std::vector<uint32_t> Olds = reversePostorder(Old),
                              News = reversePostorder(New);
  std::vector<std::optional<uint32_t>> NewOf(Old.Blocks.size());
  if (Olds.size() != News.size())
    return {};
  for (const auto &[O, N] : llvm::zip(Olds, News))
    NewOf[O] = N;
  for (uint32_t O = 0; O < Old.Blocks.size(); ++O) {
    const auto &From = Old.Blocks[O].Successors;
    const auto &To = New.Blocks[*NewOf[O]].Successors;
    if (From.size() != To.size())
      return {};
    for (const auto &[X, Y] : llvm::zip(From, To))
      if (*NewOf[X] != Y)
        return {};
  }
  return NewOf;
}

} // namespace

bool graupel::areAlike(const BlockShape &A, const BlockShape &B) {
  constexpr int MostDifferent = 6;
  return A.Mnemonics == B.Mnemonics ||
         popcount(A.Sketch ^ B.Sketch) <= MostDifferent;
}

BlockMatches graupel::matchBlocks(const ShapedFunction &Old,
                                  const ShapedFunction &New,
                                  const FunctionMatches &Functions) {
  if (Old.Graph == New.Graph)
    if (auto NewOf = matchGraph(Old, New); !NewOf.empty())
      return {std::move(NewOf), true};
  return {BlockMatcher(Old, New, Functions).run(), false};
}
