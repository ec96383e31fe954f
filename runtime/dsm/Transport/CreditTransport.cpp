//===- CreditTransport.cpp - Messages over a wire ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/CreditTransport.h"
#include "Transport/Fatal.h"
#include <cassert>
#include <cstring>
#include <sched.h>

using namespace graupel::dsm;

CreditTransport::CreditTransport(const Parameters &P,
                                 std::unique_ptr<Doorbell> Bell)
    : Node(P.Node), Nodes(P.Nodes), AsideLimit(P.AsideLimit),
      FirstSequence(P.FirstSequence), Flow(P.Nodes, P.Window),
      In(P.Nodes, P.Window, P.FirstSequence), Bell(std::move(Bell)) {}

void CreditTransport::connect(std::unique_ptr<Wire> W) {
  Net = std::move(W);
  Bell->listen(*Net);
}

bool CreditTransport::send(int To, const Message &M, bool FromHandler) {
  assert(To != Node && To >= 0 && To < Nodes && "nodes send to others");
  assert(M.Words <= MaxWords && M.Length <= MaxPayload && "too large");
  if (!Flow.maySend(To, FromHandler)) [[unlikely]] {
    ++Counts.CreditWaits;
    if (FromHandler)
      waitForCredit(To);
    else if (Net->progress(), !Flow.maySend(To, FromHandler))
      return false;
  }
  unsigned Due = Flow.takeDue(To);
  size_t Size = pack(Net->buffer(), M, uint8_t(Node), uint16_t(Due),
                     FirstSequence + uint32_t(Flow.send(To)));
  ++Counts.Sent;
  Counts.SentWithPayload += M.Length != 0;
  Counts.SentBytes += Size;
  Net->post(To, Size);
  Bell->ring(To);
  return true;
}

void CreditTransport::sendAck(int Peer) {
  size_t Size =
      packAck(Net->buffer(), uint8_t(Node), uint16_t(Flow.takeDue(Peer)));
  ++Counts.Acknowledgements;
  Net->post(Peer, Size);
  Bell->ring(Peer);
}

bool CreditTransport::waitForCredit(int To) {
  for (unsigned Spins = 1;; ++Spins) {
    Net->progress();
    if (Flow.maySend(To, true))
      return true;
    if (Flow.suspectsDeadlock())
      setAside();
    else if (Spins % 64 == 0)
      sched_yield(); // The peer may need this processor.
  }
}

void CreditTransport::setAside() {
  In.setAside([&](int Source) {
    Flow.freed(Source);
    ++Counts.Overflows;
  });
  Counts.OverflowPeak = In.asidePeak();
  if (In.asideBytes() > AsideLimit)
    fatal(
        "node %d has set aside %llu messages of %llu MiB because its handlers "
        "cannot send, and more arrive; the protocol's handlers send more than "
        "they receive without end",
        Node, (unsigned long long)In.asideCount(),
        (unsigned long long)(In.asideBytes() >> 20));
  // Everything that is due, so that nobody waits for this node any longer.
  for (int Peer = 0; Peer < Nodes; ++Peer)
    if (Flow.due(Peer))
      sendAck(Peer);
}

bool CreditTransport::progress() {
  Net->progress();
  return In.front() != nullptr;
}

void CreditTransport::release() {
  int Source = In.front()->Source;
  if (In.pop())
    freed(Source);
}

void CreditTransport::arrived(const uint8_t *Packet, size_t Size) {
  PacketHeader H;
  if (Size >= sizeof(H))
    memcpy(&H, Packet, sizeof(H));
  if (Size < sizeof(H) || H.Source >= Nodes || H.Words > MaxWords ||
      H.Length > MaxPayload || packetSize(H) != Size ||
      !Flow.acked(H.Source, H.Acks))
    fatal(
        "node %d received a damaged message of %zu bytes; do all nodes run the "
        "same version of Graupel?",
        Node, Size);
  Bell->heard(H.Source);
  if (H.Flags & PacketHeader::AckOnly)
    return;
  if (!In.put(H, Packet, [&](int Source) {
        [[maybe_unused]] bool HadCredit = Flow.arrived(Source);
        assert(HadCredit && "a peer exceeds its window");
      }))
    fatal("node %d received message %u of node %u twice, or without a credit; "
          "this is a bug of Graupel or UCX",
          Node, unsigned(H.Sequence), unsigned(H.Source));
}

bool CreditTransport::quiet() {
  Bell->clear();
  if (!progress() && !Bell->expects() && Net->flushed() && Bell->arm())
    return false;
  Bell->raise();
  return true;
}
