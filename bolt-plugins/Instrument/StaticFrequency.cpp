//===- Instrument/StaticFrequency.cpp - Estimates frequencies -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Estimates how often blocks are executed, from the flow graph alone.
//
// 1. Loops finds the innermost loop around each block in one depth-first
//    traversal (Wei, Mao, Zou, Chen 2007).
// 2. probability() judges the two successors of a block by four heuristics:
//    dead ends, edges that leave a loop, fall-throughs and returns (Ball and
//    Larus 1993). combine() joins their evidence (Wu and Larus 1994).
// 3. Where the number of successors is not two, all are equally probable.
// 4. estimateFrequencies() begins with 1 at each entry. In reverse postorder
//    each block hands its frequency to its successors by their probabilities.
//    The frequency of a loop's header is divided by 1 - StaysInLoop.
//
//===----------------------------------------------------------------------===//

#include "StaticFrequency.h"
#include <algorithm>

using namespace llvm;
using namespace graupel;

namespace {

// Chosen by the number of counters that SQLite, Lua, zstd and Perl execute;
// docs/design/instrumentation.md. Ball and Larus's call heuristic did not help.
constexpr double DeadEnd = 0.002;
constexpr double StaysInLoop = 0.8;
constexpr double NextInFile = 0.6;
constexpr double LeadsToReturn = 0.4;
constexpr double MaxFrequency = 1e9;

/// The innermost loop around each block.
class Loops {
public:
  static constexpr uint32_t None = UINT32_MAX;

  explicit Loops(ArrayRef<StaticBlock> Blocks)
      : Blocks(Blocks), Header(Blocks.size(), None), Position(Blocks.size()),
        Seen(Blocks.size()), IsHeader(Blocks.size()) {
    for (uint32_t I = 0; I < Blocks.size(); ++I)
      if (Blocks[I].IsEntry && !Seen[I])
        traverse(I);
    for (uint32_t I = 0; I < Blocks.size(); ++I)
      if (!Seen[I])
        traverse(I);
  }

  bool isHeader(uint32_t Block) const { return IsHeader[Block]; }

  /// True if the way from \p From to \p To leaves the innermost loop of From.
  bool leaves(uint32_t From, uint32_t To) const {
    const uint32_t Loop = IsHeader[From] ? From : Header[From];
    if (Loop == None)
      return false;
    for (uint32_t Around = To; Around != None; Around = Header[Around])
      if (Around == Loop)
        return false;
    return true;
  }

private:
  ArrayRef<StaticBlock> Blocks;
  std::vector<uint32_t> Header;   ///< That of the innermost loop but its own.
  std::vector<uint32_t> Position; ///< On the current path, from 1; or 0.
  std::vector<bool> Seen, IsHeader;

  /// Loop \p H is around \p Block: sorts it in among those known already.
  void nest(uint32_t Block, uint32_t H) {
    if (H == None || Block == H)
      return;
    while (Header[Block] != None) {
      const uint32_t Known = Header[Block];
      if (Known == H)
        return;
      if (Position[Known] < Position[H]) {
        Header[Block] = H;
        Block = H;
        H = Known;
      } else {
        Block = Known;
      }
    }
    Header[Block] = H;
  }

  /// The way from \p From leads to a block that was seen before.
  void meet(uint32_t From, uint32_t To) {
    if (Position[To]) {
      IsHeader[To] = true;
      nest(From, To);
      return;
    }
    // Entered elsewhere than at their headers, inner loops do not matter.
    for (uint32_t H = Header[To]; H != None; H = Header[H])
      if (Position[H]) {
        nest(From, H);
        return;
      }
  }

