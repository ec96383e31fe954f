//===- Stache/Table.h - The protocol's table, compiled ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transitions.def as types and as a table that finds the rows of a state and an
// event by arithmetic. Knows nothing of nodes, memory or messages.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_STACHE_TABLE_H
#define GRAUPEL_DSM_STACHE_TABLE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace graupel::dsm::stache {

enum class HomeState : uint8_t {
#define HOME_STATE(Name) Name,
#include "Stache/Transitions.def"
  Count
};
enum class HomeEvent : uint8_t {
#define HOME_EVENT(Name) Name,
#include "Stache/Transitions.def"
  Count
};
enum class HomeAction : uint8_t {
  None,
#define HOME_ACTION(Name) Name,
#include "Stache/Transitions.def"
  Count
};
enum class CacheState : uint8_t {
#define CACHE_STATE(Name) Name,
#include "Stache/Transitions.def"
  Count
};
enum class CacheEvent : uint8_t {
#define CACHE_EVENT(Name) Name,
#include "Stache/Transitions.def"
  Count
};
enum class CacheAction : uint8_t {
  None,
#define CACHE_ACTION(Name) Name,
#include "Stache/Transitions.def"
  Count
};
enum class ElectionState : uint8_t {
#define ELECTION_STATE(Name) Name,
#include "Stache/Transitions.def"
  Count
};
enum class ElectionEvent : uint8_t {
#define ELECTION_EVENT(Name) Name,
#include "Stache/Transitions.def"
  Count
};
enum class ElectionAction : uint8_t {
  None,
#define ELECTION_ACTION(Name) Name,
#include "Stache/Transitions.def"
  Count
};
enum class Guard : uint8_t {
#define GUARD(Name) Name,
#include "Stache/Transitions.def"
  Count
};

// Names, by number.
extern const std::span<const char *const> HomeStateNames, HomeEventNames,
    HomeActionNames, CacheStateNames, CacheEventNames, CacheActionNames,
    ElectionStateNames, ElectionEventNames, ElectionActionNames, GuardNames;

/// A line of Transitions.def.
template <typename StateT, typename EventT, typename ActionT> struct Row {
  StateT State;
  EventT Event;
  Guard When;
  std::array<ActionT, 2> Actions;
  StateT Next;
};

using HomeRow = Row<HomeState, HomeEvent, HomeAction>;
using CacheRow = Row<CacheState, CacheEvent, CacheAction>;
using ElectionRow = Row<ElectionState, ElectionEvent, ElectionAction>;

/// The rows of each state and event.
template <typename StateT, typename EventT, typename ActionT> class Machine {
public:
  using RowT = Row<StateT, EventT, ActionT>;
  /// The most rows that a state and an event have.
  static constexpr size_t Fan = 4;

  constexpr explicit Machine(std::span<const RowT> Rows) {
    for (const RowT &R : Rows) {
      Choice &C = at(R.State, R.Event);
      C.Rows[C.Count++] = R;
    }
  }

  /// The rows for an event; empty if it cannot happen.
  std::span<RowT> rows(StateT State, EventT Event) {
    Choice &C = at(State, Event);
    return {C.Rows, C.Count};
  }
  std::span<const RowT> rows(StateT State, EventT Event) const {
    const Choice &C = Choices[index(State, Event)];
    return {C.Rows, C.Count};
  }

private:
  static constexpr size_t Events = size_t(EventT::Count);
  static constexpr size_t index(StateT State, EventT Event) {
    return size_t(State) * Events + size_t(Event);
  }
  struct Choice {
    RowT Rows[Fan] = {};
    size_t Count = 0;
  };
  constexpr Choice &at(StateT State, EventT Event) {
    return Choices[index(State, Event)];
  }

  Choice Choices[size_t(StateT::Count) * Events];
};

/// The three machines. Copied only by tests, which break rows to see that it is
/// noticed.
struct Table {
  Machine<HomeState, HomeEvent, HomeAction> Home;
  Machine<CacheState, CacheEvent, CacheAction> Cache;
  Machine<ElectionState, ElectionEvent, ElectionAction> Election;
};

/// The table of Transitions.def.
extern const Table Published;

/// Home's states in which nothing is deferred.
constexpr bool isStable(HomeState State) { return State <= HomeState::Remote; }

} // namespace graupel::dsm::stache

#endif
