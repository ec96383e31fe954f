//===- Doorbell.cpp - Tells a node that messages have come ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/Doorbell.h"
#include <climits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using namespace graupel::dsm;

Doorbell::Doorbell(int Node, std::unique_ptr<ControlPages> P)
    : Node(Node), Pages(std::move(P)), Own(Pages->page(Node)),
      Sent(Pages->nodes()), Received(Pages->nodes()) {}

void Doorbell::listen(Wire &W) {
  if (W.descriptor() >= 0)
    Events = std::make_unique<EventThread>(W, [this] { notify(); });
}

bool Doorbell::expects() const {
  for (size_t I = 0; I < Received.size(); ++I)
    if (Own->Announced[I].load(std::memory_order_relaxed) >
        Received[I].load(std::memory_order_relaxed))
      return true;
  return false;
}

void Doorbell::wake(ControlPage &Page) {
  Page.Wake.fetch_add(1);
  syscall(SYS_futex, &Page.Wake, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Doorbell::notify() {
  Own->Poll.store(1, std::memory_order_relaxed);
  Own->Wake.fetch_add(1);
  if (Own->Sleepers.exchange(0) != 0)
    syscall(SYS_futex, &Own->Wake, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Doorbell::sleep(uint32_t WakeSeen, unsigned Microseconds) {
  Own->Sleepers.exchange(1);
  // The kernel compares Wake; a sender that saw no sleeper counted before.
  if (!expects()) {
    timespec Time{time_t(Microseconds / 1000000),
                  long(Microseconds % 1000000) * 1000};
    syscall(SYS_futex, &Own->Wake, FUTEX_WAIT, WakeSeen, &Time, nullptr, 0);
  }
}
