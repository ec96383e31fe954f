//===- Helper.cpp - The report's own thread -------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace/Helper.h"
#include "Trace/Trace.h"
#include <cstdio>
#include <ctime>
#include <pthread.h>

namespace graupel::dsm::trace {

PollSample TheSample;
void (*DefaultHandler)(int, siginfo_t *, void *) = nullptr;

void Helper::takeSignals() {
  sigemptyset(&Ends);
  sigaddset(&Ends, SIGINT);
  sigaddset(&Ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &Ends, &Before);
}

void Helper::start(ControlPage &Page, bool (*Online)(), Writer W) {
  Control = &Page;
  AnyOnline = Online;
  Write = W;
  // The program's signals are for its own threads.
  sigset_t All, Now;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Now);
  pthread_t Thread;
  Running = pthread_create(&Thread, nullptr, run, this) == 0;
  pthread_sigmask(SIG_SETMASK, Running ? &Now : &Before, nullptr);
  if (Running)
    pthread_detach(Thread);
}

void *Helper::run(void *Self) {
  static_cast<Helper *>(Self)->serve();
  return nullptr;
}

void Helper::serve() {
  uint32_t Random = 1;
  for (;;) {
    Random = Random * 1664525 + 1013904223;
    timespec Pause = {0, 500'000 + static_cast<long>(Random >> 12)};
    int Signal = sigtimedwait(&Ends, nullptr, &Pause);
    if (const char *Why = Error.load(std::memory_order_acquire)) {
      Write(Why);
      Written.store(true, std::memory_order_release);
    }
    if (Signal > 0)
      signaled(Signal);
    // Signals are taken to the very end.
    if (!Stopped.load(std::memory_order_relaxed))
      sample();
  }
}

void Helper::signaled(int Signal) {
  struct sigaction Action;
  sigaction(Signal, nullptr, &Action);
  if (Action.sa_flags & SA_SIGINFO ? Action.sa_sigaction == DefaultHandler
                                   : Action.sa_handler == SIG_DFL) {
    char Why[64];
    snprintf(Why, sizeof(Why), "it was ended by signal %d", Signal);
    Write(Why);
  }
  // Let the program's action for the signal happen, on this thread.
  pthread_sigmask(SIG_UNBLOCK, &Ends, nullptr);
  raise(Signal);
  pthread_sigmask(SIG_BLOCK, &Ends, nullptr);
}

void Helper::sample() {
  if (!TheSample.isOut()) {
    if (!AnyOnline())
      return;
    TheSample.set();
  }
  // Again if it is still out: who works for the node may have cleared the flag.
  Control->Poll.store(1, std::memory_order_release);
}

void Helper::end(const char *Why) {
  if (!Running)
    return;
  Error.store(Why, std::memory_order_release);
  timespec Pause = {0, 1'000'000};
  for (unsigned I = 0; I != 1000 && !Written.load(std::memory_order_acquire);
       ++I)
    nanosleep(&Pause, nullptr);
}

void Helper::forked() { pthread_sigmask(SIG_SETMASK, &Before, nullptr); }

} // namespace graupel::dsm::trace
