//===- TagTable.cpp - Tags and summaries by address -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/TagTable.h"
#include "Errors/Error.h"
#include <asm/prctl.h>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace graupel::dsm {

void TagTable::reserve() {
  // Tags above the base, summaries below.
  constexpr size_t Summaries = size_t(1)
                               << (TaggedBits - GRAUPEL_DSM_PAGE_SHIFT);
  constexpr size_t Tags = size_t(1) << (TaggedBits - GRAUPEL_DSM_GRANULE_SHIFT);
  void *P = mmap(nullptr, Summaries + Tags, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (P == MAP_FAILED)
    fail("cannot reserve 4 TiB of addresses for tags (%s); allow that with "
         "`ulimit -v unlimited` and vm.overcommit_memory other than 2",
         strerror(errno));
  madvise(P, Summaries + Tags, MADV_DONTDUMP);
  // All but the shared region's part is only read, so one huge page of zeros
  // serves all of it, with few entries in the TLB.
  madvise(P, Summaries + Tags, MADV_HUGEPAGE);
  Base = static_cast<uint8_t *>(P) + Summaries;
  // The control page is written: a small page of its own.
  if (mmap(Base, PageBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED ||
      madvise(Base, PageBytes, MADV_NOHUGEPAGE) != 0)
    fail("cannot map the control page: %s", strerror(errno));
}

void TagTable::install() const {
  if (syscall(SYS_arch_prctl, ARCH_SET_GS, Base) != 0)
    fail("cannot set the base of GS (%s); the kernel must be Linux on x86-64",
         strerror(errno));
}

} // namespace graupel::dsm
