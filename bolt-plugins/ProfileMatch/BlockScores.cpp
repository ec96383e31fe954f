//===- ProfileMatch/BlockScores.cpp - Likeness of blocks ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scores how likely a block of an old function has become one of a new
// function.
//
// 1. The constructor computes how rare the contents of each old block are in
//    both functions.
// 2. alone() compares two blocks: the same instructions, the same operations,
//    or similar ones by their sketches; how the blocks end, how many successors
//    they have and whether they are entered from outside.
// 3. ofCalls() adds points for a callee that is the same, and takes some away
//    if callees are known to differ.
// 4. lookAround() repeats for three rounds: the score of a pair is its own plus
//    a share of the likeliest scores of successors and predecessors (likeliest)
//    in the round before.
//
//===----------------------------------------------------------------------===//

#include "BlockScores.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace graupel;

using Block = ShapedFunction::Block;
using Neighbors = std::vector<SmallVector<uint32_t, 2>>;

Neighbors graupel::predecessors(ArrayRef<Block> Blocks) {
  Neighbors Result(Blocks.size());
  for (uint32_t B = 0; B < Blocks.size(); ++B)
    for (uint32_t To : Blocks[B].Successors)
      Result[To].push_back(B);
  return Result;
}

BlockScores::BlockScores(ArrayRef<Block> Old, ArrayRef<Block> New,
                         const FunctionMatches &Functions)
    : Old(Old), New(New), Functions(Functions) {
  // One in each function is as rare as can be.
  auto rarity = [&](uint32_t BlockShape::*Hash) {
    DenseMap<uint64_t, uint32_t> Number;
    for (ArrayRef<Block> Blocks : {Old, New})
      for (const Block &B : Blocks)
        ++Number[B.Shape.*Hash];
    std::vector<float> Result;
    for (const Block &B : Old)
      Result.push_back(std::sqrt(2.0f / std::max(2u, Number[B.Shape.*Hash])));
    return Result;
  };
  RarityOfOld = {rarity(&BlockShape::Exact), rarity(&BlockShape::Mnemonics)};
}

bool BlockScores::isSameCallee(uint32_t O, uint32_t N) const {
  return isExternal(O) ? O == N : Functions.newOf(O) == N;
}

/// False if both callees are known not to be the same.
bool BlockScores::mayBeSameCallee(uint32_t O, uint32_t N) const {
  if (isSameCallee(O, N))
    return true;
  return !isExternal(O) && !isExternal(N) && !Functions.isOldTaken(O) &&
         !Functions.isNewTaken(N);
}

float BlockScores::ofCalls(const Block &O, const Block &N) const {
  if (O.Callees.empty() && N.Callees.empty())
    return 0;
  if (O.Callees.empty() != N.Callees.empty())
    return -3;
  int Same = 0, Maybe = 0;
  for (uint32_t X : O.Callees) {
    Same +=
        llvm::any_of(N.Callees, [&](uint32_t Y) { return isSameCallee(X, Y); });
    Maybe += llvm::any_of(N.Callees,
                          [&](uint32_t Y) { return mayBeSameCallee(X, Y); });
  }
  return Same ? 6 : Maybe ? 0 : -6;
}

float BlockScores::alone(uint32_t O, uint32_t N) const {
  const BlockShape &A = Old[O].Shape, &B = New[N].Shape;
  const float Size = std::min<uint32_t>(6, A.Instructions);
  float Like = (10 - popcount(A.Sketch ^ B.Sketch)) / 2.0f;
  if (A.Exact == B.Exact && A.Instructions == B.Instructions)
    Like = std::max(Like, (3 + 2 * Size) * RarityOfOld.Exact[O]);
  else if (A.Mnemonics == B.Mnemonics)
    Like = std::max(Like, (2 + Size) * RarityOfOld.Mnemonics[O]);
  Like += A.Exit == B.Exit ? 1 : -2;
  Like += Old[O].Successors.size() == New[N].Successors.size() ? 1 : -1;
  Like -= Old[O].IsEntered != New[N].IsEntered ? 4 : 0;
  return Like + ofCalls(Old[O], New[N]);
}

namespace {

/// Scores of all pairs of blocks.
class Table {
public:
  Table(size_t Height, size_t Width) : Width(Width), Scores(Height * Width) {}

  float &at(uint32_t O, uint32_t N) { return Scores[O * Width + N]; }

  /// The score of the new block that each of \p Olds most likely is, and the
  /// other way round, on average.
  float likeliest(ArrayRef<uint32_t> Olds, ArrayRef<uint32_t> News) {
    if (Olds.empty() || News.empty())
      return Olds.size() == News.size() ? 0 : Least / 2;
    float Sum = 0;
    for (uint32_t O : Olds)
      Sum += highest(News, [&](uint32_t N) { return at(O, N); });
    for (uint32_t N : News)
      Sum += highest(Olds, [&](uint32_t O) { return at(O, N); });
    return Sum / float(Olds.size() + News.size());
  }

  std::vector<float> take() { return std::move(Scores); }

private:
  /// No neighbor tells more.
  static constexpr float Least = -4, Most = 12;

  size_t Width;
  std::vector<float> Scores;

  template <typename FunctionT>
  static float highest(ArrayRef<uint32_t> Blocks, FunctionT Score) {
    float Highest = Least;
    for (uint32_t B : Blocks)
      Highest = std::max(Highest, Score(B));
    return std::min(Highest, Most);
  }
};

} // namespace

void BlockScores::lookAround() {
  // The shares of predecessors and successors are less than 1 together, so that
  // what is far away counts less. Each round looks one edge farther.
  constexpr float Share = 0.4;
  constexpr int Rounds = 3;
  Table Alone(Old.size(), New.size());
  for (uint32_t O = 0; O < Old.size(); ++O)
    for (uint32_t N = 0; N < New.size(); ++N)
      Alone.at(O, N) = alone(O, N);
  const Neighbors OldBefore = predecessors(Old), NewBefore = predecessors(New);
  Table Now = Alone, Last = Alone;
  for (int Round = 0; Round < Rounds; ++Round) {
    std::swap(Now, Last);
    for (uint32_t O = 0; O < Old.size(); ++O)
      for (uint32_t N = 0; N < New.size(); ++N)
        Now.at(O, N) =
            Alone.at(O, N) +
            Share * Last.likeliest(Old[O].Successors, New[N].Successors) +
            Share * Last.likeliest(OldBefore[O], NewBefore[N]);
  }
  Around = Now.take();
}
