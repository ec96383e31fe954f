//===- Vectors.cpp - System calls on several shared buffers -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements system calls whose buffers are listed in vectors. As in
// Descriptors.cpp, data go through private memory.
//
// 1. Gathered: if one buffer is shared, all become one private buffer, which is
//    filled before (gather) or spread behind the call (scatter).
// 2. readv to pwritev2 are made of these. sendmsg and recvmsg also have a
//    private name and control data; what was received is written back, and
//    nothing else.
// 3. Rare functions are not given shared memory: their wrappers walk the
//    vectors and end the job if there is some.
//
//===----------------------------------------------------------------------===//

#include "Base/Lines.h"
#include "Entries/Private.h"
#include "Errors/Error.h"
#include "Foreign/Pins.h"
#include "Wrappers/Bounce.h"
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>

using namespace graupel::dsm;

namespace {

/// A vector of buffers as one piece of private memory.
class Gathered {
public:
  Gathered(const iovec *Given, int Count)
      : Vector(Given, std::max(Count, 0)), Count(std::max(Count, 0)) {
    for (int I = 0; I != this->Count; ++I) {
      Any |= isShared(Vector.get()[I].iov_base);
      Bytes += Vector.get()[I].iov_len;
    }
    if (Any)
      Data = static_cast<char *>(privateMemory(Bytes, Bounce::Alignment));
  }
  ~Gathered() { free(Data); }
  Gathered(const Gathered &) = delete;
  Gathered &operator=(const Gathered &) = delete;

  /// The vector as given, in private memory.
  const iovec *vector() const { return Vector; }
  bool anyShared() const { return Any; }
  /// All of it, as one buffer.
  iovec whole() const { return {Data, Bytes}; }
  void fill() {
    char *At = Data;
    forEach(Bytes, [&At](const iovec &V, size_t N) {
      graupel_dsm_memcpy(At, V.iov_base, N);
      At += N;
    });
  }
  void spread(size_t Got) {
    const char *At = Data;
    forEach(Got, [&At](const iovec &V, size_t N) {
      graupel_dsm_memcpy(V.iov_base, At, N);
      At += N;
    });
  }

private:
  template <class F> void forEach(size_t Left, F Visit) {
    for (int I = 0; I != Count && Left; ++I) {
      size_t N = std::min(Left, Vector.get()[I].iov_len);
      Visit(Vector.get()[I], N);
      Left -= N;
    }
  }

  Objects<const iovec> Vector;
  int Count;
  size_t Bytes = 0;
  bool Any = false;
  char *Data = nullptr;
};

/// Call(vector, count).
template <class F> ssize_t gather(const iovec *V, int Count, F Call) {
  Gathered All(V, Count);
  if (!All.anyShared())
    return Call(All.vector(), Count);
  All.fill();
  iovec One = All.whole();
  return Call(&One, 1);
}

template <class F> ssize_t scatter(const iovec *V, int Count, F Call) {
  Gathered All(V, Count);
  if (!All.anyShared())
    return Call(All.vector(), Count);
  iovec One = All.whole();
  ssize_t Got = Call(&One, 1);
  if (Got > 0)
    All.spread(std::min<size_t>(Got, One.iov_len));
  return Got;
}

template <class T> void storeAt(T &To, T Value) {
  graupel_dsm_memcpy(&To, &Value, sizeof(Value));
}

} // namespace

//===-- Files -------------------------------------------------------------===//

