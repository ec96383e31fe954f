//===- Inbox.cpp - Messages that arrived and wait ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/Inbox.h"
#include "Transport/Fatal.h"
#include <bit>
#include <cstdlib>
#include <cstring>

using namespace graupel::dsm;

Inbox::Inbox(int Nodes, unsigned Window, uint32_t First) : Peers(Nodes) {
  for (Peer &P : Peers) {
    P.Expected = First;
    P.Early.resize(std::bit_ceil(Window));
  }
}

Inbox::~Inbox() {
  auto Delete = [](Slot *S) {
    while (S) {
      Slot *Next = S->Next;
      free(S);
      S = Next;
    }
  };
  Delete(Head);
  Delete(Free[0]);
  Delete(Free[1]);
  for (Peer &P : Peers)
    for (Slot *S : P.Early)
      free(S);
}

Inbox::Slot *Inbox::allocate(bool Large) {
  size_t Bytes = (slotBytes(Large) + 63) / 64 * 64;
  auto *S = static_cast<Slot *>(aligned_alloc(64, Bytes));
  if (!S)
    fatal("no memory for messages that arrive; run fewer nodes on this host");
  S->Large = Large;
  return S;
}

Inbox::Slot *Inbox::fill(const PacketHeader &H, const uint8_t *Packet) {
  bool Large = H.Length > SmallPayload;
  Slot *S = Free[Large];
  if (S) [[likely]]
    Free[Large] = S->Next;
  else
    S = allocate(Large);
  S->Next = nullptr;
  S->Aside = false;
  const uint8_t *Payload = unpack(Packet, H, S->M);
  S->M.Payload = S->Payload;
  if (H.Length)
    memcpy(S->Payload, Payload, H.Length);
  return S;
}

void Inbox::append(Slot *S) {
  (Head ? Tail->Next : Head) = S;
  Tail = S;
  if (!FirstHeld)
    FirstHeld = S;
}

bool Inbox::keepEarly(Peer &P, uint32_t Sequence, Slot *S) {
  Slot *&Place = P.Early[Sequence & (P.Early.size() - 1)];
  if (Place) {
    free(S);
    return false;
  }
  Place = S;
  ++P.EarlyCount;
  return true;
}

Inbox::Slot *Inbox::takeNextEarly(Peer &P) {
  Slot *&Place = P.Early[P.Expected & (P.Early.size() - 1)];
  Slot *S = Place;
  if (S) {
    Place = nullptr;
    --P.EarlyCount;
  }
  return S;
}

bool Inbox::pop() {
  Slot *S = Head;
  Head = S->Next;
  if (FirstHeld == S)
    FirstHeld = Head;
  bool Owed = !S->Aside;
  if (!Owed)
    AsideBytes -= slotBytes(S->Large);
  // Lists keep what credits may need; what a flood took goes back.
  if (!Owed && Free[S->Large]) {
    free(S);
  } else {
    S->Next = Free[S->Large];
    Free[S->Large] = S;
  }
  return Owed;
}
