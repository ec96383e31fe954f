//===- numa/Run/Copies.cpp - Who makes copies, who reads them -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "Arena.h"
#include "Machine.h"
#include "graupel/numa_copies.h"
#include <cstdio>
#include <ctime>
#include <signal.h>
#include <threads.h>

extern "C" __thread uint64_t graupel_numa_distance;

static bool Copying;

static int copy(void *) {
  // Data that are still being filled would have copies that end at once.
  const timespec Pause = {0, 20000000};
  for (;;) {
    nanosleep(&Pause, nullptr);
    graupel::numa::Arena::replicate();
  }
}

void graupel::numa::startCopying() {
  if (machine().Trivial)
    return;
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  thrd_t Thread;
  // Not by pthread_create, which somebody may have interposed to count threads.
  Copying = thrd_create(&Thread, copy, nullptr) == thrd_success;
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  if (Copying)
    thrd_detach(Thread);
  else
    fprintf(stderr, "graupel numa: warning: there can be no more threads; "
                    "nothing has copies\n");
}

void graupel::numa::readNearCopies() {
  if (!Copying)
    return;
  if (auto Index = machine().T.indexOfNode(unsigned(graupel_numa_here())))
    graupel_numa_distance = uint64_t(*Index + 1) << GRAUPEL_NUMA_WINDOW_SHIFT;
}
