//===- Numa/Bench/Kernels.cpp - Loops that are timed ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops that are timed, in assembly; Kernels.h has their definitions.
//
// 1. Chains (walk, modify, modifySerially): 32 steps a turn. The address of
//    each step comes from the one before.
// 2. Lines (load to storeAhead): eight lines a turn, by their offsets. Kernels
//    that look ahead prefetch the line 24 offsets further. flush works between
//    two fences.
// 3. Ranges (loadRange to storeRangePast): ascending. Stores past the caches
//    end with a fence.
// 4. Sweeps (readUse, readModifyWrite): a double a turn, a step apart.
// 5. pause waits.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#ifndef __x86_64__
#error "the kernels are written for x86-64"
#endif

namespace graupel::numa::bench {

void *walk(void *First, size_t Steps) {
  void *At = First;
  for (; Steps; Steps -= Unrolled)
    asm volatile(".rept 32\n\t"
                 "movq (%0), %0\n\t"
                 ".endr"
                 : "+r"(At)
                 :
                 : "memory");
  return At;
}

void *modify(void *First, size_t Steps) {
  void *At = First;
  for (; Steps; Steps -= Unrolled)
    asm volatile(".rept 32\n\t"
                 "movq $0, 8(%0)\n\t"
                 "movq (%0), %0\n\t"
                 ".endr"
                 : "+r"(At)
                 :
                 : "memory");
  return At;
}

void *modifySerially(void *First, size_t Steps) {
  void *At = First;
  for (; Steps; Steps -= Unrolled) {
    uint64_t Next;
    asm volatile(".rept 32\n\t"
                 "xorl %k1, %k1\n\t"
                 "lock xaddq %1, (%0)\n\t"
                 "movq %1, %0\n\t"
                 ".endr"
                 : "+r"(At), "=&r"(Next)
                 :
                 : "memory", "cc");
  }
  return At;
}

// Eight lines a turn, each through a register of its own.
#define GRAUPEL_EIGHT_LINES(BEFORE, ACCESS)                                    \
  for (size_t N = 0; N < L.Count; N += 8) {                                    \
    uint64_t A, B;                                                             \
    asm volatile(".irp n, 0, 2, 4, 6\n\t" BEFORE "movl 4*\\n(%[o]), %k[a]\n\t" \
                 "movl 4*\\n+4(%[o]), %k[b]\n\t" ACCESS ".endr"                \
                 : [a] "=&r"(A), [b] "=&r"(B)                                  \
                 : [o] "r"(L.Offsets + N), [p] "r"(L.Base), [v] "r"(Value)     \
                 : "memory");                                                  \
  }
// Lines that come three turns later.
#define GRAUPEL_AHEAD(PREFETCH)                                                \
  "movl 4*\\n+96(%[o]), %k[a]\n\t"                                             \
  "movl 4*\\n+100(%[o]), %k[b]\n\t" PREFETCH " (%[p],%[a])\n\t" PREFETCH       \
  " (%[p],%[b])\n\t"

void load(const Lines &L) {
  uint64_t Value = 0;
  GRAUPEL_EIGHT_LINES("", "movq 16(%[p],%[a]), %[a]\n\t"
                          "movq 16(%[p],%[b]), %[b]\n\t")
}

void loadShared(const Lines &L) {
  uint64_t Value = 0;
  GRAUPEL_EIGHT_LINES(GRAUPEL_AHEAD("prefetcht0"),
                      "movq 16(%[p],%[a]), %[a]\n\t"
                      "movq 16(%[p],%[b]), %[b]\n\t")
}

void store(const Lines &L) {
  uint64_t Value = 0;
  GRAUPEL_EIGHT_LINES("", "movq %[v], 16(%[p],%[a])\n\t"
                          "movq %[v], 16(%[p],%[b])\n\t")
}

void storeAhead(const Lines &L) {
  uint64_t Value = 0;
  GRAUPEL_EIGHT_LINES(GRAUPEL_AHEAD("prefetchw"),
                      "movq %[v], 16(%[p],%[a])\n\t"
                      "movq %[v], 16(%[p],%[b])\n\t")
}
#undef GRAUPEL_AHEAD
#undef GRAUPEL_EIGHT_LINES

void flush(const Lines &L) {
  asm volatile("mfence" ::: "memory");
  for (size_t N = 0; N < L.Count; ++N)
    asm volatile("clflush (%0)" ::"r"(L.Base + L.Offsets[N]) : "memory");
  asm volatile("mfence" ::: "memory");
}

void loadRange(const char *From, size_t Bytes) {
  for (const char *End = From + Bytes; From != End; From += 4 * LineBytes)
    asm volatile(".irp n, 0, 64, 128, 192\n\t"
                 "movaps \\n(%0), %%xmm0\n\t"
                 "movaps \\n+16(%0), %%xmm1\n\t"
                 "movaps \\n+32(%0), %%xmm2\n\t"
                 "movaps \\n+48(%0), %%xmm3\n\t"
                 ".endr"
                 :
                 : "r"(From)
                 : "memory", "xmm0", "xmm1", "xmm2", "xmm3");
}

void storeRange(char *To, size_t Bytes) {
  for (char *End = To + Bytes; To != End; To += Unrolled * LineBytes)
    asm volatile(".set n, 0\n\t"
                 ".rept 32\n\t"
                 "movq %1, n(%0)\n\t"
                 ".set n, n + 64\n\t"
                 ".endr"
                 :
                 : "r"(To), "r"(uint64_t(0))
                 : "memory");
}

void copyRange(char *To, const char *From, size_t Bytes) {
  for (size_t At = 0; At != Bytes; At += 64)
    asm volatile(".irp n, 0, 16, 32, 48\n\t"
                 "movups \\n(%0), %%xmm0\n\t"
                 "movaps %%xmm0, \\n(%1)\n\t"
                 ".endr"
                 :
                 : "r"(From + At), "r"(To + At)
                 : "memory", "xmm0");
}

void storeRangePast(char *To, size_t Bytes) {
  asm volatile("pxor %%xmm0, %%xmm0" ::: "xmm0");
  for (size_t At = 0; At != Bytes; At += 64)
    asm volatile("pxor %%xmm0, %%xmm0\n\t"
                 ".irp n, 0, 16, 32, 48\n\t"
                 "movntdq %%xmm0, \\n(%0)\n\t"
                 ".endr"
                 :
                 : "r"(To + At)
                 : "memory", "xmm0");
  asm volatile("sfence" ::: "memory");
}

double readUse(const double *From, size_t Count, size_t Step) {
  double Sum = 0;
  for (size_t N = 0; N < Count; ++N, From += Step)
    asm volatile("addsd (%1), %0" : "+x"(Sum) : "r"(From) : "memory");
  return Sum;
}

void readModifyWrite(double *At, size_t Count, size_t Step) {
  const double Less = 0.5;
  for (size_t N = 0; N < Count; ++N, At += Step)
    asm volatile("movsd (%0), %%xmm0\n\t"
                 "mulsd %%xmm0, %%xmm0\n\t"
                 "subsd %1, %%xmm0\n\t"
                 "movsd %%xmm0, (%0)"
                 :
                 : "r"(At), "x"(Less)
                 : "memory", "xmm0");
}

void pause(unsigned Times) {
  for (; Times; --Times)
    asm volatile("pause" ::: "memory");
}

} // namespace graupel::numa::bench
