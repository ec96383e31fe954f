//===- Descriptors.cpp - System calls on shared buffers ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements system calls for shared buffers. The kernel neither checks tags
// nor may find a sentinel, so data go through private memory. The calls
// themselves are interposed (Wrappers/Blocking.cpp), so the thread is away
// during them, and only then. Calls with several buffers: Vectors.cpp.
//
// 1. input and output: hand a private buffer on as it is. A shared one counts
//    as far as it is open memory; if that is nothing, the call fails with
//    EFAULT.
// 2. inParts and outParts: call with private memory, and copy behind or before
//    the call. Large files go in parts of PartBytes; nothing else may be cut.
// 3. read to recvfrom are made of these, with private addresses and lengths.
// 4. The forms of -D_FORTIFY_SOURCE check the size of the destination first.
//
//===----------------------------------------------------------------------===//

#include "Entries/Private.h"
#include "Node/Node.h"
#include "Wrappers/Bounce.h"
#include "Wrappers/Checked.h"
#include <cerrno>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace graupel::dsm;

namespace {

/// More of a file than this goes through private memory in parts.
constexpr size_t PartBytes = size_t(1) << 20;

/// Number of bytes of a shared range that are memory at all.
size_t mappedBytes(const void *P, size_t Size) {
  auto A = reinterpret_cast<uintptr_t>(P);
  return std::min(nodeFor("a system call").Shared.openBytes(A, Size), Size);
}

/// Files never block and never return less than there is, so they can be read
/// and written in parts. Nothing else can: a message would be cut, and a second
/// part might wait for what the program did not ask to wait for.
bool isFile(int Descriptor) {
  struct stat S;
  return fstat(Descriptor, &S) == 0 &&
         (S_ISREG(S.st_mode) || S_ISBLK(S.st_mode));
}

/// Call(private memory, bytes, done so far).
template <class F> ssize_t inParts(void *To, size_t Size, size_t Part, F Call) {
  size_t Done = 0;
  Bounce Buffer(Part);
  if (!Buffer.data())
    return errno = ENOMEM, -1;
  for (;;) {
    size_t Now = std::min(Part, Size - Done);
    ssize_t Got = Call(Buffer.data(), Now, Done);
    if (Got < 0)
      return Done ? static_cast<ssize_t>(Done) : Got;
    // With MSG_TRUNC, a length that did not fit.
    size_t Here = std::min<size_t>(Got, Now);
    graupel_dsm_memcpy(static_cast<char *>(To) + Done, Buffer.data(), Here);
    Done += Got;
    if (Here < Now || Done >= Size)
      return static_cast<ssize_t>(Done);
  }
}

template <class F>
ssize_t outParts(const void *From, size_t Size, size_t Part, F Call) {
  size_t Done = 0;
  Bounce Buffer(Part);
  if (!Buffer.data())
    return errno = ENOMEM, -1;
  for (;;) {
    size_t Now = std::min(Part, Size - Done);
    graupel_dsm_memcpy(Buffer.data(), static_cast<const char *>(From) + Done,
                       Now);
    ssize_t Put = Call(Buffer.data(), Now, Done);
    if (Put < 0)
      return Done ? static_cast<ssize_t>(Done) : Put;
    Done += Put;
    if (static_cast<size_t>(Put) < Now || Done == Size)
      return static_cast<ssize_t>(Done);
  }
}

/// Number of bytes that a call on a shared buffer can transfer, at most what
/// Linux does at a time; 0 with errno set if there are none.
size_t transferable(const void *P, size_t Size) {
  size_t Usable = std::min(mappedBytes(P, Size), size_t(0x7ffff000));
  if (!Usable)
    errno = EFAULT;
  return Usable;
}

template <class F>
ssize_t input(int Descriptor, void *To, size_t Size, bool Parts, F Call) {
  if (!isShared(To) || !Size)
    return Call(static_cast<char *>(To), Size, 0);
  size_t Usable = transferable(To, Size);
  if (!Usable)
    return -1;
  Parts = Parts && Usable > PartBytes && isFile(Descriptor);
  return inParts(To, Usable, Parts ? PartBytes : Usable, Call);
}

template <class F>
ssize_t output(int Descriptor, const void *From, size_t Size, bool Parts,
               F Call) {
  if (!isShared(From) || !Size)
    return Call(static_cast<const char *>(From), Size, 0);
  size_t Usable = transferable(From, Size);
  if (!Usable)
    return -1;
  Parts = Parts && Usable > PartBytes && isFile(Descriptor);
  return outParts(From, Usable, Parts ? PartBytes : Usable, Call);
}

} // namespace

