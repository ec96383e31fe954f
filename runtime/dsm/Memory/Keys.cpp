//===- Keys.cpp - Protection of pages against code without checks ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/Keys.h"
#include "Errors/Error.h"
#include <cerrno>
#include <cpuid.h>
#include <cstring>
#include <sys/mman.h>
#include <ucontext.h>

namespace graupel::dsm {

/// The state component of the register in what signals save (Intel's manual,
/// volume 1, chapter 13), and where the header of that area is.
static constexpr unsigned Component = 9;
static constexpr size_t HeaderOffset = 512, SoftwareOffset = 464;
static constexpr uint32_t ExtendedMagic = 0x46505853;

void Keys::allocate() {
  Closed = pkey_alloc(0, PKEY_DISABLE_ACCESS);
  ReadOnly = pkey_alloc(0, PKEY_DISABLE_WRITE);
  if (Closed < 0 || ReadOnly < 0)
    fail("check-missed needs protection keys of the processor (%s); run it "
         "where /proc/cpuinfo names `ospke`, and pkey_alloc is permitted",
         strerror(errno));
  unsigned Size, Offset, Ignored1, Ignored2;
  __cpuid_count(0xd, Component, Size, Offset, Ignored1, Ignored2);
  RegisterOffset = Offset;
}

void Keys::set(void *Pages, size_t Bytes, Permission P) const {
  int Key = P == Nothing ? Closed : P == Loads ? ReadOnly : 0;
  if (pkey_mprotect(Pages, Bytes, PROT_READ | PROT_WRITE, Key))
    fail("cannot protect %zu KiB of shared memory (%s); raise vm.max_map_count",
         Bytes >> 10, strerror(errno));
}

void Keys::change(void *Context, bool Open) const {
  auto *Saved = reinterpret_cast<char *>(
      static_cast<ucontext_t *>(Context)->uc_mcontext.fpregs);
  uint32_t Magic;
  memcpy(&Magic, Saved + SoftwareOffset, sizeof(Magic));
  if (Magic != ExtendedMagic)
    fail("check-missed: the kernel does not tell a signal's handler of "
         "protection keys");
  uint64_t Present;
  memcpy(&Present, Saved + HeaderOffset, sizeof(Present));
  Present |= uint64_t(1) << Component;
  memcpy(Saved + HeaderOffset, &Present, sizeof(Present));
  uint32_t Register;
  memcpy(&Register, Saved + RegisterOffset, sizeof(Register));
  Register &= ~(3u << 2 * Closed | 3u << 2 * ReadOnly);
  if (!Open)
    Register |= PKEY_DISABLE_ACCESS << 2 * Closed | PKEY_DISABLE_WRITE
                                                        << 2 * ReadOnly;
  memcpy(Saved + RegisterOffset, &Register, sizeof(Register));
}

void Keys::open(void *Context) const { change(Context, true); }
void Keys::close(void *Context) const { change(Context, false); }

} // namespace graupel::dsm
