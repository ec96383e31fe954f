//===- CreditTransport.h - Messages over a wire -------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts the parts together: Credits says who may send, Packet how it looks, Wire
// carries it, Inbox keeps it in order, Doorbell tells the receiver.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_CREDITTRANSPORT_H
#define GRAUPEL_DSM_TRANSPORT_CREDITTRANSPORT_H

#include "Transport/Credits.h"
#include "Transport/Doorbell.h"
#include "Transport/Inbox.h"
#include "Transport/Wire.h"

namespace graupel::dsm {

class CreditTransport final : public Transport, private Wire::Receiver {
public:
  /// Messages set aside may take this much memory; more is a protocol's bug.
  static constexpr uint64_t DefaultAsideLimit = uint64_t(1) << 30;

  struct Parameters {
    int Node, Nodes;
    unsigned Window;
    uint64_t AsideLimit = DefaultAsideLimit;
    uint32_t FirstSequence = 0; ///< The same on all nodes.
  };

  CreditTransport(const Parameters &, std::unique_ptr<Doorbell>);

  /// The wire needs receiver(), so it comes later; before anything is sent.
  Wire::Receiver &receiver() { return *this; }
  void connect(std::unique_ptr<Wire>);

  ControlPage &control() override { return Bell->control(); }
  int controlFile(uint64_t &Offset) override { return Bell->file(Offset); }
  ControlPage *controlOf(int Node) override { return Bell->controlOf(Node); }
  bool send(int Destination, const Message &, bool FromHandler) override;
  bool progress() override;
  const Message *next() override { return In.front(); }
  void release() override;
  bool quiet() override;
  void sleep(uint32_t WakeSeen, unsigned Microseconds) override {
    Bell->sleep(WakeSeen, Microseconds);
  }
  void notify() override { Bell->notify(); }
  bool flushed() override { return Net->flushed(); }
  const TransportStatistics &statistics() const override { return Counts; }

private:
  void arrived(const uint8_t *Packet, size_t Size) override;
  bool waitForCredit(int Destination);
  void setAside();
  void sendAck(int Peer);
  void freed(int Peer) {
    if (Flow.freed(Peer)) [[unlikely]]
      sendAck(Peer);
  }

  int Node, Nodes;
  uint64_t AsideLimit;
  uint32_t FirstSequence;
  Credits Flow;
  Inbox In;
  TransportStatistics Counts{};
  std::unique_ptr<Doorbell> Bell;
  std::unique_ptr<Wire> Net; // ends before the others
};

} // namespace graupel::dsm

#endif
