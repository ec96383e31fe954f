//===- Numa/Placement/Ranges.cpp - Which policy holds where ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranges.h"
#include <algorithm>

using namespace graupel::numa;

unsigned Policy::nodeOfUnit(uint64_t Unit) const {
  uint64_t Turn = 0;
  for (unsigned W : Weights)
    Turn += W;
  uint64_t At = Unit % Turn;
  size_t N = 0;
  while (At >= Weights[N])
    At -= Weights[N++];
  return Nodes[N];
}

void Ranges::attach(uint64_t Start, uint64_t End, Policy NewPolicy) {
  std::erase_if(All, [&](const Attachment &A) {
    return A.Start == Start && A.End == End;
  });
  All.push_back({Start, End, std::move(NewPolicy), Start});
}

void Ranges::detach(uint64_t Start, uint64_t End) {
  std::erase_if(All, [&](const Attachment &A) {
    return A.Start >= Start && A.End <= End;
  });
}

void Ranges::release(uint64_t Start, uint64_t End) {
  detach(Start, End);
  std::vector<Attachment> Rest;
  for (Attachment &A : All) {
    if (A.End <= Start || A.Start >= End) {
      Rest.push_back(std::move(A));
      continue;
    }
    if (A.Start < Start)
      Rest.push_back({A.Start, Start, A.Rule, A.Origin});
    if (A.End > End)
      Rest.push_back({End, A.End, A.Rule, A.Origin});
  }
  All = std::move(Rest);
}

const Attachment *Ranges::holds(uint64_t Start, uint64_t End) const {
  const Attachment *Best = nullptr;
  for (const Attachment &A : All)
    if (A.Start <= Start && A.End >= End &&
        (!Best || A.End - A.Start <= Best->End - Best->Start))
      Best = &A;
  return Best;
}

std::vector<Piece> Ranges::pieces(uint64_t Start, uint64_t End) const {
  std::vector<uint64_t> Cuts = {Start, End};
  for (const Attachment &A : All)
    for (uint64_t Cut : {A.Start, A.End})
      if (Cut > Start && Cut < End)
        Cuts.push_back(Cut);
  std::sort(Cuts.begin(), Cuts.end());
  Cuts.erase(std::unique(Cuts.begin(), Cuts.end()), Cuts.end());
  std::vector<Piece> Found;
  for (size_t N = 1; N < Cuts.size(); ++N) {
    Piece P{Cuts[N - 1], Cuts[N], holds(Cuts[N - 1], Cuts[N])};
    if (!Found.empty() && Found.back().Holder == P.Holder)
      Found.back().End = P.End;
    else
      Found.push_back(P);
  }
  return Found;
}