extern "C" {
ssize_t graupel_dsm_readv(int File, const iovec *V, int Count) {
  return scatter(V, Count,
                 [=](const iovec *V, int N) { return readv(File, V, N); });
}
ssize_t graupel_dsm_writev(int File, const iovec *V, int Count) {
  return gather(V, Count,
                [=](const iovec *V, int N) { return writev(File, V, N); });
}
ssize_t graupel_dsm_preadv(int File, const iovec *V, int Count, off_t At) {
  return scatter(V, Count,
                 [=](const iovec *V, int N) { return preadv(File, V, N, At); });
}
ssize_t graupel_dsm_pwritev(int File, const iovec *V, int Count, off_t At) {
  return gather(V, Count,
                [=](const iovec *V, int N) { return pwritev(File, V, N, At); });
}

ssize_t graupel_dsm_preadv2(int File, const iovec *V, int Count, off_t At,
                            int Flags) {
  return scatter(V, Count, [=](const iovec *V, int N) {
    return preadv2(File, V, N, At, Flags);
  });
}
ssize_t graupel_dsm_pwritev2(int File, const iovec *V, int Count, off_t At,
                             int Flags) {
  return gather(V, Count, [=](const iovec *V, int N) {
    return pwritev2(File, V, N, At, Flags);
  });
}

//===-- Messages ----------------------------------------------------------===//

ssize_t graupel_dsm_sendmsg(int Socket, const msghdr *Given, int Flags) {
  msghdr M = *Object(Given).get();
  Objects Name(asBytes(M.msg_name), M.msg_namelen);
  Objects Control(asBytes(M.msg_control), M.msg_controllen);
  M.msg_name = Name.get();
  M.msg_control = Control.get();
  return gather(M.msg_iov, static_cast<int>(M.msg_iovlen),
                [&](const iovec *V, int N) {
                  M.msg_iov = const_cast<iovec *>(V);
                  M.msg_iovlen = N;
                  return sendmsg(Socket, &M, Flags);
                });
}

ssize_t graupel_dsm_recvmsg(int Socket, msghdr *Given, int Flags) {
  msghdr M = *Object(const_cast<const msghdr *>(Given)).get();
  Results Name(asBytes(M.msg_name), M.msg_namelen);
  Results Control(asBytes(M.msg_control), M.msg_controllen);
  M.msg_name = Name.get();
  M.msg_control = Control.get();
  ssize_t Got = scatter(M.msg_iov, static_cast<int>(M.msg_iovlen),
                        [&](const iovec *V, int N) {
                          M.msg_iov = const_cast<iovec *>(V);
                          M.msg_iovlen = N;
                          return recvmsg(Socket, &M, Flags);
                        });
  if (Got < 0)
    return Got;
  Name.stored(M.msg_namelen);
  Control.stored(M.msg_controllen);
  storeAt(Given->msg_namelen, M.msg_namelen);
  storeAt(Given->msg_controllen, M.msg_controllen);
  storeAt(Given->msg_flags, M.msg_flags);
  return Got;
}
} // extern "C"

//===-- Without wrappers --------------------------------------------------===//

namespace {

/// Ends the job if what a function is given is shared.
class Private {
public:
  Private(const char *Function, const void *Pc) : Function(Function), Pc(Pc) {}

  void require(const void *P) const {
    if (isShared(P) && !isPinned(P)) [[unlikely]]
      fail("%s passes shared memory (%p) to '%s', which is not made for it: "
           "use private memory",
           nameOf(reinterpret_cast<uintptr_t>(Pc)).Text, P, Function);
  }
  void require(const iovec *V, size_t Count) const {
    require(V);
    for (size_t I = 0; V && I != Count; ++I)
      if (V[I].iov_len)
        require(V[I].iov_base);
  }
  void require(const mmsghdr *M, unsigned Count) const {
    require(M);
    for (unsigned I = 0; M && I != Count; ++I) {
      require(M[I].msg_hdr.msg_name);
      require(M[I].msg_hdr.msg_control);
      require(M[I].msg_hdr.msg_iov, M[I].msg_hdr.msg_iovlen);
    }
  }

private:
  const char *Function;
  const void *Pc;
};

} // namespace

#define GRAUPEL_PRIVATE(Name) Private(#Name, __builtin_return_address(0))

extern "C" {
int graupel_dsm_sendmmsg(int Socket, mmsghdr *M, unsigned Count, int Flags) {
  GRAUPEL_PRIVATE(sendmmsg).require(M, Count);
  return sendmmsg(Socket, M, Count, Flags);
}

int graupel_dsm_recvmmsg(int Socket, mmsghdr *M, unsigned Count, int Flags,
                         timespec *T) {
  Private All = GRAUPEL_PRIVATE(recvmmsg);
  All.require(M, Count);
  All.require(T);
  return recvmmsg(Socket, M, Count, Flags, T);
}

ssize_t graupel_dsm_vmsplice(int File, const iovec *V, size_t Count,
                             unsigned Flags) {
  GRAUPEL_PRIVATE(vmsplice).require(V, Count);
  return vmsplice(File, V, Count, Flags);
}

// The other vector is of addresses of another process.
ssize_t graupel_dsm_process_vm_readv(pid_t P, const iovec *V, unsigned long N,
                                     const iovec *Far, unsigned long FarN,
                                     unsigned long Flags) {
  Private All = GRAUPEL_PRIVATE(process_vm_readv);
  All.require(V, N);
  All.require(Far);
  return process_vm_readv(P, V, N, Far, FarN, Flags);
}

ssize_t graupel_dsm_process_vm_writev(pid_t P, const iovec *V, unsigned long N,
                                      const iovec *Far, unsigned long FarN,
                                      unsigned long Flags) {
  Private All = GRAUPEL_PRIVATE(process_vm_writev);
  All.require(V, N);
  All.require(Far);
  return process_vm_writev(P, V, N, Far, FarN, Flags);
}
} // extern "C"
