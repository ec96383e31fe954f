//===- Inbox.h - Messages that arrived and wait -------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The queue of a node: one for all peers, in the order of arrival, which is the
// order of sending within each pair. Packets that overtook others wait until
// those are here, whatever the network promises.
//
// Memory: slots of two sizes, taken from lists that grow when they are empty.
// Credits bound what is queued to nodes x window. Setting messages aside marks
// them: they stay where they are, in order, and the lists grow instead.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_INBOX_H
#define GRAUPEL_DSM_TRANSPORT_INBOX_H

#include "Transport/Packet.h"
#include <vector>

namespace graupel::dsm {

class Inbox {
public:
  struct Slot {
    Message M;
    Slot *Next;
    bool Large;
    bool Aside; ///< Its credit has been returned.
    alignas(64) uint8_t Payload[];
  };

  /// `First` is the number of each peer's first message.
  Inbox(int Nodes, unsigned Window, uint32_t First = 0);
  ~Inbox();
  Inbox(const Inbox &) = delete;
  Inbox &operator=(const Inbox &) = delete;

  /// Copies a packet. Calls Arrived(source) for each message that is now in the
  /// queue, which is none if others have to come first. False if the number
  /// cannot be: a peer may have no more than a window under way.
  template <typename Function>
  bool put(const PacketHeader &H, const uint8_t *Packet, Function Arrived) {
    Peer &P = Peers[H.Source];
    uint32_t Ahead = H.Sequence - P.Expected;
    if (Ahead >= P.Early.size())
      return false;
    Slot *S = fill(H, Packet);
    if (Ahead != 0) [[unlikely]]
      return keepEarly(P, H.Sequence, S);
    do {
      append(S);
      ++P.Expected;
      Arrived(H.Source);
      S = takeEarly(P);
    } while (S);
    return true;
  }

  const Message *front() const { return Head ? &Head->M : nullptr; }

  /// Removes the front. Returns true if its credit is still to be returned.
  bool pop();

  /// Marks all that is queued. Calls Freed(source) for each newly marked
  /// message.
  template <typename Function> void setAside(Function Freed) {
    for (Slot *S = FirstHeld; S; S = S->Next) {
      S->Aside = true;
      AsideBytes += slotBytes(S->Large);
      ++AsideCount;
      Freed(S->M.Source);
    }
    FirstHeld = nullptr;
    if (AsideBytes > AsidePeak)
      AsidePeak = AsideBytes;
  }

  /// Messages that were set aside since the start; bytes that they take now,
  /// and have taken at most.
  uint64_t asideCount() const { return AsideCount; }
  uint64_t asideBytes() const { return AsideBytes; }
  uint64_t asidePeak() const { return AsidePeak; }

private:
  struct Peer {
    uint32_t Expected = 0;
    unsigned EarlyCount = 0;
    std::vector<Slot *> Early; // by number modulo its size
  };

  static constexpr unsigned SmallPayload = 256;
  static size_t slotBytes(bool Large) {
    return sizeof(Slot) + (Large ? MaxPayload : SmallPayload);
  }

  Slot *fill(const PacketHeader &, const uint8_t *Packet);
  void append(Slot *);
  bool keepEarly(Peer &, uint32_t Sequence, Slot *);
  Slot *takeEarly(Peer &P) {
    return P.EarlyCount == 0 ? nullptr : takeNextEarly(P);
  }
  Slot *takeNextEarly(Peer &);
  Slot *allocate(bool Large);

  Slot *Head = nullptr, *Tail = nullptr;
  Slot *FirstHeld = nullptr; // of those whose credit is still to be returned
  Slot *Free[2] = {};
  std::vector<Peer> Peers;
  uint64_t AsideCount = 0, AsideBytes = 0, AsidePeak = 0;
};

} // namespace graupel::dsm

#endif