  void traverse(uint32_t Root) {
    std::vector<std::pair<uint32_t, size_t>> Path;
    auto enter = [&](uint32_t Block) {
      Seen[Block] = true;
      Path.push_back({Block, 0});
      Position[Block] = Path.size();
    };
    enter(Root);
    while (!Path.empty()) {
      auto &[Block, Next] = Path.back();
      if (Next < Blocks[Block].Successors.size()) {
        const uint32_t To = Blocks[Block].Successors[Next++].To;
        if (Seen[To])
          meet(Block, To);
        else
          enter(To);
        continue;
      }
      const uint32_t Left = Block;
      Position[Left] = 0;
      Path.pop_back();
      if (!Path.empty())
        nest(Path.back().first, Header[Left]);
    }
  }
};

bool isDeadEnd(const StaticBlock &B) {
  return B.Successors.empty() && !B.Returns;
}

/// The probability that both pieces of evidence, for one of two ways, give.
double combine(double A, double B) {
  return A * B / (A * B + (1 - A) * (1 - B));
}

/// The probability of the first of two successors.
double probability(ArrayRef<StaticBlock> Blocks, const Loops &L,
                   uint32_t Index) {
  const StaticBlock &From = Blocks[Index];
  const StaticBlock::Successor &A = From.Successors[0], &B = From.Successors[1];
  const StaticBlock &ToA = Blocks[A.To], &ToB = Blocks[B.To];
  double P = 0.5;
  auto weigh = [&](bool ForA, bool ForB, double Likely) {
    if (ForA != ForB)
      P = combine(P, ForA ? Likely : 1 - Likely);
  };
  weigh(isDeadEnd(ToA), isDeadEnd(ToB), DeadEnd);
  weigh(!L.leaves(Index, A.To), !L.leaves(Index, B.To), StaysInLoop);
  weigh(A.FallsThrough, B.FallsThrough, NextInFile);
  weigh(ToA.Returns, ToB.Returns, LeadsToReturn);
  return P;
}

std::vector<double> probabilities(ArrayRef<StaticBlock> Blocks, const Loops &L,
                                  uint32_t Index) {
  const size_t N = Blocks[Index].Successors.size();
  if (N == 2) {
    const double P = probability(Blocks, L, Index);
    return {P, 1 - P};
  }
  return std::vector<double>(N, N ? 1.0 / N : 0);
}

/// Blocks so that, but for loops, each comes after its predecessors.
std::vector<uint32_t> reversePostOrder(ArrayRef<StaticBlock> Blocks) {
  std::vector<uint32_t> Order;
  std::vector<bool> Seen(Blocks.size());
  std::vector<std::pair<uint32_t, size_t>> Path;
  auto visit = [&](uint32_t Block) {
    if (Seen[Block])
      return;
    Seen[Block] = true;
    Path.push_back({Block, 0});
  };
  for (uint32_t Root = Blocks.size(); Root--;) {
    visit(Root);
    while (!Path.empty()) {
      auto &[Block, Next] = Path.back();
      if (Next < Blocks[Block].Successors.size()) {
        visit(Blocks[Block].Successors[Next++].To);
        continue;
      }
      Order.push_back(Block);
      Path.pop_back();
    }
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

} // namespace

StaticFrequencies graupel::estimateFrequencies(ArrayRef<StaticBlock> Blocks) {
  const Loops L(Blocks);
  StaticFrequencies Result;
  Result.Blocks.assign(Blocks.size(), 0);
  for (uint32_t I = 0; I < Blocks.size(); ++I) {
    Result.Probabilities.push_back(probabilities(Blocks, L, I));
    if (Blocks[I].IsEntry)
      Result.Blocks[I] = 1;
  }
  for (uint32_t I : reversePostOrder(Blocks)) {
    double &Frequency = Result.Blocks[I];
    // The frequency of the back edges is not known yet; the loop is assumed to
    // run for as long as its branch says.
    if (L.isHeader(I))
      Frequency /= 1 - StaysInLoop;
    Frequency = std::min(Frequency, MaxFrequency);
    const auto &Successors = Blocks[I].Successors;
    for (size_t S = 0; S < Successors.size(); ++S)
      if (!Blocks[Successors[S].To].IsEntry)
        Result.Blocks[Successors[S].To] +=
            Frequency * Result.Probabilities[I][S];
  }
  return Result;
}
