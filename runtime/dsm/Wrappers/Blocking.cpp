//===- Blocking.cpp - Calls that block --------------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interposes the functions of the C library that block, but for stdio
// (BlockingStreams.cpp). A thread in one relies on no tag, lets handshakes
// pass, and leaves serving to others (H-14). llvm-passes/Fgdsm knows these
// symbols from graupel/dsm_library.def.
//
// 1. Blocking: go offline, note where, and leave serving to others (abandon);
//    leave goes online again. Strangers, threads in the runtime (also where it
//    is online, behind its last look at tags), in handlers that are no
//    handshake points, and with pins pass through. Unblocked is the reverse,
//    for functions of the program.
// 2. Files and sockets, and waiting for descriptors, time, signals and
//    processes: each function is the C library's with a Blocking around it. So
//    is syscall.
// 3. Threads: the same for joins, conditions and semaphores. Mutexes and spin
//    locks are tried first. pthread_once and call_once run the program's
//    function online.
//
//===----------------------------------------------------------------------===//

#include "Node/Interpose.h"
#include <aio.h>
#include <cerrno>
#include <cstdarg>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

namespace graupel::dsm {

Blocking::Blocking(const char *Function, const void *Pc) {
  ThreadRecord *Self = TheNode ? self() : nullptr;
  // Code without checks may be reading into what its caller holds.
  if (!Self || !(Self->state() & 1) || Self->Handlers || Self->PinCount ||
      Self->Acquires)
    return;
  int Errno = errno;
  T = Self;
  Outer = T->BlockedAt;
  T->BlockedAt = this;
  if (!Outer)
    T->Note.set(WaitNote::Library, Function, Pc, 0);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  T->goOffline();
  TheNode->Dispatch.abandon();
  errno = Errno;
}

void Blocking::leave() {
  // A forked child has no record.
  if (TheNode && !(T->state() & 1))
    T->goOnline();
  std::atomic_signal_fence(std::memory_order_seq_cst);
  T->BlockedAt = Outer;
  if (!Outer)
    T->Note.clear();
}

Unblocked::Unblocked() {
  ThreadRecord *Self = TheNode ? self() : nullptr;
  if (!Self || (Self->state() & 1) || !Self->BlockedAt)
    return;
  T = Self;
  T->goOnline();
  BlockedAt = T->BlockedAt;
  T->BlockedAt = nullptr;
}

Unblocked::~Unblocked() {
  // A forked child has no record.
  if (!T || !TheNode)
    return;
  T->BlockedAt = BlockedAt;
  T->goOffline();
  TheNode->Dispatch.abandon();
}

} // namespace graupel::dsm

using namespace graupel::dsm;

// NOLINTBEGIN: names and types are the C library's.

//===-- Files and sockets -------------------------------------------------===//

GRAUPEL_BLOCKING(ssize_t, read, (int F, void *P, size_t N), (F, P, N))
GRAUPEL_BLOCKING(ssize_t, write, (int F, const void *P, size_t N), (F, P, N))
GRAUPEL_BLOCKING(ssize_t, pread, (int F, void *P, size_t N, off_t A),
                 (F, P, N, A))
GRAUPEL_BLOCKING(ssize_t, pread64, (int F, void *P, size_t N, off_t A),
                 (F, P, N, A))
GRAUPEL_BLOCKING(ssize_t, pwrite, (int F, const void *P, size_t N, off_t A),
                 (F, P, N, A))
GRAUPEL_BLOCKING(ssize_t, pwrite64, (int F, const void *P, size_t N, off_t A),
                 (F, P, N, A))
GRAUPEL_BLOCKING(ssize_t, readv, (int F, const iovec *V, int N), (F, V, N))
GRAUPEL_BLOCKING(ssize_t, writev, (int F, const iovec *V, int N), (F, V, N))
GRAUPEL_BLOCKING(ssize_t, preadv, (int F, const iovec *V, int N, off_t A),
                 (F, V, N, A))
GRAUPEL_BLOCKING(ssize_t, preadv64, (int F, const iovec *V, int N, off_t A),
                 (F, V, N, A))
GRAUPEL_BLOCKING(ssize_t, pwritev, (int F, const iovec *V, int N, off_t A),
                 (F, V, N, A))
GRAUPEL_BLOCKING(ssize_t, pwritev64, (int F, const iovec *V, int N, off_t A),
                 (F, V, N, A))
