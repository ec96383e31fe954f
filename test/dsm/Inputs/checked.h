/*===- checked.h - Checked accesses written by hand ----------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What the passes insert (graupel/dsm_checks.h), as macros, so that tests of the
|* runtime need no passes. GNU C or C++.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_TEST_CHECKED_H
#define GRAUPEL_TEST_CHECKED_H

#include "graupel/dsm.h"
#include "graupel/dsm_checks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int8_t checked_tag(const volatile void *p) {
  int8_t tag;
  __asm__ volatile("movb %%gs:(%1), %0"
                   : "=r"(tag)
                   : "r"((uintptr_t)p >> GRAUPEL_DSM_GRANULE_SHIFT)
                   : "memory");
  return tag;
}

static inline int8_t checked_summary(const volatile void *p) {
  int8_t summary;
  __asm__ volatile("movb %%gs:(%1), %0"
                   : "=r"(summary)
                   : "r"((intptr_t)~(uintptr_t)p >> GRAUPEL_DSM_PAGE_SHIFT)
                   : "memory");
  return summary;
}

/* Table checks. */
static inline void before_load(const volatile void *p, uint64_t size) {
  if (__builtin_expect(checked_tag(p) < 0, 0))
    graupel_dsm_load((const void *)p, size);
}
static inline void before_store(volatile void *p, uint64_t size) {
  if (__builtin_expect(checked_tag(p) != 0, 0))
    graupel_dsm_store((void *)p, size);
}
#define LOAD(p)                                                                \
  __extension__({                                                              \
    __typeof__(p) lp = (p);                                                    \
    before_load(lp, sizeof *lp);                                               \
    *(volatile __typeof__(*lp) *)lp;                                           \
  })
#define STORE(p, v)                                                            \
  do {                                                                         \
    __typeof__(p) sp = (p);                                                    \
    __typeof__(*sp) sv = (v);                                                  \
    before_store(sp, sizeof *sp);                                              \
    *(volatile __typeof__(*sp) *)sp = sv;                                      \
  } while (0)
/* Load and store under one check. */
#define ADD(p, v)                                                              \
  do {                                                                         \
    __typeof__(p) ap = (p);                                                    \
    before_store(ap, sizeof *ap);                                              \
    *(volatile __typeof__(*ap) *)ap += (v);                                    \
  } while (0)

/* A sentinel check of an aligned integer of 4 or 8 bytes. */
#define LOAD_SENTINEL(p)                                                       \
  __extension__({                                                              \
    __typeof__(p) lp = (p);                                                    \
    __typeof__(*lp) lv = *(volatile __typeof__(*lp) *)lp;                      \
    if (__builtin_expect((uint32_t)lv == GRAUPEL_DSM_SENTINEL, 0)) {           \
      graupel_dsm_load((const void *)lp, sizeof *lp);                          \
      lv = *(volatile __typeof__(*lp) *)lp;                                    \
    }                                                                          \
    lv;                                                                        \
  })

static inline void check_poll(void) {
  int8_t flag;
  __asm__ volatile("movb %%gs:0, %0" : "=r"(flag) : : "memory");
  if (__builtin_expect(flag != 0, 0))
    graupel_dsm_poll();
}

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: node %d: %s\n", __FILE__, __LINE__, gdsm_node(), \
              #condition);                                                     \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

#endif
