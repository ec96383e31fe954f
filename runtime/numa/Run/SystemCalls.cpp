//===- numa/Run/SystemCalls.cpp - Memory that the kernel uses -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes memory accessible before calls that hand much of it to the kernel. A
// program may protect nothing, and yet find memory protected: memory with
// copies from stores, memory that waits for its next touch from everything. Its
// own accesses fault and are handled; the kernel's, for it, would fail with
// EFAULT.
//
// 1. touch reads a byte of each page of a buffer, if the buffer may wait for
//    its next touch. So the pages move to this thread's node.
// 2. Calls that store to memory, from read to recvmsg, go through into. It
//    touches the buffer, ends its copies, makes the call and allows copies
//    again.
// 3. Calls that load from memory, from write to sendmsg, touch the buffer only.
// 4. fread and its variants read such memory through a buffer on the stack,
//    with the stream locked around all parts. fwrite touches the buffer.
//
//===----------------------------------------------------------------------===//

#include "Arena.h"
#include "Kernel.h"
#include "Next.h"
#include "Replicas.h"
#include "Sites.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/socket.h>
#include <sys/uio.h>

using namespace graupel::numa;

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

/// Moves memory that waits for a touch to this thread's node.
void touch(const void *Memory, size_t Bytes) {
  if (!Bytes || !mayWaitForTouch(Memory))
    return;
  auto *At = static_cast<const volatile char *>(Memory);
  const auto Start = reinterpret_cast<uint64_t>(Memory);
  for (size_t N = 0; N < Bytes; N = pageUp(Start + N + 1) - Start)
    (void)At[N];
  (void)At[Bytes - 1];
}

/// Calls something that stores to memory.
template <class Call> ssize_t into(const iovec *Parts, size_t Count, Call Do) {
  bool Any = false;
  for (size_t N = 0; N < Count; ++N) {
    touch(Parts[N].iov_base, Parts[N].iov_len);
    Any |= mayHaveCopies(Parts[N].iov_base, Parts[N].iov_len);
  }
  if (!Any)
    return Do();
  for (size_t N = 0; N < Count; ++N)
    endCopies(Parts[N].iov_base, Parts[N].iov_len);
  ssize_t Result = Do();
  int Error = errno;
  for (size_t N = 0; N < Count; ++N)
    allowCopies(Parts[N].iov_base, Parts[N].iov_len);
  errno = Error;
  return Result;
}

template <class Call> ssize_t into(void *Memory, size_t Bytes, Call Do) {
  const iovec Part = {Memory, Bytes};
  return into(&Part, 1, Do);
}

void touchAll(const iovec *Parts, size_t Count) {
  for (size_t N = 0; N < Count; ++N)
    touch(Parts[N].iov_base, Parts[N].iov_len);
}

/// Large reads of a stream go to the caller's memory; this one's do not.
template <class Read>
size_t throughBuffer(void *To, size_t Size, size_t Count, Read Do) {
  char Buffer[16384];
  auto *At = static_cast<char *>(To);
  size_t Bytes = Size * Count, Done = 0;
  while (Done < Bytes) {
    size_t Part = std::min(Bytes - Done, sizeof(Buffer));
    size_t Got = Do(Buffer, Part);
    memcpy(At + Done, Buffer, Got);
    Done += Got;
    if (Got < Part)
      break;
  }
  return Done / Size;
}

bool isOurs(const void *Memory, size_t Bytes) {
  return mayHaveCopies(Memory, Bytes) || mayWaitForTouch(Memory);
}

} // namespace

//===--- From descriptors -------------------------------------------------===//