GRAUPEL_BLOCKING(ssize_t, preadv2,
                 (int F, const iovec *V, int N, off_t A, int G),
                 (F, V, N, A, G))
GRAUPEL_BLOCKING(ssize_t, preadv64v2,
                 (int F, const iovec *V, int N, off_t A, int G),
                 (F, V, N, A, G))
GRAUPEL_BLOCKING(ssize_t, pwritev2,
                 (int F, const iovec *V, int N, off_t A, int G),
                 (F, V, N, A, G))
GRAUPEL_BLOCKING(ssize_t, pwritev64v2,
                 (int F, const iovec *V, int N, off_t A, int G),
                 (F, V, N, A, G))
GRAUPEL_BLOCKING(ssize_t, __read_chk, (int F, void *P, size_t N, size_t L),
                 (F, P, N, L))
GRAUPEL_BLOCKING(ssize_t, __pread_chk,
                 (int F, void *P, size_t N, off_t A, size_t L), (F, P, N, A, L))
GRAUPEL_BLOCKING(ssize_t, __pread64_chk,
                 (int F, void *P, size_t N, off_t A, size_t L), (F, P, N, A, L))
GRAUPEL_BLOCKING(int, fsync, (int F), (F))
GRAUPEL_BLOCKING(int, fdatasync, (int F), (F))
GRAUPEL_BLOCKING(int, flock, (int F, int O), (F, O))
GRAUPEL_BLOCKING(int, lockf, (int F, int C, off_t L), (F, C, L))
GRAUPEL_BLOCKING(int, lockf64, (int F, int C, off_t L), (F, C, L))
GRAUPEL_BLOCKING(ssize_t, sendfile, (int O, int I, off_t *A, size_t N),
                 (O, I, A, N))
GRAUPEL_BLOCKING(ssize_t, sendfile64, (int O, int I, off_t *A, size_t N),
                 (O, I, A, N))
GRAUPEL_BLOCKING(ssize_t, copy_file_range,
                 (int I, off_t *A, int O, off_t *B, size_t N, unsigned F),
                 (I, A, O, B, N, F))
GRAUPEL_BLOCKING(ssize_t, tee, (int I, int O, size_t N, unsigned F),
                 (I, O, N, F))
GRAUPEL_BLOCKING(ssize_t, vmsplice,
                 (int O, const iovec *V, size_t N, unsigned F), (O, V, N, F))
GRAUPEL_BLOCKING(ssize_t, splice,
                 (int I, off_t *A, int O, off_t *B, size_t N, unsigned F),
                 (I, A, O, B, N, F))
GRAUPEL_BLOCKING(int, aio_suspend,
                 (const aiocb *const *L, int N, const timespec *T), (L, N, T))

// With a last argument that may be missing, of a pointer's size at most.
#define GRAUPEL_BLOCKING_MORE(Name, Parameters, Last, ...)                     \
  GRAUPEL_INTERPOSE(int, Name, Parameters) {                                   \
    va_list More;                                                              \
    va_start(More, Last);                                                      \
    void *Argument = va_arg(More, void *);                                     \
    va_end(More);                                                              \
    Blocking Here;                                                             \
    return real_##Name()(__VA_ARGS__, Argument);                               \
  }
GRAUPEL_BLOCKING_MORE(open, (const char *P, int F, ...), F, P, F)
GRAUPEL_BLOCKING_MORE(open64, (const char *P, int F, ...), F, P, F)
GRAUPEL_BLOCKING_MORE(openat, (int D, const char *P, int F, ...), F, D, P, F)
GRAUPEL_BLOCKING_MORE(openat64, (int D, const char *P, int F, ...), F, D, P, F)
GRAUPEL_BLOCKING_MORE(fcntl, (int F, int C, ...), C, F, C)
GRAUPEL_BLOCKING_MORE(fcntl64, (int F, int C, ...), C, F, C)
GRAUPEL_BLOCKING_MORE(ioctl, (int F, unsigned long C, ...), C, F, C)
GRAUPEL_BLOCKING(int, __open_2, (const char *P, int F), (P, F))
GRAUPEL_BLOCKING(int, __open64_2, (const char *P, int F), (P, F))
GRAUPEL_BLOCKING(int, __openat_2, (int D, const char *P, int F), (D, P, F))
GRAUPEL_BLOCKING(int, __openat64_2, (int D, const char *P, int F), (D, P, F))
GRAUPEL_BLOCKING(int, creat, (const char *P, mode_t M), (P, M))
GRAUPEL_BLOCKING(int, creat64, (const char *P, mode_t M), (P, M))

