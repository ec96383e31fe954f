// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What instrumented code does, for programs that build.py builds.

#ifndef IMAGE_H
#define IMAGE_H

#include <stdint.h>

extern uint64_t image_counters[] __attribute__((visibility("hidden")));
extern uint64_t image_sites[] __attribute__((visibility("hidden")));

#if defined(IMAGE_THREADS)
#define COUNT(N) asm volatile("incq %%gs:image_counters+8*%c0(%%rip)" ::"i"(N))
#define STUB "graupel_rt_indirect_gs"
#elif defined(IMAGE_ATOMIC)
#define COUNT(N) asm volatile("lock incq image_counters+8*%c0(%%rip)" ::"i"(N))
#define STUB "graupel_rt_indirect_atomic"
#else
#define COUNT(N) asm volatile("incq image_counters+8*%c0(%%rip)" ::"i"(N))
#define STUB "graupel_rt_indirect"
#endif

// The red zone is in use in ordinary C.
#define COUNT_TARGET(SITE, TARGET)                                             \
  asm volatile("leaq -128(%%rsp), %%rsp\n\t"                                   \
               "pushq %0\n\t"                                                  \
               "leaq image_sites+16*%c1(%%rip), %%r11\n\t"                     \
               "callq " STUB "\n\t"                                            \
               "leaq 128(%%rsp), %%rsp"                                        \
               :                                                               \
               : "r"((uint64_t)(TARGET)), "i"(SITE)                            \
               : "r11", "cc", "memory")

#endif // IMAGE_H
