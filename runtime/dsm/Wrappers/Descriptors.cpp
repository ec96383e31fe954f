//===- Descriptors.cpp - System calls on shared buffers ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel neither checks tags nor may find a sentinel, and a call may block:
// data go through private memory, and the thread is away during the call only.
//
//===----------------------------------------------------------------------===//

#include "Node/Node.h"
#include "Wrappers/Bounce.h"
#include "Wrappers/Pieces.h"
#include "graupel/dsm_wrappers.h"
#include <cerrno>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace graupel::dsm;

namespace {

/// More of a file than this goes through private memory in parts.
constexpr size_t PartBytes = size_t(1) << 20;

/// How much of a shared range is memory at all.
size_t mappedBytes(const void *P, size_t Size) {
  const Region &R = nodeFor("a system call").Shared;
  auto A = reinterpret_cast<uintptr_t>(P), End = A;
  while (End - A < Size && End < R.end() && R.chunk(End).Block)
    End = (End | (ChunkBytes - 1)) + 1;
  return std::min<size_t>(End - A, Size);
}

/// Files never block and never return less than there is, so they can be read
/// and written in parts. Nothing else can: a message would be cut, and a second
/// part might wait for what the program did not ask to wait for.
bool isFile(int Descriptor) {
  struct stat S;
  return fstat(Descriptor, &S) == 0 &&
         (S_ISREG(S.st_mode) || S_ISBLK(S.st_mode));
}

template <class F> ssize_t away(F Call) {
  Blocking Here;
  return Call();
}

/// Call(private memory, bytes, done so far).
template <class F> ssize_t inParts(void *To, size_t Size, size_t Part, F Call) {
  size_t Done = 0;
  Bounce Buffer(Part);
  if (!Buffer.data())
    return errno = ENOMEM, -1;
  for (;;) {
    size_t Now = std::min(Part, Size - Done);
    ssize_t Got = away([&] { return Call(Buffer.data(), Now, Done); });
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
    ssize_t Put = away([&] { return Call(Buffer.data(), Now, Done); });
    if (Put < 0)
      return Done ? static_cast<ssize_t>(Done) : Put;
    Done += Put;
    if (static_cast<size_t>(Put) < Now || Done == Size)
      return static_cast<ssize_t>(Done);
  }
}

/// Of a call on a shared buffer: bytes that can be transferred, at most what
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
    return away([&] { return Call(static_cast<char *>(To), Size, 0); });
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
    return away([&] { return Call(static_cast<const char *>(From), Size, 0); });
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
  return output(Socket, From, Size, false,
                [=](const char *P, size_t N, size_t) {
                  return send(Socket, P, N, Flags);
                });
}

ssize_t graupel_dsm_recv(int Socket, void *To, size_t Size, int Flags) {
  return input(Socket, To, Size, false, [=](char *P, size_t N, size_t) {
    return recv(Socket, P, N, Flags);
  });
}
