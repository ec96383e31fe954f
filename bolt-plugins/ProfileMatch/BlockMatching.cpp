//===- ProfileMatch/BlockMatching.cpp - Which block is which --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions with the same graph are matched in reverse postorder (Cohn,
// Goodwin, Lowney 1997). For the others, whose blocks BlockScores compares,
//
// 1. match blocks whose neighbors are alike, too, the surest first; of copies
//    of the same code the order in memory decides, which compilers keep where
//    the source stays;
// 2. match successors and predecessors of matched blocks that are left over;
// 3. match blocks that moved, if nothing else looks like them.
//
// Functions too large for comparing all blocks with all are aligned in the
// order of memory instead of step 1.
//
//===----------------------------------------------------------------------===//

#include "BlockMatching.h"
#include "BlockScores.h"
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
      : Old(Old.Blocks), New(New.Blocks),
        Scores(this->Old, this->New, Functions), NewOf(Old.Blocks.size()),
        IsTaken(New.Blocks.size()) {}

  std::vector<std::optional<uint32_t>> run() {
    if (Old.empty() || New.empty())
      return std::move(NewOf);
    if (Old.size() * New.size() <= MostLookedAround) {
      Scores.lookAround();
      match(0, 0);
      matchBest();
    } else {
      align(0, Old.size(), 0, New.size());
      match(0, 0);
    }
    followEdges();
    matchMoved();
    followEdges();
    return std::move(NewOf);
  }

private:
  ArrayRef<Block> Old, New;
  BlockScores Scores;
  std::vector<std::optional<uint32_t>> NewOf;
  std::vector<bool> IsTaken;

  /// Most pairs of blocks that are compared with their neighbors, and alone.
  static constexpr size_t MostLookedAround = 1 << 23, MostCompared = 1 << 24;
  /// Least score of blocks that are found by it, and of those that an edge
  /// leads to.
  static constexpr float Found = 4, Followed = 1;
  /// The score that the order in memory adds.
  static constexpr float InOrder = 2;

  bool match(uint32_t O, uint32_t N) {
    if (NewOf[O] || IsTaken[N])
      return false;
    NewOf[O] = N;
    IsTaken[N] = true;
    return true;
  }

  /// The matches in the order of memory with the highest total score, by old
  /// block.
  std::vector<std::optional<uint32_t>> inOrder() const {
    std::vector<std::optional<uint32_t>> Result(Old.size());
    alignment(
        Old.size(), New.size(),
        [&](size_t O, size_t N) { return foundScore(O, N); },
        [&](size_t O, size_t N) { Result[O] = N; });
    return Result;
  }

  /// 0 if it is too low.
  float foundScore(uint32_t O, uint32_t N) const {
    const float Score = Scores.of(O, N);
    return Score < Found ? 0 : Score;
  }

  /// Step 1.
  void matchBest() {
    const std::vector<std::optional<uint32_t>> Ordered = inOrder();
    struct Pair {
      float Score;
      uint32_t Old, New;
    };
    std::vector<Pair> Pairs;
    for (uint32_t O = 0; O < Old.size(); ++O)
      for (uint32_t N = 0; N < New.size(); ++N)
        if (float Score = Scores.of(O, N) + (Ordered[O] == N ? InOrder : 0);
            Score >= Found)
          Pairs.push_back({Score, O, N});
    llvm::stable_sort(
        Pairs, [](const Pair &A, const Pair &B) { return A.Score > B.Score; });
    for (const Pair &P : Pairs)
      match(P.Old, P.New);
  }

  void align(size_t OldBegin, size_t OldEnd, size_t NewBegin, size_t NewEnd) {
    if ((OldEnd - OldBegin) * (NewEnd - NewBegin) > MostCompared)
      return alignParts(OldBegin, OldEnd, NewBegin, NewEnd);
    alignment(
        OldEnd - OldBegin, NewEnd - NewBegin,
        [&](size_t I, size_t J) {
          return foundScore(OldBegin + I, NewBegin + J);
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

  /// Step 2.
  void followEdges() {
    const auto OldBefore = predecessors(Old), NewBefore = predecessors(New);
    std::vector<uint32_t> Work;
    for (uint32_t O = 0; O < Old.size(); ++O)
      if (NewOf[O])
        Work.push_back(O);
    while (!Work.empty()) {
      const uint32_t O = Work.back(), N = *NewOf[O];
      Work.pop_back();
      matchNeighbors(Old[O].Successors, New[N].Successors, Work);
      matchNeighbors(OldBefore[O], NewBefore[N], Work);
    }
  }

  void matchNeighbors(ArrayRef<uint32_t> Olds, ArrayRef<uint32_t> News,
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
      float Most = Only ? Followed - 4 : Followed;
      for (uint32_t N : News)
        if (!IsTaken[N])
          if (const float Like = Scores.alone(O, N); Like >= Most) {
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

/// Whether \p First and \p Second together are about what \p Whole was, of
/// which \p Part is new.
bool isSplit(const Block &Whole, const Block &First, const Block &Second,
             const Block &Part) {
  constexpr int MostDifferent = 12;
  const uint32_t Before = Whole.Shape.Instructions,
                 After = First.Shape.Instructions + Second.Shape.Instructions;
  return std::max(Before, After) - std::min(Before, After) <= 1 + Before / 4 &&
         Whole.Successors.size() == Second.Successors.size() &&
         popcount(Whole.Shape.Sketch ^ Part.Shape.Sketch) <= MostDifferent;
}

/// See BlockMatches::Parts.
std::vector<std::pair<uint32_t, uint32_t>>
findParts(ArrayRef<Block> Old, ArrayRef<Block> New,
          ArrayRef<std::optional<uint32_t>> NewOf) {
  std::vector<std::optional<uint32_t>> OldOf(New.size());
  for (uint32_t O = 0; O < NewOf.size(); ++O)
    if (NewOf[O])
      OldOf[*NewOf[O]] = O;
  std::vector<std::pair<uint32_t, uint32_t>> Parts;
  for (uint32_t First = 0; First < New.size(); ++First) {
    if (New[First].Successors.size() != 1)
      continue;
    const uint32_t Second = New[First].Successors.front();
    if (OldOf[First].has_value() == OldOf[Second].has_value())
      continue;
    const uint32_t Part = OldOf[First] ? Second : First;
    const uint32_t Whole = OldOf[First] ? *OldOf[First] : *OldOf[Second];
    if (isSplit(Old[Whole], New[First], New[Second], New[Part]))
      Parts.push_back({Whole, Part});
  }
  return Parts;
}

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
      return {std::move(NewOf), {}, true};
  BlockMatches Result = {BlockMatcher(Old, New, Functions).run(), {}, false};
  Result.Parts = findParts(Old.Blocks, New.Blocks, Result.NewOf);
  return Result;
}
