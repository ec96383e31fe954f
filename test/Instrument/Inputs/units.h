// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work to count: functions that compilers neither inline, clone nor merge.

#ifndef UNITS_H
#define UNITS_H

#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noinline, noclone))
#endif

/// A function NAME whose executions can be counted. N must be another each time.
#define UNIT(NAME, N)                                                          \
  KEPT void NAME(void) {                                                       \
    asm volatile("movl $%c0, %%eax" ::"i"(N) : "eax");                         \
  }

#endif // UNITS_H
