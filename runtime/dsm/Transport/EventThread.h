//===- EventThread.h - Waits for the network of other hosts -- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_EVENTTHREAD_H
#define GRAUPEL_DSM_TRANSPORT_EVENTTHREAD_H

#include "Transport/Wire.h"
#include <atomic>
#include <functional>
#include <pthread.h>

namespace graupel::dsm {

/// A thread that calls `Notify` once after each arm() when the wire's
/// descriptor becomes readable. It calls nothing else of the wire. arm() is
/// called under the protocol lock, like all use of the wire.
class EventThread {
public:
  EventThread(Wire &, std::function<void()> Notify);
  ~EventThread();
  EventThread(const EventThread &) = delete;
  EventThread &operator=(const EventThread &) = delete;

  /// False if there is something to do already; the thread is not armed then.
  bool arm();

private:
  static void *main(void *);
  void run();
  /// Returns false if the thread is to end.
  bool waitUntilArmed();

  Wire &Net;
  std::function<void()> Notify;
  std::atomic<uint32_t> Armed{0};
  int Stop; // an eventfd
  pthread_t Thread;
};

} // namespace graupel::dsm

#endif
