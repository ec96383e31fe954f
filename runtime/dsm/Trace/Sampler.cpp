//===- Sampler.cpp - Asks a node to poll, now and then --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace/Sampler.h"
#include <csignal>
#include <ctime>
#include <pthread.h>

namespace graupel::dsm::trace {

PollSample TheSample;

void Sampler::start(ControlPage &Page, bool (*Online)()) {
  Control = &Page;
  AnyOnline = Online;
  // The program's signals are for its own threads.
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  pthread_t Thread;
  if (pthread_create(&Thread, nullptr, run, this) == 0)
    pthread_detach(Thread);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
}

void *Sampler::run(void *Self) {
  auto &S = *static_cast<Sampler *>(Self);
  uint32_t Random = 1;
  while (!S.Stopped.load(std::memory_order_relaxed)) {
    Random = Random * 1664525 + 1013904223;
    timespec Pause = {0, 500'000 + static_cast<long>(Random >> 12)};
    nanosleep(&Pause, nullptr);
    S.sample();
  }
  return nullptr;
}

void Sampler::sample() {
  if (TheSample.isOut() || Control->Poll.load(std::memory_order_relaxed) ||
      !AnyOnline())
    return;
  TheSample.set();
  Control->Poll.store(1, std::memory_order_release);
}

} // namespace graupel::dsm::trace
