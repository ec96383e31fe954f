//===- Align/PaddingPlan.cpp - Where padding pays -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the padding before each block of a function (dynamic programming).
//
// 1. All that a block costs depends on where it starts in its decode window, so
//    32 states describe everything that lies before it.
// 2. Block by block: from each state, for each of three choices (no padding, up
//    to 16, up to 32), the padding, the block's cost at its place
//    (FetchCost.h), and the state behind the block. The cheapest path to each
//    state is kept; among equal ones, the one with the least padding.
// 3. The cheapest state at the end leads back to the choices.
//
// Exact and linear in the number of blocks. The design is in
// docs/design/alignment.md.
//
//===----------------------------------------------------------------------===//

#include "PaddingPlan.h"
#include "FetchCost.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <limits>
#include <tuple>

using namespace llvm;
using namespace graupel;

namespace {

constexpr unsigned NumStates = DecodeWindow;
constexpr std::array<uint8_t, 3> Choices = {1, 16, 32};
/// The longest padding instruction that every x86-64 processor decodes fast.
constexpr unsigned NopSize = 10;
constexpr unsigned OldWindow = 16;

struct Step {
  double Cost = std::numeric_limits<double>::infinity();
  uint64_t Padding = 0; ///< Bytes, of all blocks so far.
  uint8_t From = 0;
  uint8_t Alignment = 1;

  bool isBetterThan(const Step &Other) const {
    return std::tie(Cost, Padding) < std::tie(Other.Cost, Other.Padding);
  }
};
using Column = std::array<Step, NumStates>;

class Planner {
public:
  Planner(ArrayRef<PaddingBlock> Blocks, const PaddingCosts &Costs)
      : Blocks(Blocks), Costs(Costs) {}

  std::vector<uint8_t> plan() {
    Column Before;
    Before[0].Cost = 0;
    for (size_t I = 0; I < Blocks.size(); ++I) {
      Columns.push_back(advance(Before, Blocks[I], /*IsFirst=*/I == 0));
      Before = Columns.back();
    }
    return choices();
  }

private:
  ArrayRef<PaddingBlock> Blocks;
  const PaddingCosts &Costs;
  std::vector<Column> Columns;

  Column advance(const Column &Before, const PaddingBlock &B, bool IsFirst) {
    Column After;
    for (unsigned From = 0; From < NumStates; ++From) {
      if (Before[From].Cost == std::numeric_limits<double>::infinity())
        continue;
      for (uint8_t Alignment : Choices) {
        const uint64_t Start = alignTo(From, Alignment);
        if (Alignment != 1 && (IsFirst || Start == From))
          continue;
        const double Cost = Before[From].Cost + costOf(B, From, Start, IsFirst);
        const Step New = {Cost, Before[From].Padding + Start - From,
                          static_cast<uint8_t>(From), Alignment};
        Step &To = After[(Start + B.Size) % NumStates];
        if (New.isBetterThan(To))
          To = New;
      }
    }
    return After;
  }

  /// The cost of \p B at \p Start, behind code that ends at \p End.
  double costOf(const PaddingBlock &B, uint64_t End, uint64_t Start,
                bool IsFirst) const {
    // One window further, so that what ends at 0 has a byte before it.
    const PlacedBlock Placed = {
        Start + NumStates, Start + NumStates + B.Size,    B.Count,
        B.FallIn,          IsFirst ? 0 : End + NumStates, B.JumpSize};
    return placedCost(Placed, B.WasAligned, Costs);
  }

  std::vector<uint8_t> choices() const {
    std::vector<uint8_t> Result(Blocks.size(), 1);
    if (Blocks.empty())
      return Result;
    unsigned State = 0;
    for (unsigned S = 1; S < NumStates; ++S)
      if (Columns.back()[S].isBetterThan(Columns.back()[State]))
        State = S;
    for (size_t I = Blocks.size(); I-- > 0;) {
      Result[I] = Columns[I][State].Alignment;
      State = Columns[I][State].From;
    }
    return Result;
  }
};

} // namespace

double graupel::placedCost(const PlacedBlock &B, bool WasAligned,
                           const PaddingCosts &Costs) {
  const uint64_t Padding = B.PreviousEnd ? B.Begin - B.PreviousEnd : 0;
  double Cost = unitsEntered(B, DecodeWindow);
  Cost += Costs.JumpAtBoundary * jumpsAtBoundary(B);
  Cost += Costs.Nop * B.FallIn * divideCeil(Padding, NopSize);
  Cost += Costs.Byte * Padding;
  if (WasAligned)
    Cost += Costs.LostAlignment * (B.Count - B.FallIn) * (B.Begin % OldWindow) /
            OldWindow;
  return Cost;
}

std::vector<uint8_t> graupel::planPadding(ArrayRef<PaddingBlock> Blocks,
                                          const PaddingCosts &Costs) {
  return Planner(Blocks, Costs).plan();
}
