//===- Stache/Page.h - Stache's records of pages ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The record at the user_pointer of a page: the directory at its home, the
// state of the cached blocks elsewhere. A block's entry is found by arithmetic.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_STACHE_PAGE_H
#define GRAUPEL_DSM_STACHE_PAGE_H

#include "Stache/Table.h"
#include "graupel/tempest.h"

namespace graupel::dsm::stache {

/// Page modes.
enum Mode : int { AtHome, Cached };

/// A set of nodes.
using NodeSet = uint64_t;
constexpr NodeSet only(unsigned Node) { return NodeSet(1) << Node; }

/// Common to both kinds of pages.
struct Page {
  uintptr_t Address;
  uint32_t BlockSize;
  uint8_t Shift; ///< log2 of it.

  // For first-touch pages alone; see FirstTouch.cpp.
  /// As its manager. Pages that this node manages are mapped for this reason.
  ElectionState Election = ElectionState::Open;
  uint8_t Home = 0;
  NodeSet Waiting = 0;
  /// A touch is out. The page's protection is Invalid.
  bool Touching = false;
  /// At home on node 0 until it is elected for; its address is in the node's
  /// list of such pages.
  bool Provisional = false;

  unsigned count() const { return TEMPEST_PAGE_SIZE >> Shift; }
  unsigned indexOf(uintptr_t A) const { return (A - Address) >> Shift; }
  uintptr_t blockAt(unsigned Index) const {
    return Address + (uintptr_t(Index) << Shift);
  }
  void *pointer() const { return reinterpret_cast<void *>(Address); }
};

/// A block at its home. A directory of 128-byte blocks is an eighth of its
/// page.
struct HomeBlock {
  NodeSet Nodes = 0;
  HomeState State = HomeState::Exclusive;
  uint8_t Requester = 0;
  bool ReplayPosted : 1 = false; ///< The message to itself is under way.
  bool Stalled : 1 = false; ///< The oldest deferred event waits for a release.
  uint16_t First = 0, Last = 0; ///< Deferred events; see Deferred.
};
static_assert(sizeof(HomeBlock) == 16);

struct HomePage : Page {
  /// On node 0, while the page is taken back from all nodes to go to Successor.
  bool Evacuating = false;
  uint8_t Successor = 0;

  /// As many as the page has, behind it.
  HomeBlock *blocks() { return reinterpret_cast<HomeBlock *>(this + 1); }
};

struct CachedPage : Page {
  CacheState *blocks() { return reinterpret_cast<CacheState *>(this + 1); }
};

/// A deferred event. In a pool, by number; 0 is none. A node has at most one
/// request out for a block, so there are never more than faults that threads of
/// the job wait for.
struct Deferred {
  HomeEvent Event;
  uint8_t Requester;
  uint16_t Next;
};

} // namespace graupel::dsm::stache

#endif
