/*===- valid_runtime.c - Checks that always pass ------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Links with instrumented programs in place of the runtime: one node, all of
|* memory valid, nothing to poll for. So the instructions of the checks can be
|* counted alone, and under valgrind, which refuses reservations of terabytes:
|* there, tags for its low addresses do. To be compiled without instrumentation.
|*
\*===----------------------------------------------------------------------===*/

/* Functions of the C library that the passes wrap are themselves. This stands
   before headers of the system, which may have macros of such names. */
#define WRAPPED_AS(NAME, WRAPPER)                                              \
  __asm__(".weak " #NAME "\n"                                                  \
          ".globl graupel_dsm_" #WRAPPER "\n"                                  \
          "graupel_dsm_" #WRAPPER ": jmp " #NAME "@PLT\n");
#include "graupel/dsm_library.def"

#define GRAUPEL_DSM_SEQUENTIAL 1
#include "graupel/dsm.h"
#include "graupel/dsm_checks.h"
#include <asm/prctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/** Tags and summaries for addresses below `end`. */
static int provide_tags(uint64_t end) {
  uint64_t below = end >> GRAUPEL_DSM_PAGE_SHIFT;
  uint64_t above = end >> GRAUPEL_DSM_GRANULE_SHIFT;
  char *memory = mmap(NULL, below + above, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory != MAP_FAILED &&
         syscall(SYS_arch_prctl, ARCH_SET_GS, memory + below) == 0;
}

/* Before the constructors of the program, which may be instrumented. */
__attribute__((constructor(101))) static void start(void) {
  if (!provide_tags((uint64_t)1 << 47) && !provide_tags((uint64_t)1 << 38))
    gdsm_sequential_fail("cannot reserve memory for tags");
}

/* All globals are this process's own. */
void graupel_dsm_check_globals(const struct graupel_dsm_global *shared,
                               const struct graupel_dsm_global *shared_end,
                               const struct graupel_dsm_global *used,
                               const struct graupel_dsm_global *used_end) {
  (void)shared, (void)shared_end, (void)used, (void)used_end;
}

/* Reached only if valid data looks like the sentinel. The entries have to
   preserve all registers, which empty functions do. */
void graupel_dsm_load(const void *p, uint64_t size) { (void)p, (void)size; }
void graupel_dsm_store(void *p, uint64_t size) { (void)p, (void)size; }
void graupel_dsm_acquire_set(const uint64_t *words,
                             const struct graupel_dsm_set *set) {
  (void)words, (void)set;
}
void graupel_dsm_poll(void) {}
void graupel_dsm_poll_acquire(const struct graupel_dsm_range *ranges,
                              uint64_t count) {
  (void)ranges, (void)count;
}
void graupel_dsm_poll_acquire_set(const uint64_t *words,
                                  const struct graupel_dsm_set *set) {
  (void)words, (void)set;
}
