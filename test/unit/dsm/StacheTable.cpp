//===- unit/dsm/StacheTable.cpp - Prints the protocol's table -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the code has compiled, a line a row, to be compared with the model's.
//
//===----------------------------------------------------------------------===//

#include "Stache/Table.h"
#include <cstdio>

using namespace graupel::dsm::stache;
using Names = std::span<const char *const>;

template <typename StateT, typename EventT, typename ActionT>
static void print(const char *Name, const Machine<StateT, EventT, ActionT> &M,
                  Names States, Names Events, Names Actions) {
  for (size_t S = 0; S < size_t(StateT::Count); ++S)
    for (size_t E = 0; E < size_t(EventT::Count); ++E)
      for (const auto &R : M.rows(StateT(S), EventT(E)))
        std::printf("%s %s %s %s %s %s %s\n", Name, States[size_t(R.State)],
                    Events[size_t(R.Event)], GuardNames[size_t(R.When)],
                    Actions[size_t(R.Actions[0])],
                    Actions[size_t(R.Actions[1])], States[size_t(R.Next)]);
}

int main() {
  print("home", Published.Home, HomeStateNames, HomeEventNames,
        HomeActionNames);
  print("cache", Published.Cache, CacheStateNames, CacheEventNames,
        CacheActionNames);
}