EXPORT ssize_t read(int From, void *To, size_t Bytes) {
  static Next<ssize_t(int, void *, size_t)> Real("read");
  return into(To, Bytes, [&] { return (*Real)(From, To, Bytes); });
}
EXPORT ssize_t __read_chk(int From, void *To, size_t Bytes, size_t Room) {
  static Next<ssize_t(int, void *, size_t, size_t)> Real("__read_chk");
  return into(To, Bytes, [&] { return (*Real)(From, To, Bytes, Room); });
}
EXPORT ssize_t pread64(int From, void *To, size_t Bytes, off64_t At) {
  static Next<ssize_t(int, void *, size_t, off64_t)> Real("pread64");
  return into(To, Bytes, [&] { return (*Real)(From, To, Bytes, At); });
}
EXPORT ssize_t pread(int From, void *To, size_t Bytes, off_t At) {
  return pread64(From, To, Bytes, At);
}
EXPORT ssize_t __pread64_chk(int From, void *To, size_t Bytes, off64_t At,
                             size_t Room) {
  static Next<ssize_t(int, void *, size_t, off64_t, size_t)> Real(
      "__pread64_chk");
  return into(To, Bytes, [&] { return (*Real)(From, To, Bytes, At, Room); });
}
EXPORT ssize_t __pread_chk(int From, void *To, size_t Bytes, off_t At,
                           size_t Room) {
  return __pread64_chk(From, To, Bytes, At, Room);
}
EXPORT ssize_t readv(int From, const iovec *To, int Count) {
  static Next<ssize_t(int, const iovec *, int)> Real("readv");
  return into(To, size_t(std::max(Count, 0)),
              [&] { return (*Real)(From, To, Count); });
}
EXPORT ssize_t preadv64(int From, const iovec *To, int Count, off64_t At) {
  static Next<ssize_t(int, const iovec *, int, off64_t)> Real("preadv64");
  return into(To, size_t(std::max(Count, 0)),
              [&] { return (*Real)(From, To, Count, At); });
}
EXPORT ssize_t preadv(int From, const iovec *To, int Count, off_t At) {
  return preadv64(From, To, Count, At);
}
EXPORT ssize_t recv(int From, void *To, size_t Bytes, int Flags) {
  static Next<ssize_t(int, void *, size_t, int)> Real("recv");
  return into(To, Bytes, [&] { return (*Real)(From, To, Bytes, Flags); });
}
EXPORT ssize_t __recv_chk(int From, void *To, size_t Bytes, size_t Room,
                          int Flags) {
  static Next<ssize_t(int, void *, size_t, size_t, int)> Real("__recv_chk");
  return into(To, Bytes, [&] { return (*Real)(From, To, Bytes, Room, Flags); });
}
EXPORT ssize_t recvfrom(int From, void *To, size_t Bytes, int Flags,
                        sockaddr *Address, socklen_t *Length) {
  static Next<ssize_t(int, void *, size_t, int, sockaddr *, socklen_t *)> Real(
      "recvfrom");
  return into(To, Bytes,
              [&] { return (*Real)(From, To, Bytes, Flags, Address, Length); });
}
EXPORT ssize_t __recvfrom_chk(int From, void *To, size_t Bytes, size_t Room,
                              int Flags, sockaddr *Address, socklen_t *Length) {
  static Next<ssize_t(int, void *, size_t, size_t, int, sockaddr *,
                      socklen_t *)>
      Real("__recvfrom_chk");
  return into(To, Bytes, [&] {
    return (*Real)(From, To, Bytes, Room, Flags, Address, Length);
  });
}
EXPORT ssize_t recvmsg(int From, msghdr *Message, int Flags) {
  static Next<ssize_t(int, msghdr *, int)> Real("recvmsg");
  return into(Message->msg_iov, Message->msg_iovlen,
              [&] { return (*Real)(From, Message, Flags); });
}

//===--- To descriptors ---------------------------------------------------===//

