//===- Sockets.cpp - Addresses and events in shared memory ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data that is sent and received: Descriptors.cpp.
//
//===----------------------------------------------------------------------===//

#include "Entries/Private.h"
#include "Wrappers/Checked.h"
#include <arpa/inet.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

using namespace graupel::dsm;

GRAUPEL_WRAP(int, connect, (int S, const sockaddr *A, socklen_t L), S,
             Objects(asBytes(A), L).address(), L)
GRAUPEL_WRAP(int, bind, (int S, const sockaddr *A, socklen_t L), S,
             Objects(asBytes(A), L).address(), L)
GRAUPEL_WRAP(int, setsockopt,
             (int S, int Level, int Name, const void *V, socklen_t L), S, Level,
             Name, Objects(asBytes(V), L).get(), L)
GRAUPEL_WRAP(int, socketpair, (int D, int T, int P, int *Ends), D, T, P,
             Objects(Ends, 2))

namespace {

/// Call(address, length), which may store both.
template <class F> int withAddress(void *A, socklen_t *Length, F Call) {
  Object PrivateLength(Length);
  Objects Address(asBytes(A), A && Length ? *PrivateLength.get() : 0);
  return Call(Address.address(), PrivateLength.get());
}

} // namespace

#define GRAUPEL_ADDRESS(Name, Parameters, ...)                                 \
  extern "C" int graupel_dsm_##Name Parameters {                               \
    return withAddress(                                                        \
        A, L, [=](sockaddr *A, socklen_t *L) { return Name(__VA_ARGS__); });   \
  }
GRAUPEL_ADDRESS(accept, (int S, sockaddr *A, socklen_t *L), S, A, L)
GRAUPEL_ADDRESS(accept4, (int S, sockaddr *A, socklen_t *L, int F), S, A, L, F)
GRAUPEL_ADDRESS(getsockname, (int S, sockaddr *A, socklen_t *L), S, A, L)
GRAUPEL_ADDRESS(getpeername, (int S, sockaddr *A, socklen_t *L), S, A, L)
GRAUPEL_ADDRESS(getsockopt, (int S, int V, int N, void *A, socklen_t *L), S, V,
                N, A, L)

GRAUPEL_WRAP(in_addr_t, inet_addr, (const char *S), String(S))

extern "C" {
int graupel_dsm_inet_pton(int Family, const char *S, void *To) {
  return inet_pton(Family, String(S),
                   Objects(asBytes(To), Family == AF_INET ? sizeof(in_addr)
                                                          : sizeof(in6_addr))
                       .get());
}

const char *graupel_dsm_inet_ntop(int Family, const void *From, char *To,
                                  socklen_t Size) {
  size_t Bytes = Family == AF_INET ? sizeof(in_addr) : sizeof(in6_addr);
  return inet_ntop(Family, Objects(asBytes(From), Bytes).get(),
                   Objects(To, Size).get(), Size)
             ? To
             : nullptr;
}
} // extern "C"

//===-- Events ------------------------------------------------------------===//

GRAUPEL_WRAP(int, epoll_ctl, (int E, int Op, int File, epoll_event *V), E, Op,
             File, Object(V))
GRAUPEL_WRAP(int, epoll_wait, (int E, epoll_event *V, int N, int Timeout), E,
             Objects(V, std::max(N, 0)), N, Timeout)
GRAUPEL_WRAP(int, select, (int N, fd_set *R, fd_set *W, fd_set *X, timeval *T),
             N, Object(R), Object(W), Object(X), Object(T))

// graupel_dsm_poll is an entry.
extern "C" int graupel_dsm_poll_files(pollfd *P, nfds_t N, int Timeout) {
  return poll(Objects(P, N), N, Timeout);
}

extern "C" int graupel_dsm___poll_chk(pollfd *P, nfds_t N, int Timeout,
                                      size_t Room) {
  if (Room / sizeof(pollfd) < N)
    __chk_fail();
  return graupel_dsm_poll_files(P, N, Timeout);
}
