//===- ProfileMatch/Subsequence.cpp - Alignment of two lists --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Subsequence.h"
#include <algorithm>
#include <utility>

using namespace llvm;
using namespace graupel;

std::vector<uint32_t> graupel::longestIncreasing(ArrayRef<uint32_t> Values) {
  constexpr uint32_t None = UINT32_MAX;
  // The index of the smallest end of an increasing sequence of each length.
  std::vector<uint32_t> Ends, Before(Values.size(), None);
  for (uint32_t I = 0; I < Values.size(); ++I) {
    auto At = std::lower_bound(
        Ends.begin(), Ends.end(), Values[I],
        [&](uint32_t End, uint32_t Value) { return Values[End] < Value; });
    if (At != Ends.begin())
      Before[I] = *std::prev(At);
    if (At == Ends.end())
      Ends.push_back(I);
    else
      *At = I;
  }
  std::vector<uint32_t> Result;
  for (uint32_t I = Ends.empty() ? None : Ends.back(); I != None; I = Before[I])
    Result.push_back(I);
  std::reverse(Result.begin(), Result.end());
  return Result;
}

void graupel::alignment(size_t N, size_t M,
                        function_ref<double(size_t, size_t)> Gain,
                        function_ref<void(size_t, size_t)> Pair) {
  enum Step : uint8_t { SkipFirst, SkipSecond, Both };
  // The best that the first I and J elements can give, by J; the last step.
  std::vector<double> Above(M + 1), Row(M + 1);
  std::vector<Step> Steps(N * M);
  for (size_t I = 0; I < N; ++I) {
    for (size_t J = 0; J < M; ++J) {
      Row[J + 1] = Above[J + 1];
      Step S = SkipFirst;
      if (Row[J] > Row[J + 1]) {
        Row[J + 1] = Row[J];
        S = SkipSecond;
      }
      const double G = Gain(I, J);
      if (G > 0 && Above[J] + G > Row[J + 1]) {
        Row[J + 1] = Above[J] + G;
        S = Both;
      }
      Steps[I * M + J] = S;
    }
    std::swap(Above, Row);
    Row[0] = 0;
  }
  std::vector<std::pair<size_t, size_t>> Pairs;
  for (size_t I = N, J = M; I && J;) {
    const Step S = Steps[(I - 1) * M + J - 1];
    I -= S != SkipSecond;
    J -= S != SkipFirst;
    if (S == Both)
      Pairs.push_back({I, J});
  }
  for (auto At = Pairs.rbegin(); At != Pairs.rend(); ++At)
    Pair(At->first, At->second);
}
