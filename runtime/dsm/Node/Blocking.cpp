//===- Blocking.cpp - Threads that the program makes, and that block -*- C++
//-*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A few functions of the C library mean something to a node (H-14): a thread
// that blocks in one of them relies on no tag, lets handshakes pass, and leaves
// serving to others; and a thread that the program starts is a stranger until
// its first entry. They are interposed: programs link this library before libc.
// Threads that are no program's, or are in the runtime already, pass through.
//
//===----------------------------------------------------------------------===//

#include "Node/Error.h"
#include "Node/Node.h"
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace graupel::dsm {

Blocking::Blocking() {
  ThreadRecord *Self = TheNode ? self() : nullptr;
  if (!Self || !(Self->state() & 1))
    return;
  T = Self;
  int Errno = errno;
  T->goOffline();
  TheNode->Dispatch.abandon();
  errno = Errno;
}

namespace {

/// The C library's function of that name.
template <class F>
F *next(F *, const char *Name, const char *Version = nullptr) {
  void *Found = Version ? dlvsym(RTLD_NEXT, Name, Version) : nullptr;
  if (!Found)
    Found = dlsym(RTLD_NEXT, Name);
  if (!Found)
    fail("the C library has no %s; link programs dynamically", Name);
  return reinterpret_cast<F *>(Found);
}

struct Beginning {
  void *(*Function)(void *);
  void *Argument;
};

void *begin(void *Given) {
  Beginning B = *static_cast<Beginning *>(Given);
  delete static_cast<Beginning *>(Given);
  if (TheNode)
    TheNode->Strangers.install();
  return B.Function(B.Argument);
}

} // namespace

} // namespace graupel::dsm

using namespace graupel::dsm;

// NOLINTBEGIN: names and types are the C library's.
#define GRAUPEL_BLOCKING(Result, Name, Parameters, Arguments)                  \
  extern "C" __attribute__((visibility("default"))) Result Name Parameters {   \
    static auto *Real = next(Name, #Name);                                     \
    Blocking Here;                                                              \
    return Real Arguments;                                                     \
  }
#define GRAUPEL_BLOCKING_VERSION(Result, Name, Parameters, Arguments)          \
  extern "C" __attribute__((visibility("default"))) Result Name Parameters {   \
    static auto *Real = next(Name, #Name, "GLIBC_2.3.2");                      \
    Blocking Here;                                                              \
    return Real Arguments;                                                     \
  }

GRAUPEL_BLOCKING(int, pthread_join, (pthread_t T, void **R), (T, R))
GRAUPEL_BLOCKING_VERSION(int, pthread_cond_wait,
                         (pthread_cond_t * C, pthread_mutex_t *M), (C, M))
GRAUPEL_BLOCKING_VERSION(int, pthread_cond_timedwait,
                         (pthread_cond_t * C, pthread_mutex_t *M,
                          const timespec *T),
                         (C, M, T))
GRAUPEL_BLOCKING(int, pthread_barrier_wait, (pthread_barrier_t * B), (B))
GRAUPEL_BLOCKING(int, sem_wait, (sem_t * S), (S))
GRAUPEL_BLOCKING(unsigned, sleep, (unsigned S), (S))
GRAUPEL_BLOCKING(int, usleep, (useconds_t T), (T))
GRAUPEL_BLOCKING(int, nanosleep, (const timespec *T, timespec *R), (T, R))
GRAUPEL_BLOCKING(int, clock_nanosleep,
                 (clockid_t C, int F, const timespec *T, timespec *R),
                 (C, F, T, R))
GRAUPEL_BLOCKING(int, poll, (pollfd * P, nfds_t N, int T), (P, N, T))
GRAUPEL_BLOCKING(int, select,
                 (int N, fd_set *R, fd_set *W, fd_set *E, timeval *T),
                 (N, R, W, E, T))
GRAUPEL_BLOCKING(int, epoll_wait, (int E, epoll_event *V, int N, int T),
                 (E, V, N, T))
GRAUPEL_BLOCKING(pid_t, wait, (int *S), (S))
GRAUPEL_BLOCKING(pid_t, waitpid, (pid_t P, int *S, int F), (P, S, F))
GRAUPEL_BLOCKING(int, system, (const char *C), (C))

extern "C" __attribute__((visibility("default"))) int
pthread_mutex_lock(pthread_mutex_t *M) {
  static auto *Real = next(pthread_mutex_lock, "pthread_mutex_lock");
  int Error = pthread_mutex_trylock(M);
  if (Error != EBUSY)
    return Error;
  Blocking Here;
  return Real(M);
}

extern "C" __attribute__((visibility("default"))) int
pthread_create(pthread_t *Thread, const pthread_attr_t *Attributes,
               void *(*Function)(void *), void *Argument) {
  static auto *Real = next(pthread_create, "pthread_create");
  // The runtime's own threads, and those of libraries that it calls.
  bool Program = TheNode && self() && (self()->state() & 1);
  if (!Program)
    return Real(Thread, Attributes, Function, Argument);
  auto *B = new Beginning{Function, Argument};
  int Error = Real(Thread, Attributes, begin, B);
  if (Error)
    delete B;
  return Error;
}
// NOLINTEND
