//===- Sockets.cpp - Addresses and events in shared memory ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements functions on addresses of sockets and on sets of descriptors with
// private copies of shared arguments. Data that is sent and received:
// Descriptors.cpp.
//
// 1. Arguments that are only read get a private copy (Objects, String).
// 2. Addresses that the kernel stores have room for as much as the program has,
//    and are copied back as far as they were stored (withAddress).
// 3. Events are copied back as many as there are. poll copies what has happened
//    and nothing else, as the kernel does.
// 4. Sets for select are as long as the kernel looks at (lookedAt).
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

/// Call(address, length), which stores both unless it fails.
template <class F> int withAddress(void *A, socklen_t *Length, F Call) {
  Object PrivateLength(Length);
  const socklen_t Room = A && Length ? *PrivateLength.get() : 0;
  Results Address(asBytes(A), Room);
  int Result = Call(Address.address(), PrivateLength.get());
  if (Result >= 0 && Room)
    Address.stored(*PrivateLength.get());
  return Result;
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
  Results Text(To, Size);
  if (!inet_ntop(Family, Objects(asBytes(From), Bytes).get(), Text, Size))
    return nullptr;
  Text.stored(strlen(Text) + 1);
  return To;
}

// Some options also tell what is asked for.
int graupel_dsm_getsockopt(int S, int Level, int Name, void *V, socklen_t *L) {
  Object Length(L);
  return getsockopt(S, Level, Name,
                    Objects(asBytes(V), V && L ? *Length.get() : 0).get(),
                    Length);
}
} // extern "C"

//===-- Events ------------------------------------------------------------===//

GRAUPEL_WRAP(int, epoll_ctl, (int E, int Op, int File, epoll_event *V), E, Op,
             File, Object(V))

namespace {

/// Number of descriptors of N that the kernel looks at: no more than it has
/// room for now. Sets of so many are looked for, also if they are of
/// FD_SETSIZE.
int lookedAt(int N) {
  if (N <= FD_SETSIZE)
    return std::max(N, 0);
  FILE *Status = fopen("/proc/self/status", "re");
  int Room = N;
  for (char Line[128]; Status && fgets(Line, sizeof(Line), Status);)
    if (sscanf(Line, "FDSize: %d", &Room) == 1)
      break;
  if (Status)
    fclose(Status);
  return std::min(N, Room);
}

/// A set of N descriptors, which may be more than FD_SETSIZE.
class DescriptorSet : public Objects<unsigned long> {
public:
  DescriptorSet(fd_set *Given, int N)
      : Objects(reinterpret_cast<unsigned long *>(Given), (N + 63) / 64) {}
  operator fd_set *() const { return reinterpret_cast<fd_set *>(get()); }
};

} // namespace

extern "C" {
int graupel_dsm_epoll_wait(int E, epoll_event *Given, int N, int Timeout) {
  Results Events(Given, std::max(N, 0));
  int Count = epoll_wait(E, Events, N, Timeout);
  Events.stored(std::max(Count, 0));
  return Count;
}

int graupel_dsm_select(int N, fd_set *R, fd_set *W, fd_set *X, timeval *T) {
  if (!isShared(R) && !isShared(W) && !isShared(X))
    return select(N, R, W, X, Object(T));
  const int Looked = lookedAt(N);
  return select(N, DescriptorSet(R, Looked), DescriptorSet(W, Looked),
                DescriptorSet(X, Looked), Object(T));
}

// graupel_dsm_poll is an entry. The kernel stores what has happened, and
// nothing else.
int graupel_dsm_poll_files(pollfd *Given, nfds_t N, int Timeout) {
  if (!isShared(Given))
    return poll(Given, N, Timeout);
  Objects Private(const_cast<const pollfd *>(Given), N);
  auto *P = const_cast<pollfd *>(Private.get());
  int Count = poll(P, N, Timeout);
  for (nfds_t I = 0; Count >= 0 && I != N; ++I)
    graupel_dsm_memcpy(&Given[I].revents, &P[I].revents, sizeof(P->revents));
  return Count;
}
} // extern "C"

extern "C" int graupel_dsm___poll_chk(pollfd *P, nfds_t N, int Timeout,
                                      size_t Room) {
  if (Room / sizeof(pollfd) < N)
    __chk_fail();
  return graupel_dsm_poll_files(P, N, Timeout);
}