GRAUPEL_BLOCKING(int, accept, (int S, sockaddr *A, socklen_t *L), (S, A, L))
GRAUPEL_BLOCKING(int, accept4, (int S, sockaddr *A, socklen_t *L, int F),
                 (S, A, L, F))
GRAUPEL_BLOCKING(int, connect, (int S, const sockaddr *A, socklen_t L),
                 (S, A, L))
GRAUPEL_BLOCKING(ssize_t, send, (int S, const void *P, size_t N, int F),
                 (S, P, N, F))
GRAUPEL_BLOCKING(ssize_t, sendto,
                 (int S, const void *P, size_t N, int F, const sockaddr *A,
                  socklen_t L),
                 (S, P, N, F, A, L))
GRAUPEL_BLOCKING(ssize_t, sendmsg, (int S, const msghdr *M, int F), (S, M, F))
GRAUPEL_BLOCKING(int, sendmmsg, (int S, mmsghdr *M, unsigned N, int F),
                 (S, M, N, F))
GRAUPEL_BLOCKING(ssize_t, recv, (int S, void *P, size_t N, int F), (S, P, N, F))
GRAUPEL_BLOCKING(ssize_t, recvfrom,
                 (int S, void *P, size_t N, int F, sockaddr *A, socklen_t *L),
                 (S, P, N, F, A, L))
GRAUPEL_BLOCKING(ssize_t, recvmsg, (int S, msghdr *M, int F), (S, M, F))
GRAUPEL_BLOCKING(int, recvmmsg,
                 (int S, mmsghdr *M, unsigned N, int F, timespec *T),
                 (S, M, N, F, T))
GRAUPEL_BLOCKING(ssize_t, __recv_chk,
                 (int S, void *P, size_t N, size_t L, int F), (S, P, N, L, F))
GRAUPEL_BLOCKING(ssize_t, __recvfrom_chk,
                 (int S, void *P, size_t N, size_t M, int F, sockaddr *A,
                  socklen_t *L),
                 (S, P, N, M, F, A, L))
GRAUPEL_BLOCKING(int, getaddrinfo,
                 (const char *N, const char *S, const addrinfo *H,
                  addrinfo **R),
                 (N, S, H, R))
GRAUPEL_BLOCKING(int, getnameinfo,
                 (const sockaddr *A, socklen_t L, char *H, socklen_t M, char *S,
                  socklen_t N, int F),
                 (A, L, H, M, S, N, F))
GRAUPEL_BLOCKING(hostent *, gethostbyname, (const char *N), (N))

//===-- Waiting for descriptors, time, signals, processes -----------------===//

GRAUPEL_BLOCKING(int, poll, (pollfd * P, nfds_t N, int T), (P, N, T))
GRAUPEL_BLOCKING(int, ppoll,
                 (pollfd * P, nfds_t N, const timespec *T, const sigset_t *S),
                 (P, N, T, S))
GRAUPEL_BLOCKING(int, __poll_chk, (pollfd * P, nfds_t N, int T, size_t L),
                 (P, N, T, L))
GRAUPEL_BLOCKING(int, __ppoll_chk,
                 (pollfd * P, nfds_t N, const timespec *T, const sigset_t *S,
                  size_t L),
                 (P, N, T, S, L))
GRAUPEL_BLOCKING(int, select,
                 (int N, fd_set *R, fd_set *W, fd_set *E, timeval *T),
                 (N, R, W, E, T))
GRAUPEL_BLOCKING(int, pselect,
                 (int N, fd_set *R, fd_set *W, fd_set *E, const timespec *T,
                  const sigset_t *S),
                 (N, R, W, E, T, S))
GRAUPEL_BLOCKING(int, epoll_wait, (int E, epoll_event *V, int N, int T),
                 (E, V, N, T))
GRAUPEL_BLOCKING(int, epoll_pwait,
                 (int E, epoll_event *V, int N, int T, const sigset_t *S),
                 (E, V, N, T, S))
