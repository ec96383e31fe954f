//===- Place/FetchModel.cpp - How good is a placement ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk consists of many short ones, since a single one would stay in the
// phase of the program where it began. Each begins at a function chosen by its
// share of the execution. When its call stack is empty, a return continues after
// a call of the function chosen by how often it was called from there.
//
//===----------------------------------------------------------------------===//

#include "FetchModel.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <array>
#include <random>

using namespace graupel;

namespace {

constexpr uint64_t StepsPerWalk = 20000;
constexpr size_t MaxDepth = 512;

/// Chooses from a list by weight.
template <typename ItemT> class Chooser {
public:
  void add(ItemT Item, uint64_t Weight) {
    if (!Weight)
      return;
    Total += Weight;
    Items.push_back(Item);
    Sums.push_back(Total);
  }
  bool empty() const { return Items.empty(); }
  const ItemT &choose(std::mt19937_64 &Random) const {
    if (Items.size() == 1)
      return Items.front();
    // The modulo's bias is far below the profile's own error.
    const uint64_t At = Random() % Total;
    return Items[std::upper_bound(Sums.begin(), Sums.end(), At) -
                 Sums.begin()];
  }

private:
  uint64_t Total = 0;
  llvm::SmallVector<ItemT, 2> Items;
  llvm::SmallVector<uint64_t, 2> Sums;
};

/// A place in the code: the piece of a block that starts after some calls.
struct Position {
  uint32_t Block;
  uint32_t Piece; ///< Number within the block.
};

class Walker {
public:
  explicit Walker(const ProgramFlow &Program, uint64_t Seed)
      : Program(Program), Random(Seed), Next(Program.Blocks.size()),
        CallersOf(Program.Entries.size()) {
    std::vector<uint32_t> FunctionAt(Program.Blocks.size(), ~0u);
    for (uint32_t F = 0; F < Program.Entries.size(); ++F)
      FunctionAt[Program.Entries[F]] = F;
    uint32_t Function = 0;
    for (uint32_t B = 0; B < Program.Blocks.size(); ++B) {
      const ProgramFlow::Block &Block = Program.Blocks[B];
      if (FunctionAt[B] != ~0u)
        Function = FunctionAt[B];
      FunctionOf.push_back(Function);
      Starts.add(B, Block.Count * (Block.Size + 1));
      for (const auto &[Successor, Count] : Block.Successors)
        Next[B].add(Successor, Count);
      Calls.emplace_back();
      for (uint32_t C = 0; C < Block.Calls.size(); ++C) {
        Calls[B].emplace_back();
        for (const auto &[Callee, Count] : Block.Calls[C].Callees) {
          Calls[B].back().add(Callee, Count);
          CallersOf[Callee].add({B, C + 1}, Count);
        }
      }
    }
  }

  /// Calls \p Report with each position passed.
  template <typename ReportT> void walk(uint64_t Length, ReportT Report) {
    if (Starts.empty())
      return;
    for (uint64_t Walk = 0; Walk * StepsPerWalk < Length; ++Walk) {
      Stack.clear();
      Position At{Starts.choose(Random), 0};
      for (uint64_t Step = 0; Step < StepsPerWalk; ++Step) {
        Report(At);
        if (!advance(At))
          At = {Starts.choose(Random), 0};
      }
    }
  }

private:
  const ProgramFlow &Program;
  std::mt19937_64 Random;
  Chooser<uint32_t> Starts;
  std::vector<Chooser<uint32_t>> Next;
  std::vector<std::vector<Chooser<uint32_t>>> Calls;
  std::vector<Chooser<Position>> CallersOf;
  std::vector<uint32_t> FunctionOf;
  std::vector<Position> Stack;

  /// Moves on from the end of the piece at \p At. Returns false if the profile
  /// does not say where to.
  bool advance(Position &At) {
    if (At.Piece < Calls[At.Block].size()) {
      const Chooser<uint32_t> &Callees = Calls[At.Block][At.Piece];
      ++At.Piece;
      if (!Callees.empty() && Stack.size() < MaxDepth) {
        Stack.push_back(At);
        At = {Program.Entries[Callees.choose(Random)], 0};
      }
      return true;
    }
    if (!Next[At.Block].empty()) {
      At = {Next[At.Block].choose(Random), 0};
      return true;
    }
    if (!Stack.empty()) {
      At = Stack.back();
      Stack.pop_back();
      return true;
    }
    const Chooser<Position> &Callers = CallersOf[FunctionOf[At.Block]];
    if (Callers.empty())
      return false;
    At = Callers.choose(Random);
    return true;
  }
};

/// A set-associative cache with LRU replacement.
class Cache {
public:
  bool access(uint64_t Line) {
    std::array<uint64_t, Ways> &Set = Sets[Line % NumSets];
    auto It = std::find(Set.begin(), Set.end(), Line);
    const bool Hit = It != Set.end();
    if (!Hit)
      It = std::prev(Set.end());
    std::move_backward(Set.begin(), It, std::next(It));
    Set.front() = Line;
    return Hit;
  }

  static constexpr uint64_t LineSize = 64;

private:
  static constexpr size_t Ways = 8, NumSets = 64;
  std::array<std::array<uint64_t, Ways>, NumSets> Sets = {};
};

} // namespace

FetchTrace::FetchTrace(const ProgramFlow &Program, uint64_t Length,
                       uint64_t Seed) {
  std::vector<uint32_t> FirstPiece;
  for (uint32_t B = 0; B < Program.Blocks.size(); ++B) {
    FirstPiece.push_back(Pieces.size());
    uint32_t Offset = 0;
    for (const ProgramFlow::Call &Call : Program.Blocks[B].Calls) {
      Pieces.push_back({B, Offset, Call.Offset - Offset});
      Offset = Call.Offset;
    }
    Pieces.push_back({B, Offset, Program.Blocks[B].Size - Offset});
  }
  Steps.reserve(Length);
  Walker(Program, Seed).walk(Length, [&](const Position &At) {
    Steps.push_back(FirstPiece[At.Block] + At.Piece);
  });
}

uint64_t FetchTrace::misses(llvm::ArrayRef<uint64_t> Addresses) const {
  Cache Cache;
  uint64_t Misses = 0, Last = ~0ull;
  for (uint32_t Step : Steps) {
    const Piece &Piece = Pieces[Step];
    if (!Piece.Size)
      continue;
    const uint64_t Begin = Addresses[Piece.Block] + Piece.Offset;
    const uint64_t End = (Begin + Piece.Size - 1) / Cache::LineSize;
    for (uint64_t Line = Begin / Cache::LineSize; Line <= End; ++Line)
      if (Line != Last) {
        Misses += !Cache.access(Line);
        Last = Line;
      }
  }
  return Misses;
}
