//===- Doorbell.h - Tells a node that messages have come ----- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Senders of the same host write to the receiver's control page: they count the
// message, and set Poll unless it is set, and wake who sleeps. The count and
// Poll, and the count and Sleepers, are two Dekker pairs: the sender counts,
// and then looks whether Poll is clear and somebody sleeps; the receiver clears
// Poll or becomes a sleeper, and then looks at the count. One side sees the
// other. Both need a full barrier between; the sender's is after the message is
// on its way, so it takes the processor's time and not the message's.
//
// A count can be ahead of the message (tcp between processes of one host, or a
// full queue). Until it is here, Poll stays set.
//
// For peers of other hosts a thread waits for the wire's descriptor, sets Poll
// and wakes. quiet() arms it.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_DOORBELL_H
#define GRAUPEL_DSM_TRANSPORT_DOORBELL_H

#include "Transport/ControlPages.h"
#include "Transport/EventThread.h"
#include "Transport/Wire.h"

namespace graupel::dsm {

class Doorbell {
public:
  Doorbell(int Node, std::unique_ptr<ControlPages>);

  ControlPage &control() { return *Own; }
  ControlPage *controlOf(int Node) { return Pages->page(Node); }
  int file(uint64_t &Offset) { return Pages->file(Offset); }

  /// From here on arm() may be called.
  void listen(Wire &);

  /// After a message was handed to the wire.
  void ring(int Destination) {
    ControlPage *Page = Pages->page(Destination);
    if (!Page)
      return;
    // An exchange for its barrier; nobody else writes here.
    Page->Announced[Node].exchange(++Sent[Destination]);
    if (Page->Poll.load(std::memory_order_relaxed) == 0)
      Page->Poll.store(1, std::memory_order_relaxed);
    if (Page->Sleepers.load(std::memory_order_relaxed) != 0 &&
        Page->Sleepers.exchange(0) != 0) [[unlikely]]
      wake(*Page);
  }

  /// A packet of this node has arrived.
  void heard(int Source) {
    auto &Count = Received[Source];
    Count.store(Count.load(std::memory_order_relaxed) + 1,
                std::memory_order_relaxed);
  }

  /// Clears Poll; what is looked at behind is no older.
  void clear() { Own->Poll.exchange(0); }
  void raise() { Own->Poll.store(1, std::memory_order_relaxed); }

  /// True if a packet was announced that has not arrived.
  bool expects() const;

  /// For messages of other hosts: from now on they set Poll. False if one may
  /// be here already.
  bool arm() { return !Events || Events->arm(); }

  void notify();
  void sleep(uint32_t WakeSeen, unsigned Microseconds);

private:
  static void wake(ControlPage &);

  int Node;
  std::unique_ptr<ControlPages> Pages;
  ControlPage *Own;
  std::vector<uint64_t> Sent;
  std::vector<std::atomic<uint64_t>>
      Received; // read by sleep() without the lock
  std::unique_ptr<EventThread> Events;
};

} // namespace graupel::dsm

#endif