GRAUPEL_BLOCKING(int, epoll_pwait2,
                 (int E, epoll_event *V, int N, const timespec *T,
                  const sigset_t *S),
                 (E, V, N, T, S))
GRAUPEL_BLOCKING(int, eventfd_read, (int F, uint64_t *V), (F, V))
GRAUPEL_BLOCKING(int, eventfd_write, (int F, uint64_t V), (F, V))
GRAUPEL_BLOCKING(ssize_t, getrandom, (void *P, size_t N, unsigned F), (P, N, F))
GRAUPEL_BLOCKING(unsigned, sleep, (unsigned S), (S))
GRAUPEL_BLOCKING(int, usleep, (useconds_t T), (T))
GRAUPEL_BLOCKING(int, nanosleep, (const timespec *T, timespec *R), (T, R))
GRAUPEL_BLOCKING(int, clock_nanosleep,
                 (clockid_t C, int F, const timespec *T, timespec *R),
                 (C, F, T, R))
GRAUPEL_BLOCKING(int, pause, (), ())
GRAUPEL_BLOCKING(int, sigsuspend, (const sigset_t *S), (S))
GRAUPEL_BLOCKING(int, sigwait, (const sigset_t *S, int *R), (S, R))
GRAUPEL_BLOCKING(int, sigwaitinfo, (const sigset_t *S, siginfo_t *I), (S, I))
GRAUPEL_BLOCKING(int, sigtimedwait,
                 (const sigset_t *S, siginfo_t *I, const timespec *T),
                 (S, I, T))
GRAUPEL_BLOCKING(pid_t, wait, (int *S), (S))
GRAUPEL_BLOCKING(pid_t, waitpid, (pid_t P, int *S, int F), (P, S, F))
GRAUPEL_BLOCKING(int, waitid, (idtype_t K, id_t P, siginfo_t *I, int F),
                 (K, P, I, F))
GRAUPEL_BLOCKING(pid_t, wait3, (int *S, int F, rusage *U), (S, F, U))
GRAUPEL_BLOCKING(pid_t, wait4, (pid_t P, int *S, int F, rusage *U),
                 (P, S, F, U))
GRAUPEL_BLOCKING(int, system, (const char *C), (C))
GRAUPEL_BLOCKING(int, msgsnd, (int Q, const void *P, size_t N, int F),
                 (Q, P, N, F))
GRAUPEL_BLOCKING(ssize_t, msgrcv, (int Q, void *P, size_t N, long T, int F),
                 (Q, P, N, T, F))
GRAUPEL_BLOCKING(int, semop, (int S, sembuf *P, size_t N), (S, P, N))
GRAUPEL_BLOCKING(int, semtimedop,
                 (int S, sembuf *P, size_t N, const timespec *T), (S, P, N, T))
GRAUPEL_BLOCKING(int, mq_send, (mqd_t Q, const char *P, size_t N, unsigned R),
                 (Q, P, N, R))
GRAUPEL_BLOCKING(int, mq_timedsend,
                 (mqd_t Q, const char *P, size_t N, unsigned R,
                  const timespec *T),
                 (Q, P, N, R, T))
GRAUPEL_BLOCKING(ssize_t, mq_receive, (mqd_t Q, char *P, size_t N, unsigned *R),
                 (Q, P, N, R))
GRAUPEL_BLOCKING(ssize_t, mq_timedreceive,
                 (mqd_t Q, char *P, size_t N, unsigned *R, const timespec *T),
                 (Q, P, N, R, T))

// Whatever blocks without a function of its own: futexes, mostly.
GRAUPEL_INTERPOSE(long, syscall, (long Number, ...)) {
  va_list L;
  va_start(L, Number);
  long A[6];
  for (long &Argument : A)
    Argument = va_arg(L, long);
  va_end(L);
  Blocking Here;
  return real_syscall()(Number, A[0], A[1], A[2], A[3], A[4], A[5]);
}

//===-- Threads -----------------------------------------------------------===//

GRAUPEL_BLOCKING(int, pthread_join, (pthread_t T, void **R), (T, R))
GRAUPEL_BLOCKING(int, pthread_timedjoin_np,
                 (pthread_t T, void **R, const timespec *L), (T, R, L))
GRAUPEL_BLOCKING(int, pthread_clockjoin_np,
                 (pthread_t T, void **R, clockid_t C, const timespec *L),
                 (T, R, C, L))
