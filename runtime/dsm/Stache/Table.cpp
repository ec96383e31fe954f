//===- Stache/Table.cpp - The protocol's table, compiled ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stache/Table.h"

namespace graupel::dsm::stache {

#define ONE(A) {Action::A, Action::None}
#define TWO(A, B) {Action::A, Action::B}

namespace home {
using Action = HomeAction;
constexpr HomeRow Rows[] = {
#define HOME(S, E, G, A, N)                                                    \
  {HomeState::S, HomeEvent::E, Guard::G, {A}, HomeState::N},
#include "Stache/Transitions.def"
};
} // namespace home

namespace cache {
using Action = CacheAction;
constexpr CacheRow Rows[] = {
#define CACHE(S, E, G, A, N)                                                   \
  {CacheState::S, CacheEvent::E, Guard::G, {A}, CacheState::N},
#include "Stache/Transitions.def"
};
} // namespace cache

namespace election {
using Action = ElectionAction;
constexpr ElectionRow Rows[] = {
#define ELECTION(S, E, G, A, N)                                                \
  {ElectionState::S, ElectionEvent::E, Guard::G, {A}, ElectionState::N},
#include "Stache/Transitions.def"
};
} // namespace election

constexpr Table Compiled{decltype(Table::Home)(home::Rows),
                         decltype(Table::Cache)(cache::Rows),
                         decltype(Table::Election)(election::Rows)};
constinit const Table Published = Compiled;

// The names, from the same lists.

static constexpr const char *HomeStateList[] = {
#define HOME_STATE(Name) #Name,
#include "Stache/Transitions.def"
};
static constexpr const char *HomeEventList[] = {
#define HOME_EVENT(Name) #Name,
#include "Stache/Transitions.def"
};
static constexpr const char *HomeActionList[] = {
    "None",
#define HOME_ACTION(Name) #Name,
#include "Stache/Transitions.def"
};
static constexpr const char *CacheStateList[] = {
#define CACHE_STATE(Name) #Name,
#include "Stache/Transitions.def"
};
static constexpr const char *CacheEventList[] = {
#define CACHE_EVENT(Name) #Name,
#include "Stache/Transitions.def"
};
static constexpr const char *CacheActionList[] = {
    "None",
#define CACHE_ACTION(Name) #Name,
#include "Stache/Transitions.def"
};
static constexpr const char *ElectionStateList[] = {
#define ELECTION_STATE(Name) #Name,
#include "Stache/Transitions.def"
};
static constexpr const char *ElectionEventList[] = {
#define ELECTION_EVENT(Name) #Name,
#include "Stache/Transitions.def"
};
static constexpr const char *ElectionActionList[] = {
    "None",
#define ELECTION_ACTION(Name) #Name,
#include "Stache/Transitions.def"
};
static constexpr const char *GuardList[] = {
#define GUARD(Name) #Name,
#include "Stache/Transitions.def"
};

using Names = std::span<const char *const>;
constinit const Names HomeStateNames = HomeStateList;
constinit const Names HomeEventNames = HomeEventList;
constinit const Names HomeActionNames = HomeActionList;
constinit const Names CacheStateNames = CacheStateList;
constinit const Names CacheEventNames = CacheEventList;
constinit const Names CacheActionNames = CacheActionList;
constinit const Names ElectionStateNames = ElectionStateList;
constinit const Names ElectionEventNames = ElectionEventList;
constinit const Names ElectionActionNames = ElectionActionList;
constinit const Names GuardNames = GuardList;

} // namespace graupel::dsm::stache
