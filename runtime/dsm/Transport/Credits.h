//===- Credits.h - Limits of messages under way -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flow control between pairs of nodes, as numbers (Schoinas 1998, 3.3). Each
// node may have `window` messages under way to another one; a quarter of them
// is kept for messages that handlers generate. Credits come back with messages
// that go the other way, or by themselves when more than a quarter is due.
//
// A handler that cannot send must not run other handlers. If it waits, and a
// peer has a full window of messages here, that peer may wait for this node in
// turn: then what has arrived is set aside, which returns its credits. In any
// cycle of waiting nodes each one observes this, so none goes undetected.
//
// Counters are 64 bits wide and only grow.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_CREDITS_H
#define GRAUPEL_DSM_TRANSPORT_CREDITS_H

#include <cstdint>
#include <vector>

namespace graupel::dsm {

class Credits {
public:
  /// `Window` is at least 4 and at most 65535.
  Credits(int Nodes, unsigned Window) : Window(Window), Peers(Nodes) {}

  unsigned window() const { return Window; }

  bool maySend(int Peer, bool FromHandler) const {
    const Counters &P = Peers[Peer];
    return P.Sent - P.Acked < (FromHandler ? Window : Window - Window / 4);
  }

  /// Uses a credit. Returns the message's number among those to this peer.
  uint64_t send(int Peer) { return Peers[Peer].Sent++; }

  /// Credits came back. False if more than were given out.
  bool acked(int Peer, unsigned Count) {
    Counters &P = Peers[Peer];
    P.Acked += Count;
    return P.Acked <= P.Sent;
  }

  /// A message is here. False if the peer had no credit for it.
  bool arrived(int Peer) {
    Counters &P = Peers[Peer];
    ++P.Arrived;
    return P.Arrived - P.AckSent <= Window;
  }

  /// A message was handled or set aside. True if the credits that are due to
  /// the peer should not wait for a message any longer.
  bool freed(int Peer) {
    Counters &P = Peers[Peer];
    ++P.Freed;
    return P.Freed - P.AckSent > Window / 4;
  }

  bool due(int Peer) const { return Peers[Peer].Freed != Peers[Peer].AckSent; }

  /// The credits that are due to the peer; they must be sent.
  unsigned takeDue(int Peer) {
    Counters &P = Peers[Peer];
    unsigned Due = unsigned(P.Freed - P.AckSent);
    P.AckSent = P.Freed;
    return Due;
  }

  /// True if a peer may be waiting for this node to return credits.
  bool suspectsDeadlock() const;

  /// The default window. In Stache a thread waits for what it asked for, so
  /// there are at most nodes x requests a node transactions at a time, and each
  /// has at most one message under way between two nodes. As many have to fit
  /// without waiting while a quarter of the window has been handled and not
  /// been acknowledged.
  static unsigned defaultWindow(int Nodes, int RequestsPerNode);

  /// Number of requests that each thread may have out, 1 to `Most`, so that all
  /// fit into the largest default window.
  static unsigned requestsPerThread(int Nodes, int ThreadsPerNode,
                                    unsigned Most);

private:
  struct Counters {
    uint64_t Sent = 0, Acked = 0;                 // to the peer
    uint64_t Arrived = 0, Freed = 0, AckSent = 0; // from it
  };
  unsigned Window;
  std::vector<Counters> Peers;
};

} // namespace graupel::dsm

#endif
