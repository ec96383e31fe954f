//===- Watch.cpp - Notices that a job does not go on ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread of the runtime's own, which needs no protocol lock to look, so that
// it can tell of threads that keep it, or do not poll:
//
//   1. Every half second it compares each thread's state word with what it was.
//      A wait for a lock that has outlasted that is looked into
//      (Sync/Deadlock.cpp), and one for a semaphore or a condition variable
//      (Sync/Standstill.cpp).
//   2. When something has lasted too long, it asks all nodes of the host, by
//      their control pages, and itself, to tell what their threads do. Nodes of
//      other hosts notice by themselves. Each time the patience doubles.
//   3. At Ctrl-C it tells, too, and then the process ends as it would have.
//
// A signal asks running threads where they are. Nobody is stopped: slow threads
// may go on.
//
//===----------------------------------------------------------------------===//

#include "Watch.h"
#include "Base/Crowd.h"
#include "Base/Futex.h"
#include "Base/Lines.h"
#include "Node/Interpose.h"
#include "Node/Node.h"
#include "Sync/Sync.h"
#include "Trace/Trace.h"
#include <array>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <linux/futex.h>
#include <string>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace graupel::dsm {

namespace {

constexpr unsigned TicksPerSecond = 2;

/// The last state that was seen of a thread.
struct Seen {
  uint64_t State = 0;
  uint64_t Ticks = 0; ///< For how long.
};

struct Watcher {
  Node *Watched = nullptr;
  ControlPage *Control = nullptr;
  uint64_t Patience = 0; ///< In ticks; 0: without end.
  std::array<Seen, MaxThreads> Threads;
  std::atomic<int> Interrupted{0};
  std::atomic<uint64_t> InterruptTime{0}; ///< In milliseconds.
  std::atomic<uintptr_t> InterruptedPc{0};
  std::atomic<int> InterruptedTid{0}; ///< The thread that is in the handler.
  std::atomic<bool> Running{false}, Stopped{false};
} TheWatcher;

/// The C library's: a handler of the runtime is none of the program's.
int setAction(int Signal, const struct sigaction *New, struct sigaction *Old) {
  return reinterpret_cast<decltype(&sigaction)>(findNext("sigaction", nullptr))(
      Signal, New, Old);
}

//===-- Where running threads are -----------------------------------------===//

std::atomic<uintptr_t> Answer{0};

int askSignal() { return SIGRTMAX - 4; }

void onAsked(int, siginfo_t *, void *Context) {
  Answer.store(static_cast<ucontext_t *>(Context)->uc_mcontext.gregs[REG_RIP],
               std::memory_order_release);
}

/// 0 if the program uses the signal itself, or the thread does not answer.
uintptr_t placeOf(const ThreadRecord &T) {
  if (TheWatcher.InterruptedTid == T.Tid)
    return TheWatcher.InterruptedPc;
  struct sigaction Before, Ours = {};
  setAction(askSignal(), nullptr, &Before);
  if ((Before.sa_flags & SA_SIGINFO) ? Before.sa_sigaction != onAsked
                                     : Before.sa_handler != SIG_DFL)
    return 0;
  Ours.sa_sigaction = onAsked;
  Ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  setAction(askSignal(), &Ours, nullptr);
  Answer.store(0, std::memory_order_relaxed);
  if (syscall(SYS_tgkill, getpid(), T.Tid.load(), askSignal()) != 0)
    return 0;
  for (unsigned I = 0; I != 200; ++I) {
    if (uintptr_t Pc = Answer.load(std::memory_order_acquire))
      return Pc + 1;
    usleep(1000);
  }
  return 0;
}

//===-- Telling -----------------------------------------------------------===//

/// Without the prefixes that the C library's stand-ins have.
const char *plainName(const char *Function) {
  for (const char *Prefix : {"interposed_", "graupel_dsm_"})
    if (strncmp(Function, Prefix, strlen(Prefix)) == 0)
      return Function + strlen(Prefix);
  return Function;
}

struct Sentence {
  std::string Subject, Verb, Rest;
  uintptr_t Pc = 0;
};

std::string nameOf(const Node &N, const ThreadRecord &T) {
  std::string Node = "node " + std::to_string(N.Number);
  return T.Number < 0
             ? Node + ", a thread that it started"
             : Node + ", thread " +
                   std::to_string(N.Number * N.ThreadsPerNode + T.Number);
}

Sentence waits(const Node &N, const WaitNote &Note, WaitNote::Kind Reason) {
  const char *Function = Note.Function.load(std::memory_order_relaxed);
  uint64_t Value = Note.Value.load(std::memory_order_relaxed);
  Sentence S;
  S.Pc = Note.Pc.load(std::memory_order_relaxed);
  S.Verb = std::string("waits in ") + (Function ? plainName(Function) : "");
  if (Reason == WaitNote::Collective) {
    S.Rest = " for all threads";
  } else if (Reason == WaitNote::Lock) {
    S.Rest = " for lock " + std::to_string(Value);
  } else if (Reason == WaitNote::Semaphore) {
    S.Rest = " for semaphore " + std::to_string(Value);
  } else if (Reason == WaitNote::Condition) {
    S.Rest = " for condition variable " + std::to_string(Value);
  } else if (Reason == WaitNote::Memory) {
    S.Verb = "waits";
    S.Rest = " for shared memory";
    if (N.Shared.contains(reinterpret_cast<void *>(Value))) {
      char Address[32];
      snprintf(Address, sizeof(Address), " at %#zx", size_t(Value));
      S.Rest += Address;
      const Page &P = N.Shared.page(Value);
      if (P.Mapped)
        S.Rest += ", at home on node " + std::to_string(P.Home);
    }
  }
  return S;
}

/// One that gdsm_parallel will need again.
bool isIdle(const ThreadRecord &T) { return T.Number > 0 && !inParallel(); }

/// Nothing if the thread has nothing to do.
bool describe(const Node &N, const ThreadRecord &T, const Seen &Before,
              Sentence &S) {
  if (!T.Taken || isIdle(T))
    return false;
  uint64_t State = T.state();
  WaitNote::Kind Reason = T.Note.Reason.load(std::memory_order_relaxed);
  if (State & 1) {
    S.Pc = placeOf(T);
    S.Verb = "runs";
    bool Polls = !N.Wire->control().Poll.load(std::memory_order_relaxed) ||
                 State != Before.State || Before.Ticks < TicksPerSecond;
    S.Rest = Polls ? "" : " and does not poll, though others wait for it";
  } else if (Reason == WaitNote::None) {
    return false;
  } else {
    S = waits(N, T.Note, Reason);
  }
  uint64_t Seconds = State == Before.State ? Before.Ticks / TicksPerSecond : 0;
  if (Seconds > 1)
    S.Rest += " (for " + std::to_string(Seconds) + " s)";
  S.Subject = nameOf(N, T);
  return true;
}

void tell(Watcher &W) {
  constexpr unsigned Most = 64;
  static Sentence Sentences[Most];
  static uintptr_t Places[Most];
  static PlaceName Names[Most];
  unsigned Count = 0;
  W.Watched->Team.forEach([&](const ThreadRecord &T) {
    if (Count == Most)
      return;
    Sentence &S = Sentences[Count] = {};
    if (describe(*W.Watched, T, W.Threads[T.Index], S))
      Places[Count++] = S.Pc;
  });
  namePlaces(Places, Names, Count);
  std::string Text;
  for (unsigned I = 0; I != Count; ++I) {
    const Sentence &S = Sentences[I];
    Text += "graupel dsm: " + S.Subject + ": " + S.Verb + " at " +
            Names[I].Text + S.Rest + "\n";
  }
  // One call, so that lines of several nodes do not mix.
  [[maybe_unused]] ssize_t Written =
      ::write(STDERR_FILENO, Text.data(), Text.size());
}

//===-- Watching ----------------------------------------------------------===//

/// Not by syscall(), which is interposed: the thread may be in a handler, and
/// is to be found where that has interrupted it.
void wake(ControlPage &Page) {
  Page.Asked.fetch_add(1, std::memory_order_seq_cst);
  futex(reinterpret_cast<uint32_t &>(Page.Asked), FUTEX_WAKE, INT_MAX, nullptr);
}

/// Whether a thread of this node is kept from going on, as far as it can be
/// seen here. A thread that blocks in the C library may mean to.
bool isStuck(const Watcher &W, const ThreadRecord &T) {
  if (T.state() & 1)
    return W.Control->Poll.load(std::memory_order_relaxed);
  WaitNote::Kind Reason = T.Note.Reason.load(std::memory_order_relaxed);
  return !isIdle(T) && Reason != WaitNote::None && Reason != WaitNote::Library;
}

/// Returns for how long the longest wait has lasted.
uint64_t look(Watcher &W) {
  uint64_t Longest = 0;
  bool Locks = false, Signals = false;
  W.Watched->Team.forEach([&](const ThreadRecord &T) {
    Seen &S = W.Threads[T.Index];
    uint64_t State = T.state();
    S.Ticks = T.Taken && State == S.State ? S.Ticks + 1 : 0;
    S.State = State;
    if (S.Ticks && isStuck(W, T)) {
      Longest = std::max(Longest, S.Ticks);
      Want Wants = T.Wants.load(std::memory_order_relaxed);
      Locks |= Wants == Want::Lock;
      Signals |= Wants == Want::Semaphore || Wants == Want::Condition;
    }
  });
  if ((Locks || Signals) && W.Watched->Dispatch.tryLock()) {
    W.Watched->Team.forEach([&](const ThreadRecord &T) {
      if (W.Threads[T.Index].Ticks)
        lookForDeadlock(*W.Watched, T);
    });
    if (Signals)
      lookForStandstill(*W.Watched);
    W.Watched->Dispatch.unlock();
  }
  return Longest;
}

void askAll(Watcher &W) {
  for (int I = 0; I != W.Watched->Count; ++I)
    if (ControlPage *Page = W.Watched->Wire->controlOf(I))
      wake(*Page);
}

/// As the program would have without this.
void endBy(int Signal) {
  signal(Signal, SIG_DFL);
  sigset_t Only;
  sigemptyset(&Only);
  sigaddset(&Only, Signal);
  pthread_sigmask(SIG_UNBLOCK, &Only, nullptr);
  kill(getpid(), Signal);
}

void *watch(void *Given) {
  auto &W = *static_cast<Watcher *>(Given);
  uint32_t Asked = W.Control->Asked.load(std::memory_order_seq_cst);
  while (!W.Stopped) {
    timespec Tick = {0, 1'000'000'000 / TicksPerSecond};
    syscall(SYS_futex, &W.Control->Asked, FUTEX_WAIT, Asked, &Tick, nullptr, 0);
    uint32_t Now = W.Control->Asked.load(std::memory_order_seq_cst);
    if (W.Stopped)
      break;
    if (Now != Asked) {
      Asked = Now;
      W.Patience *= 2;
      tell(W);
      if (int Signal = W.Interrupted)
        endBy(Signal);
      continue;
    }
    if (look(W) >= W.Patience && W.Patience) {
      static const char Why[] =
          "graupel dsm: the job does not go on; what its threads do:\n";
      [[maybe_unused]] ssize_t Written =
          ::write(STDERR_FILENO, Why, sizeof(Why) - 1);
      askAll(W);
    }
  }
  W.Running = false;
  // A thread that was interrupted while the node finished sleeps for ever.
  if (int Signal = W.Interrupted)
    endBy(Signal);
  return nullptr;
}

/// By the kernel alone: what the thread was at is to stay as it is.
void sleepForEver() {
  for (;;) {
    long Result = SYS_pause;
    __asm__ volatile("syscall" : "+a"(Result) : : "rcx", "r11", "memory");
  }
}

/// Does not return, or a call that the signal has interrupted would. A second
/// signal ends the process at once, unless it is the first one that comes
/// twice, from a terminal and from the launcher.
void onInterrupt(int Signal, siginfo_t *, void *Context) {
  uint64_t Now = monotonicNanoseconds() / 1'000'000; // Milliseconds.
  if (!TheNode || !TheWatcher.Running ||
      (TheWatcher.Interrupted && Now > TheWatcher.InterruptTime + 1000)) {
    signal(Signal, SIG_DFL);
    raise(Signal);
    return;
  }
  if (!TheWatcher.Interrupted.exchange(Signal)) {
    TheWatcher.InterruptTime = Now;
    if (const ThreadRecord *T = self()) {
      TheWatcher.InterruptedPc =
          static_cast<ucontext_t *>(Context)->uc_mcontext.gregs[REG_RIP] + 1;
      TheWatcher.InterruptedTid = T->Tid.load();
    }
    wake(*TheWatcher.Control);
  }
  sleepForEver();
}

} // namespace

void startWatching(Node &N, long Seconds) {
  Watcher &W = TheWatcher;
  W.Watched = &N;
  W.Control = &N.Wire->control();
  W.Patience = static_cast<uint64_t>(Seconds) * TicksPerSecond;
  W.Running = true;
  startThread(watch, &W);
  struct sigaction Before;
  setAction(SIGINT, nullptr, &Before);
  if (N.Count == 1 || (Before.sa_flags & SA_SIGINFO) ||
      Before.sa_handler != SIG_DFL)
    return;
  struct sigaction Ours = {};
  Ours.sa_sigaction = onInterrupt;
  Ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&Ours.sa_mask);
  setAction(SIGINT, &Ours, nullptr);
  trace::DefaultHandler = onInterrupt;
}

void stopWatching() {
  Watcher &W = TheWatcher;
  if (!W.Watched)
    return;
  W.Stopped = true;
  while (W.Running) {
    wake(*W.Control);
    usleep(100);
  }
}

} // namespace graupel::dsm
