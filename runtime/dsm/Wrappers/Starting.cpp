//===- Starting.cpp - Functions that start threads --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interposes the functions of the C library that start threads, and knows of
// each thread whose it is (Node/Process.h).
//
// 1. pthread_create and thrd_create: a thread that one of the program starts is
//    the program's, whether that has called the runtime or not. It begins as a
//    stranger, with a signal stack. Threads that are started before main, in
//    the runtime or by a thread of the runtime are the runtime's. Libraries'
//    own threads block no signals, so the last two begin with them blocked.
// 2. timer_create, mq_notify, asynchronous input and output, and getaddrinfo_a
//    with SIGEV_THREAD: the C library starts a thread for each notification,
//    with the GS of who asked for it. It becomes the program's, a stranger and
//    counted, in front of the program's function (Notified).
// 3. When the main thread has ended by pthread_exit, and the last thread of the
//    program ends, the process ends.
//
//===----------------------------------------------------------------------===//

#include "Foreign/Wild.h"
#include "Node/Interpose.h"
#include "Node/Process.h"
#include "Wrappers/Threads.h"
#include <aio.h>
#include <mqueue.h>
#include <netdb.h>
#include <pthread.h>
#include <set>
#include <signal.h>
#include <sys/stat.h>
#include <threads.h>
#include <time.h>
#include <utility>

