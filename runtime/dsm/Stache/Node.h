//===- Stache/Node.h - Stache on one node ----------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that a node keeps, behind tempest_protocol_data (so that tests can have
// several nodes in a process), and the parts that work on it:
//
//   Home.cpp        blocks at their home          } engines that run the table,
//   Cache.cpp       blocks on other nodes         } and its actions
//   FirstTouch.cpp  elections of homes            }
//   Pages.cpp       from addresses to pages, and home policies
//   Stache.cpp      handlers: from faults and messages to events
//
// Everything runs in handlers, one at a time.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_STACHE_NODE_H
#define GRAUPEL_DSM_STACHE_NODE_H

#include "Stache/Page.h"
#include "Stache/Stache.h"
#include "Stache/Table.h"
#include "graupel/tempest.h"
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace graupel::dsm::stache {

/// Messages, in the order of their registration. The first word is the address
/// of a block or page.
enum class Kind : unsigned {
  GetRO,
  GetRW,
  Upgrade,
  DataRO, // and the contents
  DataRW, // and the contents
  UpgradeOK,
  InvalidateRO,
  InvalidateRW,
  Downgrade,
  Ack,
  WriteBack, // and the contents
  Replay,    // to itself
  Touch,     // second word: 1 if inside of gdsm_parallel
  HomeIs,    // second word: the node; third: 1 if provisionally
  Move,      // second word: the elected home
  Grant,     // and the page's contents, if it has any
  Installed,
  Count
};

struct Node {
  const Table *Rules = &Published;
  int Self = 0, Nodes = 1;
  graupel_dsm_stache_counts Counts = {};
  unsigned Handlers[size_t(Kind::Count)] = {};

  /// Indexed by Deferred::Next and HomeBlock::First; entry 0 is no entry.
  std::vector<Deferred> Pool{1};
  uint16_t FreeDeferred = 0;

  /// To be raised again after a release. There is no second Ack or event of a
  /// cache before this one has been answered; requests wait at the block.
  struct Stalled {
    enum { Deferred, Ack, Cached } Type;
    CacheEvent Event; ///< If Cached.
    uint8_t Source;
    uintptr_t Block;
  };
  std::vector<Stalled> StalledEvents;

  bool Parallel = false;     ///< Inside of gdsm_parallel.
  bool EverParallel = false; ///< No page can have been elected for before.
  /// Addresses of pages that were provisional; some may not be any more, and
  /// records come and go.
  std::vector<uintptr_t> ProvisionalPages;
};

/// The current node.
inline Node &node() { return *static_cast<Node *>(*tempest_protocol_data()); }

inline void *pointer(uintptr_t A) { return reinterpret_cast<void *>(A); }

/// A message without payload.
inline void send(Node &N, unsigned To, Kind K,
                 std::initializer_list<uint64_t> Words) {
  tempest_message M;
  tempest_begin(&M, int(To), N.Handlers[size_t(K)]);
  for (uint64_t W : Words)
    tempest_put_word(&M, W);
  tempest_send(&M);
}

/// Ends the job: a state and an event, or a message, that cannot be.
[[noreturn]] void impossible(const char *Event, const char *State, uintptr_t A,
                             unsigned From);

// Home.cpp
/// `From`: who sent it; this node for its threads' faults.
void raise(Node &, HomePage &, unsigned Index, HomeEvent, unsigned From);
/// The message to itself has arrived, or a thread has released the block:
/// raises what is deferred.
void replay(Node &, HomePage &, unsigned Index);

// Cache.cpp
/// `Home`: from the page's info, or the sender.
void raise(Node &, CachedPage &, unsigned Index, CacheEvent, unsigned Home);

// FirstTouch.cpp
/// At the manager of the page.
void raise(Node &, Page &, ElectionEvent, unsigned From);
/// A thread of this node needs a page whose home it does not know.
void touch(Node &, Page &);
void homeIs(Node &, Page &, unsigned Home, bool Provisional);
void move(Node &, uintptr_t Address, unsigned Successor);
void grant(Node &, Page &, unsigned Bytes);
/// A block of a page that is being evacuated has become Exclusive.
void evacuate(Node &, HomePage &);
void closeProvisionalPages(Node &);

// Pages.cpp
/// The page at its home, which this node must be; maps it first if need be.
HomePage &pageAtHome(Node &, uintptr_t Address);
/// The mapped page, which must be cached here.
CachedPage &cachedPage(uintptr_t Address);
/// The page, if it is mapped.
Page *findPage(uintptr_t Address);
/// The page, if this node is its home and has mapped it.
HomePage *findPageAtHome(uintptr_t Address);
/// The page; if need be mapped, with protection Invalid and home unknown.
Page &recordOf(Node &, uintptr_t Address);
/// Makes a cached page with Invalid blocks one at home, or the other way. The
/// old record is gone.
HomePage &becomeHome(Node &, Page &);
CachedPage &becomeCached(Node &, HomePage &);
void setProtection(Page &, tempest_page_protection);
void makeProvisional(Node &, Page &);
/// Threads of this node have to ask for the page's home from now on.
void closeProvisional(Page &);
/// Tempest's handler.
void onPageFault(void *Address, uintptr_t PC, int IsStore);

} // namespace graupel::dsm::stache

#endif
