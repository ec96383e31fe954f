//===- Numa/Plan/Recurrence.cpp - Phases that come again ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recurrence.h"
#include <algorithm>

using namespace graupel::numa;

/// More are forgotten, the one first that was not there for longest.
static constexpr size_t MostPhases = 8;
/// So many uses tell, if most of them are as they were.
static constexpr unsigned EnoughUses = 6;
static constexpr double MostOthers = 0.2;

void Recurrence::begin() {
  Current.reset();
  Bytes = 0;
  for (Remembered &P : All)
    P.Same = P.Other = 0;
}

void Recurrence::see(size_t Page, unsigned Owner, double SeenBytes) {
  Bytes += SeenBytes;
  for (Remembered &P : All)
    if (Page < P.Pages.size() && P.Pages[Page].Owner >= 0)
      ++(P.Pages[Page].Owner == int(Owner) ? P.Same : P.Other);
}

const Recurrence::Phase *Recurrence::recognized() {
  size_t Best = All.size();
  for (size_t N = 0; N < All.size(); ++N) {
    const unsigned Uses = All[N].Same + All[N].Other;
    if (Uses >= EnoughUses && All[N].Other <= MostOthers * Uses &&
        (Best == All.size() || All[N].Same > All[Best].Same))
      Best = N;
  }
  if (Best == All.size())
    return nullptr;
  Current = Best;
  return &All[Best];
}

void Recurrence::end(const std::vector<Uses> &Pages) {
  ++Time;
  if (!Current) {
    if (All.size() == MostPhases)
      All.erase(std::min_element(All.begin(), All.end(),
                                 [](const auto &A, const auto &B) {
                                   return A.LastTime < B.LastTime;
                                 }));
    Current = All.size();
    All.emplace_back();
  }
  Remembered &P = All[*Current];
  P.Pages.resize(std::max(P.Pages.size(), Pages.size()));
  for (size_t Page = 0; Page < Pages.size(); ++Page)
    if (Pages[Page].Loads + Pages[Page].Stores > 0)
      P.Pages[Page] = Pages[Page];
  P.Bytes = Bytes;
  P.LastTime = Time;
}
