//===- numa/Kernel.cpp - System calls for memory --------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wraps the system calls for policies and pages of memory.
//
// 1. bindMemory, setHomeNode and setThreadPolicy hand a policy and a mask of
//    nodes to the kernel. A kernel without home nodes is no error.
// 2. queryPages asks for the nodes of 64 pages at a time.
// 3. movePages handles 64 pages at a time. It queries where they are, asks the
//    kernel to move those that are elsewhere, and queries again. Pages that are
//    busy are tried up to 20 times; a page that is refused for another reason
//    is not tried again.
// 4. cutHugePages forbids large pages in a range, and has the kernel cut those
//    that are there.
// 5. currentNode asks for the node of this processor; it is 0 if the kernel
//    does not tell.
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include <algorithm>
#include <cerrno>
#include <numaif.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace graupel::numa;

#ifndef SYS_set_mempolicy_home_node
#define SYS_set_mempolicy_home_node 450
#endif

// The kernel takes one from the number of bits.
static constexpr unsigned long MaskBits = 65;

static void *pointer(uint64_t Address) {
  return reinterpret_cast<void *>(Address);
}

int graupel::numa::bindMemory(uint64_t Start, uint64_t End, int Mode,
                              Nodes Mask, bool Move) {
  unsigned long Word = Mask;
  bool Any = Mode != MPOL_DEFAULT && Mode != MPOL_LOCAL;
  if (mbind(pointer(Start), End - Start, Mode, Any ? &Word : nullptr,
            Any ? MaskBits : 0, Move ? MPOL_MF_MOVE : 0) != 0)
    return -errno;
  return 0;
}

void graupel::numa::setHomeNode(uint64_t Start, uint64_t End, unsigned Node) {
  (void)syscall(SYS_set_mempolicy_home_node, Start, End - Start, Node, 0);
}

int graupel::numa::setThreadPolicy(int Mode, Nodes Mask) {
  unsigned long Word = Mask;
  bool Any = Mode != MPOL_DEFAULT && Mode != MPOL_LOCAL;
  if (set_mempolicy(Mode, Any ? &Word : nullptr, Any ? MaskBits : 0) != 0)
    return -errno;
  return 0;
}

namespace {
// Handlers of signals may have a small stack.
constexpr size_t Batch = 64;

/// Some pages of a call of move_pages.
struct Pages {
  void *At[Batch];
  int Wanted[Batch], Status[Batch];
  size_t Count = 0;

  void add(uint64_t Address, int Node) {
    At[Count] = pointer(Address);
    Wanted[Count] = Node;
    Status[Count++] = -EAGAIN;
  }
  int query() {
    return move_pages(0, Count, At, nullptr, Status, 0) < 0 ? -errno : 0;
  }
  /// The status of pages that were not moved differs between kernel versions;
  /// their nodes afterwards do not.
  int move() {
    if (move_pages(0, Count, At, Wanted, Status, MPOL_MF_MOVE) < 0) {
      // A page that has no memory yet makes older kernels refuse the others.
      if (errno != ENOENT)
        return -errno;
    }
    return 0;
  }
};
} // namespace

int graupel::numa::queryPages(uint64_t Start, size_t Count, int *Status) {
  for (size_t At = 0; At < Count;) {
    Pages P;
    while (P.Count < Batch && At + P.Count < Count)
      P.add(Start + (At + P.Count) * PageBytes, 0);
    if (int Error = P.query())
      return Error;
    std::copy_n(P.Status, P.Count, Status + At);
    At += P.Count;
  }
  return 0;
}

static bool isBusy(int Status) { return Status == -EBUSY || Status == -EAGAIN; }

int graupel::numa::movePages(uint64_t Start, size_t Count, const int *Wanted,
                             size_t Step, int *Status) {
  constexpr unsigned Attempts = 20;
  for (size_t At = 0; At < Count;) {
    size_t Here = std::min(Batch, Count - At);
    int Result[Batch], Refused[Batch];
    auto To = [&](size_t N) { return Wanted[(At + N) * Step]; };
    std::fill_n(Refused, Here, 0);
    if (int Error = queryPages(Start + At * PageBytes, Here, Result))
      return Error;
    for (unsigned Attempt = 0; Attempt < Attempts; ++Attempt) {
      Pages P;
      size_t Index[Batch];
      for (size_t N = 0; N < Here; ++N)
        if ((Result[N] >= 0 && Result[N] != To(N) &&
             (!Refused[N] || isBusy(Refused[N]))) ||
            isBusy(Result[N])) {
          Index[P.Count] = N;
          P.add(Start + (At + N) * PageBytes, To(N));
        }
      if (!P.Count)
        break;
      if (Attempt)
        sched_yield();
      if (int Error = P.move())
        return Error;
      for (size_t N = 0; N < P.Count; ++N)
        Refused[Index[N]] = P.Status[N] < 0 ? P.Status[N] : -EBUSY;
      if (int Error = queryPages(Start + At * PageBytes, Here, Result))
        return Error;
    }
    for (size_t N = 0; Status && N < Here; ++N)
      Status[At + N] = Result[N] >= 0 && Result[N] != To(N) && Refused[N]
                           ? Refused[N]
                           : Result[N];
    At += Here;
  }
  return 0;
}

void graupel::numa::cutHugePages(uint64_t Start, uint64_t End) {
  madvise(pointer(Start), End - Start, MADV_NOHUGEPAGE);
  // Advice that concerns a part of a large page makes the kernel cut it; this
  // one changes nothing else that can be noticed.
  for (uint64_t At = Start; At < End; At = (At & -HugeBytes) + HugeBytes)
    madvise(pointer(At), PageBytes, MADV_COLD);
}

int graupel::numa::currentNode() {
  unsigned Processor = 0, Node = 0;
  if (getcpu(&Processor, &Node) != 0)
    return 0;
  return int(Node);
}
