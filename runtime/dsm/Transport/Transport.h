//===- Transport.h - Active messages between nodes -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ordered messages of at most 8 words and 4 KiB between any two nodes, with
// credits, batched acknowledgements, and the receiver-overflow buffers that
// keep handlers which send from deadlock (Schoinas 1998, 3.2-3.3 and 3.6).
// Knows UCX; knows nothing of what messages mean. Handlers are not called from
// here: what arrives is queued, and the node's dispatch loop takes it.
//
// Threads: all calls are made under the node's protocol lock, except notify().
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_TRANSPORT_H
#define GRAUPEL_DSM_TRANSPORT_TRANSPORT_H

#include "Transport/Bootstrap.h"
#include "Transport/Control.h"
#include <cstdint>
#include <memory>

namespace graupel::dsm {

/// A message, as it is sent, queued and handled.
struct Message {
  uint16_t Handler;
  uint8_t Words;                ///< Number of words, at most 8.
  uint8_t Kind;                 ///< For the layer above; not looked at.
  uint32_t Length;              ///< Bytes of payload, at most 4096.
  int32_t Source;               ///< Filled in by the transport at the receiver.
  uint8_t Change, RemoteChange; ///< For the layer above.
  uint64_t RemoteAddress;       ///< For the layer above.
  uint64_t Word[8];
  const void *Payload; ///< In a received one: valid until release().
};

/// Counts since the start.
struct TransportStatistics {
  uint64_t Sent, SentWithPayload, SentBytes;
  uint64_t Acknowledgements; ///< Sent by themselves, not with a message.
  uint64_t Overflows;        ///< Copied aside because a handler could not send.
  uint64_t CreditWaits;      ///< Sends that had to wait for credits.
  uint64_t OverflowPeak; ///< Bytes that were copied aside at a time, at most.
};

class Transport {
public:
  /// Collective if any node does it: waits until all that was sent has left,
  /// and for the other nodes. Messages that arrive meanwhile are lost.
  virtual ~Transport() = default;

  /// Collective: connects all nodes of the job. `Window`: unacknowledged
  /// messages per pair of nodes; 0 for the default, which fits Stache if the
  /// threads of a node have at most `RequestsPerNode` requests out together.
  /// Ends the job with a message if UCX cannot connect.
  static std::unique_ptr<Transport> open(Bootstrap &, int RequestsPerNode,
                                         unsigned Window = 0);

  /// Number of requests that a thread may have out at a time, at most `Most`,
  /// so that there is a default window for those of all threads of the job.
  static unsigned requestsPerThread(int Nodes, int ThreadsPerNode,
                                    unsigned Most);

  /// This node's page, and its file, to be mapped at gs:[0] as well.
  virtual ControlPage &control() = 0;
  virtual int controlFile(uint64_t &Offset) = 0;
  /// Another node's page; null if it is on another host. Any thread.
  virtual ControlPage *controlOf(int Node) = 0;

  /// Sends to another node. Everything named may be changed on return. With
  /// `FromHandler` it may use the quarter of the window that is kept for
  /// messages that handlers generate, and waits, if it must, only for
  /// acknowledgements, copying arrivals aside when somebody might wait for this
  /// node in turn. Without, and without credits, returns false: the caller lets
  /// the dispatch loop run and tries again.
  virtual bool send(int Destination, const Message &, bool FromHandler) = 0;

  /// Looks for arrivals; true if next() has a message.
  virtual bool progress() = 0;

  /// The oldest message that arrived, or null. It stays at the head until
  /// release(), which returns its credit.
  virtual const Message *next() = 0;
  virtual void release() = 0;

  /// For a dispatch loop that has found nothing: clears this node's Poll flag
  /// and looks once more. True if something has arrived, was announced, or has
  /// still to leave (then the flag is set again, and progress() is called for).
  virtual bool quiet() = 0;

  /// Sleeps until a message may have arrived, the control page's Wake is not
  /// `WakeSeen`, or `Microseconds` have passed. Called WITHOUT the protocol
  /// lock, by any number of threads, after: read Wake; under the lock see that
  /// there is nothing to do and that quiet() returns false. Messages of other
  /// hosts set Poll, and wake, without a thread that calls this.
  virtual void sleep(uint32_t WakeSeen, unsigned Microseconds) = 0;

  /// Sets the Poll flag of this node and wakes who sleeps. Any thread, any
  /// time.
  virtual void notify() = 0;

  /// True if all that was sent has left this process.
  virtual bool flushed() = 0;

  virtual const TransportStatistics &statistics() const = 0;
};

} // namespace graupel::dsm

#endif
