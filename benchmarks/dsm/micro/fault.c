/*===- fault.c - A software fault, and a page's -------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What it costs to enter the runtime and to find that nothing is to be done, in
|* nanoseconds: by a direct call, and by a load whose valid data looks like the
|* sentinel (the difference to a load of other data). Against them, in the same
|* run, what a page-based system pays before it has done anything: a page that
|* is protected, touched, trapped (SIGSEGV) and opened by mprotect.
|*
|* Medians of rounds. Instrumented; one node.
|*
\*===----------------------------------------------------------------------===*/

#include "../programs/common.h"

#include "graupel/dsm_checks.h"
#include <signal.h>
#include <sys/mman.h>

enum { ROUNDS = 101, CALLS = 2000, TRAPS = 100, PAGE = 4096 };

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/** Median over rounds of the nanoseconds of one of `count` calls in function().
 */
static double median_of(void (*function)(void), long count) {
  double times[ROUNDS];
  for (int r = 0; r < ROUNDS; ++r) {
    double start = gdsm_time();
    function();
    times[r] = 1e9 * (gdsm_time() - start) / (double)count;
  }
  qsort(times, ROUNDS, sizeof *times, compare);
  return times[ROUNDS / 2];
}

enum { WORDS = 64 };
static uint64_t *words;

static void call_load(void) {
  for (int i = 0; i < CALLS; ++i)
    graupel_dsm_load(words, sizeof *words);
}
static void call_store(void) {
  for (int i = 0; i < CALLS; ++i)
    graupel_dsm_store(words, sizeof *words);
}
/** One word after the other, in an order that cannot be checked in advance. */
static void load_words(void) {
  uint64_t sum = 0;
  for (unsigned i = 0, at = 1; i < CALLS; ++i, at = (at * 5 + 3) % WORDS)
    sum += words[at];
  *(volatile uint64_t *)&words[0] = (uint32_t)sum == 1 ? 1 : words[0];
}
static void fill(uint64_t value) {
  for (int i = 0; i < WORDS; ++i)
    words[i] = value;
}

static char *page;

static void open_page(int signal) {
  (void)signal;
  mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}
/** Protects, and is trapped. */
GDSM_NOCHECK static void trap(void) {
  for (int i = 0; i < TRAPS; ++i) {
    mprotect(page, PAGE, PROT_NONE);
    *(volatile char *)page = 1;
  }
}
/** Protects only: what trap() does that is no part of a fault. */
static void protect(void) {
  for (int i = 0; i < TRAPS; ++i)
    mprotect(page, PAGE, i & 1 ? PROT_READ | PROT_WRITE : PROT_NONE);
}

int main(void) {
  program_name = "fault";
  if (gdsm_node() != 0)
    return 0;
  words = gdsm_alloc(WORDS * sizeof *words, 0, GDSM_HOME_LOCAL);
  page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
              -1, 0);
  if (page == MAP_FAILED)
    fail("no memory left", "");

  printf("entry load: %.2f ns\n", median_of(call_load, CALLS));
  printf("entry store: %.2f ns\n", median_of(call_store, CALLS));
  fill(1);
  printf("load: %.2f ns\n", median_of(load_words, CALLS));
  fill(GRAUPEL_DSM_SENTINEL);
  printf("matching load: %.2f ns\n", median_of(load_words, CALLS));

  /* The runtime may have a handler of its own; it is not needed any more. */
  struct sigaction action = {.sa_handler = open_page}, old;
  sigaction(SIGSEGV, &action, &old);
  double trapped = median_of(trap, TRAPS);
  sigaction(SIGSEGV, &old, NULL);
  double protected = median_of(protect, TRAPS);
  mprotect(page, PAGE, PROT_READ | PROT_WRITE);
  printf("page trap: %.1f ns\n", trapped - protected);
  printf("mprotect: %.1f ns\n", protected);
  return 0;
}
