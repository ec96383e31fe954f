//===- numa/Faults.h - Handlers of faults --------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_FAULTS_H
#define GRAUPEL_NUMA_FAULTS_H

#include <atomic>
#include <cstdint>
#include <sched.h>
#include <signal.h>

namespace graupel::numa {

/// Gets an address that may not be accessed as it was. True: try again.
using FaultHandler = bool (*)(uint64_t Address);

/// From now on faults come here first, then go to the program's own handler,
/// also one it installs later. The same handler may be added again.
void addFaultHandler(FaultHandler Handler);

/// Whether that has happened.
bool ownsFaults();
/// The program's handler of SIGSEGV, as sigaction: new and old.
int setProgramsHandler(const struct sigaction *New, struct sigaction *Old);
/// The C library's.
int realSigaction(int Signal, const struct sigaction *New,
                  struct sigaction *Old);

/// A lock that handlers of faults take, too. Its owner must not be interrupted
/// by a handler that touches the protected data: signals are blocked.
class FaultLock {
public:
  void lock() {
    sigset_t All, Before;
    sigfillset(&All);
    sigprocmask(SIG_SETMASK, &All, &Before);
    while (Taken.exchange(true, std::memory_order_acquire))
      sched_yield();
    Mask = Before;
  }
  void unlock() {
    sigset_t Before = Mask;
    Taken.store(false, std::memory_order_release);
    sigprocmask(SIG_SETMASK, &Before, nullptr);
  }

  /// In a child that does not have the thread which locked this.
  void forget() { Taken.store(false, std::memory_order_relaxed); }

private:
  std::atomic<bool> Taken{false};
  sigset_t Mask;
};

} // namespace graupel::numa

#endif