namespace graupel::dsm {

std::atomic<int> TheProgramsThreads{0};

namespace {

enum class Owner : uint8_t { Unknown, Program, Runtime };

__thread Owner ThisThreadOwner __attribute__((tls_model("initial-exec")));
std::atomic<int> TheRuntimesThreads{0};
std::atomic<bool> ProgramRuns{false}, MainHasEnded{false}, Exits{false};

std::atomic<int> &counterOf(Owner O) {
  return O == Owner::Program ? TheProgramsThreads : TheRuntimesThreads;
}

/// The owner of a thread that the calling one starts.
Owner ownerOfNew() {
  if (!ProgramRuns || ThisThreadOwner == Owner::Runtime)
    return Owner::Runtime;
  const ThreadRecord *T = TheNode ? self() : nullptr;
  bool InRuntime = T && !(T->state() & 1) && !T->BlockedAt;
  return InRuntime ? Owner::Runtime : Owner::Program;
}

/// The calling thread, which is counted already, runs the program's function
/// for as long as this exists, also if it is cancelled. A stranger until its
/// first entry.
struct Running {
  explicit Running(Owner O) {
    ThisThreadOwner = O;
    if (O != Owner::Program || !TheNode)
      return;
    TheNode->Strangers.install();
    takeSignalStack();
  }
  ~Running() {
    // With a record it ends later, behind destructors (Start.cpp).
    if (!self())
      endThreadOfProcess(false);
  }
};

template <class Result> struct Beginning {
  Result (*Function)(void *);
  void *Argument;
  Owner ThreadOwner;

  static Result run(void *Given) {
    Beginning B = *static_cast<Beginning *>(Given);
    delete static_cast<Beginning *>(Given);
    Running Here(B.ThreadOwner);
    return B.Function(B.Argument);
  }
};

/// While this exists, threads that the runtime starts, or a library that it
/// calls, begin with the program's signals blocked. Those of faults are theirs.
class SignalsKept {
public:
  explicit SignalsKept(Owner O)
      : Blocked(O == Owner::Runtime &&
                (ProgramRuns || ThisThreadOwner == Owner::Runtime)) {
    if (!Blocked)
      return;
    sigset_t Set;
    sigfillset(&Set);
    for (int Own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
      sigdelset(&Set, Own);
    pthread_sigmask(SIG_BLOCK, &Set, &Before);
  }
  ~SignalsKept() {
    if (Blocked)
      pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  }

private:
  const bool Blocked;
  sigset_t Before;
};

/// Start(function, argument) returns 0 if it has started a thread.
template <class Result, class F>
int start(Result (*Function)(void *), void *Argument, F Start) {
  auto *B = new Beginning<Result>{Function, Argument, ownerOfNew()};
  std::atomic<int> &Counter = counterOf(B->ThreadOwner);
  Counter.fetch_add(1);
  SignalsKept Here(B->ThreadOwner);
  int Error = Start(B->run, B);
  if (Error) {
    Counter.fetch_sub(1);
    delete B;
  }
  return Error;
}

using Notify = void (*)(sigval);
using Notification = std::pair<Notify, void *>;

void runNotified(sigval Given) {
  auto [Function, Value] = *static_cast<const Notification *>(Given.sival_ptr);
  TheProgramsThreads.fetch_add(1);
  Running Here(Owner::Program);
  sigval Own;
  Own.sival_ptr = Value;
  Function(Own);
}

/// Puts runNotified in place of the program's function. The data that it needs
/// stays: a timer notifies again and again, and a request may be made again.
void takeOver(sigevent &E) {
  if (E.sigev_notify != SIGEV_THREAD || E.sigev_notify_function == runNotified)
    return;
  // Not pthread_mutex_lock, which is interposed: these functions are no
  // handshake points.
  static std::atomic_flag Lock = ATOMIC_FLAG_INIT;
  while (Lock.test_and_set(std::memory_order_acquire))
    ;
  static auto &Known = *new std::set<Notification>;
  E.sigev_value.sival_ptr = const_cast<Notification *>(
      &*Known.emplace(E.sigev_notify_function, E.sigev_value.sival_ptr).first);
  E.sigev_notify_function = runNotified;
  Lock.clear(std::memory_order_release);
}

/// Calls F with such a copy.
template <class F> auto withTakenOver(const sigevent *E, F Call) {
  if (!E)
    return Call(static_cast<sigevent *>(nullptr));
  sigevent Ours = *E;
  takeOver(Ours);
  return Call(&Ours);
}

} // namespace

void beginRuntimesThreads() { ThisThreadOwner = Owner::Runtime; }

void beginProgramsThreads() {
  ThisThreadOwner = Owner::Unknown;
  ProgramRuns = true;
}

bool allThreadsAreCounted() {
  // A directory has two links more than directories in it.
  struct stat Tasks;
  return stat("/proc/self/task", &Tasks) == 0 &&
         static_cast<int>(Tasks.st_nlink) - 2 ==
             1 + TheProgramsThreads.load() + TheRuntimesThreads.load();
}

void endThreadOfProcess(bool IsMain) {
  if (IsMain)
    MainHasEnded = true;
  else if (ThisThreadOwner != Owner::Unknown)
    counterOf(ThisThreadOwner).fetch_sub(1);
  ThisThreadOwner = Owner::Unknown;
  if (MainHasEnded && !TheProgramsThreads && !Exits.exchange(true))
    exit(0);
}

} // namespace graupel::dsm

using namespace graupel::dsm;

static_assert(thrd_success == 0);

// NOLINTBEGIN: names and types are the C library's.
GRAUPEL_INTERPOSE(int, pthread_create,
                  (pthread_t * T, const pthread_attr_t *A, void *(*F)(void *),
                   void *Argument)) {
  return start(F, Argument, [=](void *(*Run)(void *), void *B) {
    pthread_attr_t Copy;
    return real_pthread_create()(T, roomier(A, Copy), Run, B);
  });
}

GRAUPEL_INTERPOSE(int, thrd_create,
                  (thrd_t * T, thrd_start_t F, void *Argument)) {
  return start(F, Argument, [=](thrd_start_t Run, void *B) {
    return real_thrd_create()(T, Run, B);
  });
}

GRAUPEL_INTERPOSE(int, timer_create, (clockid_t C, sigevent *E, timer_t *T)) {
  return withTakenOver(
      E, [=](sigevent *Ours) { return real_timer_create()(C, Ours, T); });
}

GRAUPEL_INTERPOSE(int, mq_notify, (mqd_t Q, const sigevent *E)) {
  return withTakenOver(
      E, [=](const sigevent *Ours) { return real_mq_notify()(Q, Ours); });
}

GRAUPEL_INTERPOSE(int, getaddrinfo_a,
                  (int Mode, gaicb **L, int Count, sigevent *E)) {
  return withTakenOver(E, [=](sigevent *Ours) {
    return real_getaddrinfo_a()(Mode, L, Count, Ours);
  });
}

#define GRAUPEL_ASYNCHRONOUS(Name, Parameters, Arguments)                      \
  GRAUPEL_INTERPOSE(int, Name, Parameters) {                                   \
    takeOver(Request->aio_sigevent);                                           \
    return real_##Name() Arguments;                                            \
  }
GRAUPEL_ASYNCHRONOUS(aio_read, (aiocb * Request), (Request))
GRAUPEL_ASYNCHRONOUS(aio_read64, (aiocb64 * Request), (Request))
GRAUPEL_ASYNCHRONOUS(aio_write, (aiocb * Request), (Request))
GRAUPEL_ASYNCHRONOUS(aio_write64, (aiocb64 * Request), (Request))
GRAUPEL_ASYNCHRONOUS(aio_fsync, (int Operation, aiocb *Request),
                     (Operation, Request))
GRAUPEL_ASYNCHRONOUS(aio_fsync64, (int Operation, aiocb64 *Request),
                     (Operation, Request))

#define GRAUPEL_LIST(Name, Request)                                            \
  GRAUPEL_INTERPOSE(int, Name,                                                 \
                    (int Mode, Request *const *L, int Count, sigevent *E)) {   \
    for (int I = 0; I < Count; ++I)                                            \
      if (L[I])                                                                \
        takeOver(L[I]->aio_sigevent);                                          \
    return withTakenOver(E, [=](sigevent *Ours) {                              \
      return real_##Name()(Mode, L, Count, Ours);                              \
    });                                                                        \
  }
GRAUPEL_LIST(lio_listio, aiocb)
GRAUPEL_LIST(lio_listio64, aiocb64)
// NOLINTEND
