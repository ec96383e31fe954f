//===- Broadcast.cpp - One node's data for all ------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Down a binomial tree whose root is the sender, in parts of a message's size.
// A node that has not called yet keeps what arrives.
//
//===----------------------------------------------------------------------===//

#include "Errors/Error.h"
#include "Sync/Sync.h"
#include "graupel/dsm.h"
#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

namespace graupel::dsm {

namespace {

constexpr char Name[] = "gdsm_broadcast";
constexpr size_t PartBytes = 4096;

struct Incoming {
  std::vector<char> Data;
  size_t Arrived = 0;
  std::atomic<bool> Complete{false};
};

/// By broadcast, from 1. Under the protocol lock.
std::map<uint64_t, Incoming> *Early = nullptr;

void onPart(const Message &M) {
  auto [Number, Root, Total, Offset] =
      std::array{M.Word[0], M.Word[1], M.Word[2], M.Word[3]};
  compareCollective(static_cast<int>(Root), M.Word[4],
                    CollectiveCall(M.Word[5], M.Word[6]));
  Incoming &I = (*Early)[Number];
  I.Data.resize(Total);
  memcpy(I.Data.data() + Offset, M.Payload, M.Length);
  I.Arrived += M.Length;
  if (I.Arrived == Total) {
    I.Complete.store(true, std::memory_order_release);
    TheNode->Dispatch.signal();
  }
  passDown(*TheNode, M, static_cast<int>(Root));
}

void sendAll(Node &N, const CollectiveCall &Call, const char *Data,
             size_t Size) {
  Locked Lock(N.Dispatch);
  CollectiveNumber Number = beginCollective(N, Call, N.Number);
  size_t Offset = 0;
  do { // No data are a part, too, or a wrong size would not be noticed.
    Message M =
        internalMessage(Internal::BroadcastPart, Number.OfKind, N.Number, Size,
                        Offset, Number.OfAll, Call.word(), Call.Pc);
    M.Length = static_cast<uint32_t>(std::min(PartBytes, Size - Offset));
    M.Payload = Data + Offset;
    passDown(N, M, N.Number);
    Offset += PartBytes;
  } while (Offset < Size);
}

void receiveAll(Node &N, const CollectiveCall &Call, char *Data, size_t Size,
                int Root) {
  N.Dispatch.lock();
  uint64_t Number = beginCollective(N, Call, Root).OfKind;
  Incoming &I = (*Early)[Number];
  bool HasLock = N.Dispatch.await(
      true, [&I] { return I.Complete.load(std::memory_order_acquire); });
  if (!HasLock)
    N.Dispatch.lock();
  if (I.Data.size() != Size)
    fail("gdsm_broadcast got %zu bytes, and node %d wants %zu; all nodes have "
         "to give the same size",
         I.Data.size(), N.Number, Size);
  memcpy(Data, I.Data.data(), Size);
  Early->erase(Number);
  N.Dispatch.unlock();
}

} // namespace

void passDown(Node &N, Message M, int Root) {
  int Rank = (N.Number - Root + N.Count) % N.Count;
  for (int Step = 1; Step < N.Count && !(Rank & Step); Step *= 2)
    if (Rank + Step < N.Count)
      N.Dispatch.send((N.Number + Step) % N.Count, M);
}

void registerBroadcastHandlers(Node &N) {
  Early = new std::map<uint64_t, Incoming>;
  N.Dispatch.setHandler(unsigned(Internal::BroadcastPart), onPart);
}

} // namespace graupel::dsm

using namespace graupel::dsm;

void gdsm_broadcast(void *Data, size_t Size, int Root) {
  Node &N = nodeFor(Name);
  if (Root < 0 || Root >= N.Count)
    fail("gdsm_broadcast: node %d is none; they are 0 to %d", Root,
         N.Count - 1);
  if (N.Shared.contains(Data))
    fail("gdsm_broadcast of %p, which is shared memory; it is for private "
         "data (GDSM_PER_NODE), shared ones need a gdsm_barrier only",
         Data);
  CollectiveCall Call(Collective::Broadcast, __builtin_return_address(0),
                      static_cast<uint32_t>(Root));
  InCollective Here(N, Call);
  if (N.Number == Root)
    sendAll(N, Call, static_cast<const char *>(Data), Size);
  else
    receiveAll(N, Call, static_cast<char *>(Data), Size, Root);
}
