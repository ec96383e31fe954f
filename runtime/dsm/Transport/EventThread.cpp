//===- EventThread.cpp - Waits for the network of other hosts ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/EventThread.h"
#include "Transport/Thread.h"
#include <linux/futex.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace graupel::dsm;

namespace {
enum : uint32_t { Idle, Waiting, Ending };

void futex(std::atomic<uint32_t> &Word, int Operation, uint32_t Value) {
  syscall(SYS_futex, &Word, Operation | FUTEX_PRIVATE_FLAG, Value, nullptr,
          nullptr, 0);
}
} // namespace

EventThread::EventThread(Wire &Net, std::function<void()> Notify)
    : Net(Net), Notify(std::move(Notify)), Stop(eventfd(0, EFD_CLOEXEC)),
      Thread(startThread("graupel-events", main, this)) {}

EventThread::~EventThread() {
  uint64_t One = 1;
  Armed.store(Ending);
  futex(Armed, FUTEX_WAKE, 1);
  [[maybe_unused]] ssize_t Written = write(Stop, &One, sizeof(One));
  pthread_join(Thread, nullptr);
  close(Stop);
}

bool EventThread::arm() {
  if (Armed.load(std::memory_order_relaxed) == Waiting) {
    // It still waits from before. The wire may have been used since then, which
    // can have taken the event away, so it is armed again.
    return Net.arm();
  }
  if (!Net.arm())
    return false;
  Armed.store(Waiting);
  futex(Armed, FUTEX_WAKE, 1);
  return true;
}

void *EventThread::main(void *This) {
  static_cast<EventThread *>(This)->run();
  return nullptr;
}

bool EventThread::waitUntilArmed() {
  uint32_t State;
  while ((State = Armed.load()) == Idle)
    futex(Armed, FUTEX_WAIT, Idle);
  return State != Ending;
}

void EventThread::run() {
  while (waitUntilArmed()) {
    pollfd Wait[2] = {{Net.descriptor(), POLLIN, 0}, {Stop, POLLIN, 0}};
    if (poll(Wait, 2, -1) < 0)
      continue;
    if (Wait[1].revents)
      return;
    uint32_t Expected = Waiting;
    Armed.compare_exchange_strong(Expected, Idle);
    Notify();
  }
}
