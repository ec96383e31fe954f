//===- Stache/Stache.cpp - From faults and messages to events -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers Stache's handlers and turns faults and messages into events.
//
// 1. graupel_dsm_stache_start: make the node's data, and register the handlers
//    of messages, block faults, page faults and releases.
// 2. Block faults become Load and Store events at home or in the cache, with
//    any tag (onHomeFault, onCacheFault).
// 3. Messages about blocks name the block in their first word. They become an
//    event at its home or in its cache (onHomeMessage, onCacheMessage).
// 4. Replay and a release raise events again that were deferred or stalled
//    (onReplay, onRelease).
// 5. Messages about pages go to the election of homes (FirstTouch.cpp).
// 6. graupel_dsm_stache_parallel_begins and _ends tell when first-touch pages
//    are elected for; the former closes provisional pages.
//
//===----------------------------------------------------------------------===//

#include "Stache/Stache.h"
#include "Stache/Node.h"
#include <utility>

namespace graupel::dsm::stache {

void impossible(const char *Event, const char *State, uintptr_t A,
                unsigned From) {
  tempest_fatal("the coherence protocol got %s from node %u for the block or "
                "page at %#zx in state %s, which cannot be; please report this",
                Event, From, size_t(A), State);
}

namespace {

// --- Faults -----------------------------------------------------------------

HomePage &homePage(void *UserPointer) {
  return *static_cast<HomePage *>(static_cast<Page *>(UserPointer));
}
CachedPage &cachedPage(void *UserPointer) {
  return *static_cast<CachedPage *>(static_cast<Page *>(UserPointer));
}

template <HomeEvent Event>
void onHomeFault(void *Address, void *UserPointer, int) {
  Node &N = node();
  HomePage &P = homePage(UserPointer);
  raise(N, P, P.indexOf(uintptr_t(Address)), Event, unsigned(N.Self));
}

template <CacheEvent Event>
void onCacheFault(void *Address, void *UserPointer, int Home) {
  CachedPage &P = cachedPage(UserPointer);
  raise(node(), P, P.indexOf(uintptr_t(Address)), Event, unsigned(Home));
}

// --- Messages about blocks --------------------------------------------------

template <HomeEvent Event> void onHomeMessage(int Source, int) {
  Node &N = node();
  uintptr_t Block = tempest_get_word();
  HomePage &P = pageAtHome(N, Block);
  raise(N, P, P.indexOf(Block), Event, unsigned(Source));
}

template <CacheEvent Event> void onCacheMessage(int Source, int) {
  uintptr_t Block = tempest_get_word();
  CachedPage &P = stache::cachedPage(Block);
  raise(node(), P, P.indexOf(Block), Event, unsigned(Source));
}

void replayIfAtHome(uintptr_t Block) {
  // Nothing can be left to replay at a page that has gone to its elected home.
  if (HomePage *P = findPageAtHome(Block))
    replay(node(), *P, P->indexOf(Block));
}

void onReplay(int, int) { replayIfAtHome(tempest_get_word()); }

void onRelease() {
  Node &N = node();
  for (const Node::Stalled &S : std::exchange(N.StalledEvents, {}))
    switch (S.Type) {
    case Node::Stalled::Deferred:
      replayIfAtHome(S.Block);
      break;
    case Node::Stalled::Ack: {
      HomePage &P = pageAtHome(N, S.Block);
      raise(N, P, P.indexOf(S.Block), HomeEvent::Ack, S.Source);
      break;
    }
    case Node::Stalled::Cached: {
      CachedPage &P = stache::cachedPage(S.Block);
      raise(N, P, P.indexOf(S.Block), S.Event, S.Source);
      break;
    }
    }
}

// --- Messages about pages ---------------------------------------------------

void onTouch(int Source, int) {
  Node &N = node();
  Page &P = recordOf(N, tempest_get_word());
  bool Parallel = tempest_get_word();
  raise(N, P, Parallel ? ElectionEvent::Touch : ElectionEvent::SerialTouch,
        unsigned(Source));
}

void onInstalled(int Source, int) {
  Node &N = node();
  raise(N, recordOf(N, tempest_get_word()), ElectionEvent::Installed,
        unsigned(Source));
}

void onHomeIs(int, int) {
  Node &N = node();
  Page &P = recordOf(N, tempest_get_word());
  unsigned Home = unsigned(tempest_get_word());
  homeIs(N, P, Home, tempest_get_word());
}

void onMove(int, int) {
  uintptr_t Address = tempest_get_word();
  move(node(), Address, unsigned(tempest_get_word()));
}

void onGrant(int, int Size) {
  Node &N = node();
  grant(N, recordOf(N, tempest_get_word()), unsigned(Size) - 8);
}

void registerMessages(Node &N) {
  struct Entry {
    Kind K;
    const char *Name;
    tempest_message_handler Handler;
  };
  static constexpr Entry Entries[] = {
      {Kind::GetRO, "stache.GetRO", onHomeMessage<HomeEvent::GetRO>},
      {Kind::GetRW, "stache.GetRW", onHomeMessage<HomeEvent::GetRW>},
      {Kind::Upgrade, "stache.Upgrade", onHomeMessage<HomeEvent::Upgrade>},
      {Kind::DataRO, "stache.DataRO", onCacheMessage<CacheEvent::DataRO>},
      {Kind::DataRW, "stache.DataRW", onCacheMessage<CacheEvent::DataRW>},
      {Kind::UpgradeOK, "stache.UpgradeOK",
       onCacheMessage<CacheEvent::UpgradeOK>},
      {Kind::InvalidateRO, "stache.InvalidateRO",
       onCacheMessage<CacheEvent::InvalidateRO>},
      {Kind::InvalidateRW, "stache.InvalidateRW",
       onCacheMessage<CacheEvent::InvalidateRW>},
      {Kind::Downgrade, "stache.Downgrade",
       onCacheMessage<CacheEvent::Downgrade>},
      {Kind::Ack, "stache.Ack", onHomeMessage<HomeEvent::Ack>},
      {Kind::WriteBack, "stache.WriteBack",
       onHomeMessage<HomeEvent::WriteBack>},
      {Kind::Replay, "stache.Replay", onReplay},
      {Kind::Touch, "stache.Touch", onTouch},
      {Kind::HomeIs, "stache.HomeIs", onHomeIs},
      {Kind::Move, "stache.Move", onMove},
      {Kind::Grant, "stache.Grant", onGrant},
      {Kind::Installed, "stache.Installed", onInstalled},
  };
  static_assert(std::size(Entries) == size_t(Kind::Count));
  for (const Entry &E : Entries)
    N.Handlers[size_t(E.K)] =
        tempest_register_message_handler(E.Name, E.Handler);
}

/// A fault may be told of with the tag of then or the tag of now, so all tags
/// that refuse an access lead to the same event.
void registerFaults(int Mode, tempest_block_fault_handler Load,
                    tempest_block_fault_handler Store) {
  for (tempest_tag Tag :
       {TEMPEST_READ_WRITE, TEMPEST_READ_ONLY, TEMPEST_INVALID, TEMPEST_BUSY}) {
    tempest_register_block_fault_handler(Mode, Tag, TEMPEST_LOAD, Load);
    tempest_register_block_fault_handler(Mode, Tag, TEMPEST_STORE, Store);
  }
}

} // namespace
} // namespace graupel::dsm::stache

using namespace graupel::dsm::stache;

void graupel_dsm_stache_start(void) {
  Node &N = *new Node; // For as long as the process lives.
  N.Self = tempest_node();
  N.Nodes = tempest_nodes();
  *tempest_protocol_data() = &N;
  registerMessages(N);
  registerFaults(AtHome, onHomeFault<HomeEvent::HomeLoad>,
                 onHomeFault<HomeEvent::HomeStore>);
  registerFaults(Cached, onCacheFault<CacheEvent::Load>,
                 onCacheFault<CacheEvent::Store>);
  tempest_register_page_fault_handler(onPageFault);
  tempest_register_release_handler(onRelease);
}

void graupel_dsm_stache_parallel_begins(void) {
  Node &N = node();
  N.Parallel = N.EverParallel = true;
  closeProvisionalPages(N);
}

void graupel_dsm_stache_parallel_ends(void) { node().Parallel = false; }

const graupel_dsm_stache_counts *graupel_dsm_stache_statistics(void) {
  return &node().Counts;
}
