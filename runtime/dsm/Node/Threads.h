//===- Threads.h - A node's threads, and handshakes -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread is online while it runs the program's code and may rely on tags, and
// offline while it is in the runtime. Its state word counts both changes: odd
// is online. A downgrade writes tags and then waits until every thread that was
// online has moved its word, by a poll, a fault or a call; the thread's locked
// instruction there is the barrier that published handshakes lack on x86
// (docs/design/fgdsm-handshake.md). Coming back, a thread goes online first and
// then looks at the tags it wants: one of the two sees the other.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_THREADS_H
#define GRAUPEL_DSM_NODE_THREADS_H

#include "Base/Crowd.h"
#include "Base/ThreadLook.h"
#include "Transport/Control.h"
#include "graupel/dsm_checks.h"
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace graupel::dsm {

constexpr unsigned MaxThreads = 1024;
constexpr unsigned MaxPins = 32;

struct FaultList;

/// The event that a thread waits for while it is offline, for those who ask why
/// a job does not go on (Program/Watch.h). Nothing depends on it.
struct WaitNote {
  enum Kind : uint8_t {
    None,
    Collective, ///< All threads of the job have to come.
    Lock,       ///< Value is its number.
    Semaphore,  ///< The same.
    Condition,  ///< The same.
    Memory,     ///< Value is an address.
    Library,    ///< A function of the C library.
    Other
  };
  std::atomic<const char *> Function{nullptr};
  std::atomic<uintptr_t> Pc{0}; ///< The program's call returns there.
  std::atomic<uint64_t> Value{0};
  std::atomic<Kind> Reason{None};

  void set(Kind K, const char *F, const void *From, uint64_t V) {
    Function.store(F, std::memory_order_relaxed);
    Pc.store(reinterpret_cast<uintptr_t>(From), std::memory_order_relaxed);
    Value.store(V, std::memory_order_relaxed);
    Reason.store(K, std::memory_order_relaxed);
  }
  void clear() { Reason.store(None, std::memory_order_relaxed); }
};

/// The object that a thread waits for and that another thread has to give.
enum class Want : uint8_t { Nothing, Lock, Semaphore, Condition };

struct alignas(128) ThreadRecord : ThreadLook {
  /// The faults of the thread (Schoinas 1998, 5.2), where it waits for them;
  /// null if none are left. Under the protocol lock.
  FaultList *Faults = nullptr;
  /// Set by the thread under the protocol lock, cleared by who resumes it; the
  /// members above are changed before.
  std::atomic<bool> Waiting{false};

  /// The blocks held while the thread acquires several ranges in ascending
  /// order: all of Held that end at or below HeldEnd. Under the protocol lock.
  const graupel_dsm_range *Held = nullptr;
  uint64_t HeldCount = 0;
  uintptr_t HeldEnd = 0;

  /// PinCount ranges, which every set that the thread acquires includes.
  graupel_dsm_range Pins[MaxPins];

  /// The innermost Blocking that the thread is in; set before it goes offline
  /// for that, and until it is online again.
  const void *BlockedAt = nullptr;

  /// Dispatcher::rest: number of rests in a row; the state at the last of them,
  /// and where the program called.
  unsigned Rests = 0;
  uint64_t RestedAt = 0;
  uintptr_t RestedPc = 0;

  unsigned Index = 0; ///< Among the node's records.
  WaitNote Note;
  /// Its position in the collective calls: Sync/Collective.cpp. Read by others.
  std::atomic<uint64_t> Collectives{0};
  /// Waits for what Note.Value names, and has not got it. Set by the thread and
  /// cleared by whoever gives it that, under the protocol lock.
  std::atomic<Want> Wants{Want::Nothing};
  uint64_t Answer = 0; ///< By the thread that has cleared Wants.
  /// Its condition variable's home knows of it.
  std::atomic<bool> Queued{false};
  /// The watcher reads these at any time (Program/Watch.cpp): the kernel's
  /// number, the one on the node, from 0, if gdsm_parallel numbers it, else -1,
  /// and whether a thread has the record.
  std::atomic<int> Tid{0}, Number{-1};
  std::atomic<bool> Taken{false};
  /// Inside of Faults::acquire: calls of the C library are no handshake points,
  /// or what a check has found might not hold any more.
  bool Acquires = false;
};

/// Threads that the program has started itself and that have not ended, whether
/// they have called the runtime or not.
extern std::atomic<int> TheProgramsThreads;

[[noreturn]] void refuseCall(const char *Function);

/// This thread's record; null until it has called the runtime.
inline ThreadRecord *self() { return static_cast<ThreadRecord *>(SelfLook); }

class Threads {
public:
  /// Where the flag is that makes code poll; who knows whether processors are
  /// few.
  void attach(ControlPage &Page, const Crowd &Others) {
    Control = &Page;
    this->Others = &Others;
  }

  /// A record for the calling thread, online. Under the protocol lock, so that
  /// no downgrade overlooks it.
  ThreadRecord *join();
  /// The calling thread ends; it is offline.
  void leave(ThreadRecord *);

  /// After tags were downgraded: returns when no thread relies on the old ones.
  /// Under the protocol lock, by a thread that is offline.
  void handshake();

  /// True if a thread of the node runs the program's code.
  bool anyOnline() const;

  template <class F> void forEach(F Visit) {
    unsigned Count = Used.load(std::memory_order_acquire);
    for (unsigned I = 0; I != Count; ++I)
      Visit(Records[I]);
  }

  ThreadRecord &record(unsigned Index) { return Records[Index]; }

  uint64_t handshakes() const { return Handshakes; }

private:
  void wait(ThreadRecord &, uint64_t Seen) const;

  ControlPage *Control = nullptr;
  const Crowd *Others = nullptr;
  std::atomic<unsigned> Used{0};
  uint64_t Handshakes = 0;
  ThreadRecord Records[MaxThreads];
};

} // namespace graupel::dsm

#endif