ssize_t graupel_dsm_read(int File, void *To, size_t Size) {
  return input(File, To, Size, true,
               [=](char *P, size_t N, size_t) { return read(File, P, N); });
}

ssize_t graupel_dsm_write(int File, const void *From, size_t Size) {
  return output(File, From, Size, true, [=](const char *P, size_t N, size_t) {
    return write(File, P, N);
  });
}

ssize_t graupel_dsm_pread(int File, void *To, size_t Size, off_t At) {
  return input(File, To, Size, true, [=](char *P, size_t N, size_t Done) {
    return pread(File, P, N, At + static_cast<off_t>(Done));
  });
}

ssize_t graupel_dsm_pwrite(int File, const void *From, size_t Size, off_t At) {
  return output(File, From, Size, true,
                [=](const char *P, size_t N, size_t Done) {
                  return pwrite(File, P, N, At + static_cast<off_t>(Done));
                });
}

ssize_t graupel_dsm_send(int Socket, const void *From, size_t Size, int Flags) {
  return graupel_dsm_sendto(Socket, From, Size, Flags, nullptr, 0);
}

ssize_t graupel_dsm_recv(int Socket, void *To, size_t Size, int Flags) {
  return graupel_dsm_recvfrom(Socket, To, Size, Flags, nullptr, nullptr);
}

ssize_t graupel_dsm_sendto(int Socket, const void *From, size_t Size, int Flags,
                           const sockaddr *To, socklen_t Length) {
  return output(Socket, From, Size, false,
                [=](const char *P, size_t N, size_t) {
                  return sendto(Socket, P, N, Flags,
                                Objects(asBytes(To), Length).address(), Length);
                });
}

ssize_t graupel_dsm_recvfrom(int Socket, void *To, size_t Size, int Flags,
                             sockaddr *From, socklen_t *Length) {
  Object PrivateLength(Length);
  const socklen_t Room = From && Length ? *PrivateLength.get() : 0;
  Results PrivateFrom(asBytes(From), Room);
  ssize_t Got = input(Socket, To, Size, false, [&](char *P, size_t N, size_t) {
    return recvfrom(Socket, P, N, Flags, PrivateFrom.address(), PrivateLength);
  });
  if (Got >= 0 && Room)
    PrivateFrom.stored(*PrivateLength.get());
  return Got;
}

//===-- As -D_FORTIFY_SOURCE calls them -----------------------------------===//

GRAUPEL_CHECKED(ssize_t, read, Size,
                (int File, void *To, size_t Size, size_t Room), File, To, Size)
GRAUPEL_CHECKED(ssize_t, pread, Size,
                (int File, void *To, size_t Size, off_t At, size_t Room), File,
                To, Size, At)
extern "C" ssize_t graupel_dsm___pread64_chk(int File, void *To, size_t Size,
                                             off_t At, size_t Room) {
  return graupel_dsm___pread_chk(File, To, Size, At, Room);
}
GRAUPEL_CHECKED(ssize_t, recv, Size,
                (int Socket, void *To, size_t Size, size_t Room, int Flags),
                Socket, To, Size, Flags)
GRAUPEL_CHECKED(ssize_t, recvfrom, Size,
                (int Socket, void *To, size_t Size, size_t Room, int Flags,
                 sockaddr *From, socklen_t *Length),
                Socket, To, Size, Flags, From, Length)
