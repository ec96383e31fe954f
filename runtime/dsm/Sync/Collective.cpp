//===- Collective.cpp - Calls that every node has to make -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each node counts its collective calls. One that ends tells all others how far
// it came; who needs more of it would wait for ever, and says so instead.
//
//===----------------------------------------------------------------------===//

#include "Node/Error.h"
#include "Sync/Sync.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace graupel::dsm {

namespace {

using Counts = std::array<uint64_t, 3>; // By Collective.

struct Ended {
  bool Here = false; // Its message is.
  int Status = -1;
  Counts Calls{};
};

// All of it under the protocol lock, but for NodesEnded.
std::vector<Ended> *Nodes = nullptr;
std::atomic<int> NodesEnded{0};
Counts Calls{};

/// The last call of this node. Its wait may be over: then those that it needed
/// have made it, too, and nobody is to blame.
struct {
  Collective Kind = Collective::Barrier;
  const char *Caller = nullptr;
  int Needed = EveryNode;
} Last;

void blame(int Other) {
  const Ended &E = (*Nodes)[Other];
  unsigned Kind = unsigned(Last.Kind);
  if (!E.Here || !Last.Caller || E.Calls[Kind] >= Calls[Kind] ||
      (Last.Needed != EveryNode && Last.Needed != Other))
    return;
  char Status[32] = "";
  if (E.Status >= 0)
    snprintf(Status, sizeof(Status), ", with status %d,", E.Status);
  failWithStatus(E.Status > 0 ? E.Status : 1,
                 "%s waits for node %d, which has ended%s without this call; "
                 "every node has to make the same collective calls before its "
                 "main returns or calls exit",
                 Last.Caller, Other, Status);
}

void onEnded(const Message &M) {
  Ended &E = (*Nodes)[M.Source];
  E.Here = true;
  E.Status = static_cast<int>(M.Word[0]);
  std::copy_n(M.Word + 1, E.Calls.size(), E.Calls.begin());
  blame(M.Source);
  NodesEnded.fetch_add(1, std::memory_order_release);
}

/// A broadcast has an end also where nobody has asked for it.
void compareBroadcasts(int Own) {
  unsigned Kind = unsigned(Collective::Broadcast);
  for (const Ended &E : *Nodes)
    if (E.Status > 0)
      return; // Which is to be told, and explains the rest.
  for (const Ended &E : *Nodes)
    if (E.Calls[Kind] < Calls[Kind])
      fail("node %d has called gdsm_broadcast %llu times, node %d %llu times; "
           "every node has to make the same collective calls",
           Own, (unsigned long long)Calls[Kind], int(&E - Nodes->data()),
           (unsigned long long)E.Calls[Kind]);
}

} // namespace

void registerCollectiveHandlers(Node &N) {
  Nodes = new std::vector<Ended>(N.Count);
  N.Dispatch.setHandler(unsigned(Internal::Ended), onEnded);
}

uint64_t beginCollective(Node &N, Collective Kind, const char *Caller,
                         int Needed) {
  uint64_t Number = ++Calls[unsigned(Kind)];
  Last = {Kind, Caller, Needed};
  if (NodesEnded.load(std::memory_order_relaxed)) [[unlikely]]
    for (int Other = 0; Other != N.Count; ++Other)
      blame(Other);
  return Number;
}

void endTogether(Node &N, int Status) {
  N.Dispatch.lock();
  N.Ending = true;
  abandonLocks(N);
  for (int To = 0; To != N.Count; ++To)
    N.Dispatch.send(To, internalMessage(Internal::Ended, Status, Calls[0],
                                        Calls[1], Calls[2]));
  bool HasLock = N.Dispatch.await(true, [&N] {
    return NodesEnded.load(std::memory_order_acquire) == N.Count;
  });
  if (!HasLock)
    N.Dispatch.lock();
  compareBroadcasts(N.Number);
  N.Dispatch.unlock();
}

} // namespace graupel::dsm