EXPORT ssize_t write(int To, const void *From, size_t Bytes) {
  static Next<ssize_t(int, const void *, size_t)> Real("write");
  touch(From, Bytes);
  return (*Real)(To, From, Bytes);
}
EXPORT ssize_t pwrite64(int To, const void *From, size_t Bytes, off64_t At) {
  static Next<ssize_t(int, const void *, size_t, off64_t)> Real("pwrite64");
  touch(From, Bytes);
  return (*Real)(To, From, Bytes, At);
}
EXPORT ssize_t pwrite(int To, const void *From, size_t Bytes, off_t At) {
  return pwrite64(To, From, Bytes, At);
}
EXPORT ssize_t writev(int To, const iovec *From, int Count) {
  static Next<ssize_t(int, const iovec *, int)> Real("writev");
  touchAll(From, size_t(std::max(Count, 0)));
  return (*Real)(To, From, Count);
}
EXPORT ssize_t send(int To, const void *From, size_t Bytes, int Flags) {
  static Next<ssize_t(int, const void *, size_t, int)> Real("send");
  touch(From, Bytes);
  return (*Real)(To, From, Bytes, Flags);
}
EXPORT ssize_t sendto(int To, const void *From, size_t Bytes, int Flags,
                      const sockaddr *Address, socklen_t Length) {
  static Next<ssize_t(int, const void *, size_t, int, const sockaddr *,
                      socklen_t)>
      Real("sendto");
  touch(From, Bytes);
  return (*Real)(To, From, Bytes, Flags, Address, Length);
}
EXPORT ssize_t sendmsg(int To, const msghdr *Message, int Flags) {
  static Next<ssize_t(int, const msghdr *, int)> Real("sendmsg");
  touchAll(Message->msg_iov, Message->msg_iovlen);
  return (*Real)(To, Message, Flags);
}

//===--- Streams ----------------------------------------------------------===//

using ReadStream = size_t(void *, size_t, size_t, FILE *);
using CheckedReadStream = size_t(void *, size_t, size_t, size_t, FILE *);
static Next<ReadStream> NextRead("fread"), NextReadUnlocked("fread_unlocked");

static size_t readStream(Next<ReadStream> &Real, void *To, size_t Size,
                         size_t Count, FILE *From) {
  if (!Size || !Count || !isOurs(To, Size * Count))
    return (*Real)(To, Size, Count, From);
  // The parts are one read.
  flockfile(From);
  size_t Done = throughBuffer(To, Size, Count, [&](char *Buffer, size_t Part) {
    return (*Real)(Buffer, 1, Part, From);
  });
  funlockfile(From);
  return Done;
}

EXPORT size_t fread(void *To, size_t Size, size_t Count, FILE *From) {
  return readStream(NextRead, To, Size, Count, From);
}
EXPORT size_t fread_unlocked(void *To, size_t Size, size_t Count, FILE *From) {
  return readStream(NextReadUnlocked, To, Size, Count, From);
}
EXPORT size_t __fread_chk(void *To, size_t Room, size_t Size, size_t Count,
                          FILE *From) {
  static Next<CheckedReadStream> Real("__fread_chk");
  if (!isOurs(To, Size * Count) || Size * Count > Room)
    return (*Real)(To, Room, Size, Count, From);
  return fread(To, Size, Count, From);
}
EXPORT size_t __fread_unlocked_chk(void *To, size_t Room, size_t Size,
                                   size_t Count, FILE *From) {
  static Next<CheckedReadStream> Real("__fread_unlocked_chk");
  if (!isOurs(To, Size * Count) || Size * Count > Room)
    return (*Real)(To, Room, Size, Count, From);
  return fread_unlocked(To, Size, Count, From);
}

EXPORT size_t fwrite(const void *From, size_t Size, size_t Count, FILE *To) {
  static Next<size_t(const void *, size_t, size_t, FILE *)> Real("fwrite");
  touch(From, Size * Count);
  return (*Real)(From, Size, Count, To);
}
EXPORT size_t fwrite_unlocked(const void *From, size_t Size, size_t Count,
                              FILE *To) {
  static Next<size_t(const void *, size_t, size_t, FILE *)> Real(
      "fwrite_unlocked");
  touch(From, Size * Count);
  return (*Real)(From, Size, Count, To);
}