GRAUPEL_BLOCKING_VERSION("GLIBC_2.3.2", int, pthread_cond_wait,
                         (pthread_cond_t * C, pthread_mutex_t *M), (C, M))
GRAUPEL_BLOCKING_VERSION("GLIBC_2.3.2", int, pthread_cond_timedwait,
                         (pthread_cond_t * C, pthread_mutex_t *M,
                          const timespec *T),
                         (C, M, T))
GRAUPEL_BLOCKING(int, pthread_cond_clockwait,
                 (pthread_cond_t * C, pthread_mutex_t *M, clockid_t K,
                  const timespec *T),
                 (C, M, K, T))
GRAUPEL_BLOCKING(int, pthread_barrier_wait, (pthread_barrier_t * B), (B))
GRAUPEL_BLOCKING_AFTER(pthread_mutex_trylock(M), EBUSY, pthread_mutex_lock,
                       (pthread_mutex_t * M), (M))
GRAUPEL_BLOCKING_AFTER(pthread_mutex_trylock(M), EBUSY, pthread_mutex_timedlock,
                       (pthread_mutex_t * M, const timespec *T), (M, T))
GRAUPEL_BLOCKING_AFTER(pthread_mutex_trylock(M), EBUSY, pthread_mutex_clocklock,
                       (pthread_mutex_t * M, clockid_t C, const timespec *T),
                       (M, C, T))
GRAUPEL_BLOCKING(int, pthread_rwlock_rdlock, (pthread_rwlock_t * L), (L))
GRAUPEL_BLOCKING(int, pthread_rwlock_timedrdlock,
                 (pthread_rwlock_t * L, const timespec *T), (L, T))
GRAUPEL_BLOCKING(int, pthread_rwlock_clockrdlock,
                 (pthread_rwlock_t * L, clockid_t C, const timespec *T),
                 (L, C, T))
GRAUPEL_BLOCKING(int, pthread_rwlock_wrlock, (pthread_rwlock_t * L), (L))
GRAUPEL_BLOCKING(int, pthread_rwlock_timedwrlock,
                 (pthread_rwlock_t * L, const timespec *T), (L, T))
GRAUPEL_BLOCKING(int, pthread_rwlock_clockwrlock,
                 (pthread_rwlock_t * L, clockid_t C, const timespec *T),
                 (L, C, T))
GRAUPEL_BLOCKING_AFTER(pthread_spin_trylock(L), EBUSY, pthread_spin_lock,
                       (pthread_spinlock_t * L), (L))
GRAUPEL_BLOCKING(int, sem_wait, (sem_t * S), (S))
GRAUPEL_BLOCKING(int, sem_timedwait, (sem_t * S, const timespec *T), (S, T))
GRAUPEL_BLOCKING(int, sem_clockwait,
                 (sem_t * S, clockid_t C, const timespec *T), (S, C, T))
GRAUPEL_BLOCKING_AFTER(mtx_trylock(M), thrd_busy, mtx_lock, (mtx_t * M), (M))
GRAUPEL_BLOCKING_AFTER(mtx_trylock(M), thrd_busy, mtx_timedlock,
                       (mtx_t * M, const timespec *T), (M, T))
GRAUPEL_BLOCKING(int, cnd_wait, (cnd_t * C, mtx_t *M), (C, M))
GRAUPEL_BLOCKING(int, cnd_timedwait, (cnd_t * C, mtx_t *M, const timespec *T),
                 (C, M, T))
GRAUPEL_BLOCKING(int, thrd_join, (thrd_t T, int *R), (T, R))
GRAUPEL_BLOCKING(int, thrd_sleep, (const timespec *T, timespec *R), (T, R))
GRAUPEL_BLOCKING(int, __cxa_guard_acquire, (void *G), (G))

// Others wait while one runs the program's function.
static __thread void (*OnceFunction)();
static void runOnce() {
  auto *Function = OnceFunction;
  Unblocked Here;
  Function();
}

GRAUPEL_INTERPOSE(int, pthread_once, (pthread_once_t * O, void (*F)())) {
  OnceFunction = F;
  Blocking Here;
  return real_pthread_once()(O, runOnce);
}

GRAUPEL_INTERPOSE(void, call_once, (once_flag * O, void (*F)())) {
  OnceFunction = F;
  Blocking Here;
  real_call_once()(O, runOnce);
}
// NOLINTEND
