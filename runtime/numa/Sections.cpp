//===- numa/Sections.cpp - Memory the program names -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "NextTouch.h"
#include "Policies.h"
#include <algorithm>
#include <cerrno>
#include <link.h>
#include <mutex>
#include <numaif.h>
#include <pthread.h>
#include <sys/mman.h>

using namespace graupel::numa;

namespace {
struct Section {
  uint64_t Start = ~uint64_t(0), End = 0;
};
} // namespace

/// The program is the first that is listed.
static int findData(dl_phdr_info *Info, size_t, void *Data) {
  auto &S = *static_cast<Section *>(Data);
  uint64_t ReadOnlyEnd = 0;
  for (int N = 0; N < Info->dlpi_phnum; ++N) {
    const ElfW(Phdr) &P = Info->dlpi_phdr[N];
    uint64_t Start = Info->dlpi_addr + P.p_vaddr;
    // The dynamic linker protects this part once it is done.
    if (P.p_type == PT_GNU_RELRO)
      ReadOnlyEnd = Start + P.p_memsz;
    if (P.p_type == PT_LOAD && (P.p_flags & PF_W)) {
      S.Start = std::min(S.Start, Start);
      S.End = std::max(S.End, Start + P.p_memsz);
    }
  }
  S.Start = std::max(S.Start, pageDown(ReadOnlyEnd));
  return 1;
}

static Section findStack() {
  Section S;
  pthread_attr_t Attributes;
  void *Start = nullptr;
  size_t Bytes = 0;
  if (pthread_getattr_np(pthread_self(), &Attributes) == 0) {
    pthread_attr_getstack(&Attributes, &Start, &Bytes);
    pthread_attr_destroy(&Attributes);
  }
  // Pages below are not mapped yet if the stack grows.
  uint64_t Here = pageDown(reinterpret_cast<uint64_t>(&S));
  S.End = reinterpret_cast<uint64_t>(Start) + Bytes;
  S.Start = std::min(Here, S.End);
  return S;
}

int graupel_numa_attach_section(graupel_numa_section Which,
                                const graupel_numa_policy *P) {
  Section S;
  if (Which == GRAUPEL_NUMA_STACK) {
    if (P->kind == GRAUPEL_NUMA_NEXT_TOUCH)
      return say(-EINVAL, "a stack is in use: next touch cannot protect it");
    S = findStack();
  } else if (Which == GRAUPEL_NUMA_DATA) {
    dl_iterate_phdr(findData, &S);
  }
  if (S.Start >= S.End)
    return say(-EINVAL, "there is no such section");
  return graupel_numa_attach(reinterpret_cast<void *>(S.Start), S.End - S.Start,
                             P);
}

int graupel_numa_default(const graupel_numa_policy *P) {
  Policy NewPolicy;
  if (int Error = convert(*P, PageBytes, NewPolicy))
    return Error;
  int Mode = MPOL_LOCAL;
  if (NewPolicy.Kind == PolicyKind::Fixed)
    Mode = NewPolicy.Mandatory ? MPOL_BIND : MPOL_PREFERRED;
  else if (NewPolicy.Kind == PolicyKind::Interleave)
    Mode = MPOL_INTERLEAVE;
  else if (NewPolicy.Kind != PolicyKind::FirstTouch)
    return say(-EINVAL, "only first touch, fixed and interleave can be a "
                        "thread's default");
  if (machine().Trivial)
    return GRAUPEL_NUMA_TRIVIAL;
  Nodes Mask = Mode == MPOL_PREFERRED ? Nodes(1) << NewPolicy.Nodes[0]
                                      : maskOf(NewPolicy);
  if (int Error = setThreadPolicy(Mode, Mask))
    return sayError(Error, "the kernel refuses the policy");
  return GRAUPEL_NUMA_PLACED;
}

void *graupel_numa_alloc(size_t Bytes, const graupel_numa_policy *P) {
  void *Memory = mmap(nullptr, pageUp(Bytes), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Memory == MAP_FAILED) {
    sayError(-errno, "no memory");
    return nullptr;
  }
  if (P && graupel_numa_attach(Memory, Bytes, P) < 0) {
    munmap(Memory, pageUp(Bytes));
    return nullptr;
  }
  return Memory;
}

void graupel_numa_free(void *Memory, size_t Bytes) {
  if (!Memory)
    return;
  uint64_t Start = reinterpret_cast<uint64_t>(Memory);
  {
    std::lock_guard Hold(rangesLock());
    ranges().release(Start, pageUp(Start + Bytes));
    forgetTouches(Start, pageUp(Start + Bytes));
  }
  munmap(Memory, pageUp(Bytes));
}
