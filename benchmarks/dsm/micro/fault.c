/*===- fault.c - A software fault, and a page's -------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What a refused access costs without any message, in nanoseconds, medians:
|*
|*   fault           a checked store is refused; registers are saved, a handler
|*                   of a protocol is called, permits the access, and resumes;
|*                   registers are restored, the store is done
|*   page trap       the same as a page-based system does it: a store to a page
|*                   that is protected traps (SIGSEGV), the handler calls
|*                   mprotect, the store is done
|*   downgrade       a block, from ReadWrite to ReadOnly, with the handshake
|*   protect         the same as a page-based system does it: mprotect
|*
|* The latter two also while another thread runs checked code (with two threads
|* a node): it must pass a poll before a downgrade is done, and the kernel must
|* interrupt its processor. Besides, an entry of the runtime that finds that
|* nothing is to be done, and a load whose valid data looks like the sentinel
|* (the difference to a load of other data).
|*
|* One node. It is a protocol of its own on tempest.h, for one page.
|*
\*===----------------------------------------------------------------------===*/

#include "timing.h"

#include "graupel/dsm_checks.h"
#include "graupel/tempest.h"
#include <signal.h>
#include <sys/mman.h>

enum { ROUNDS = 301, PAGE = 4096, BLOCK = 32, BLOCKS = PAGE / BLOCK };
enum { CALLS = 2000, TRAPS = 20, MODE = TEMPEST_MODES - 1 };

static uint64_t ticks[ROUNDS];

/** Prints the median over rounds of one of `count` operations of function();
    prepare() is not timed. */
static void measure(const char *what, void (*prepare)(void),
                    void (*function)(void), long count) {
  for (int r = 0; r < ROUNDS; ++r) {
    if (prepare)
      prepare();
    uint64_t start = __rdtsc();
    function();
    ticks[r] = __rdtsc() - start;
  }
  report(what, ticks, ROUNDS, (double)count, 1e9);
}

/* --- As handlers ---------------------------------------------------------- */

static unsigned handler_number;
static void (*handler_body)(void);
static int handler_pending;

IN_HANDLER static void on_message(int source, int size) {
  (void)source, (void)size;
  handler_body();
  __atomic_store_n(&handler_pending, 0, __ATOMIC_RELEASE);
}
IN_HANDLER static int is_pending(void *unused) {
  (void)unused;
  return __atomic_load_n(&handler_pending, __ATOMIC_ACQUIRE);
}
/** Runs it as a handler of this node, and waits. */
IN_HANDLER static void as_handler(void (*body)(void)) {
  struct tempest_message message;
  handler_body = body;
  handler_pending = 1;
  tempest_begin(&message, tempest_node(), handler_number);
  tempest_send(&message);
  tempest_spin(is_pending, NULL);
}

/* --- Faults --------------------------------------------------------------- */

static char *blocks; /* A page. */
static long permitted;

IN_HANDLER static void permit(void *address, void *user, int home) {
  (void)user, (void)home;
  char *block = (char *)((uintptr_t)address & -(uintptr_t)BLOCK);
  if (tempest_get_tag(block) == TEMPEST_INVALID)
    tempest_change_blocks(block, BLOCK, TEMPEST_INVALID_TO_READ_WRITE);
  tempest_resume(block, BLOCK);
  ++permitted;
}
IN_HANDLER static void take_page(void) {
  struct tempest_page_info info;
  if (tempest_get_page_info(blocks, &info) != 1)
    tempest_fatal("fault: the page is not mapped");
  info.mode = MODE;
  tempest_set_page_info(blocks, &info);
  tempest_register_block_fault_handler(MODE, TEMPEST_INVALID, TEMPEST_STORE,
                                       permit);
}
IN_HANDLER static void invalidate(void) {
  tempest_change_blocks(blocks, PAGE, TEMPEST_READ_WRITE_TO_INVALID);
}
static void refuse(void) { as_handler(invalidate); }
static void store_to_each(void) {
  for (int b = 0; b < BLOCKS; ++b)
    *(volatile uint64_t *)(blocks + b * BLOCK) = 1;
}

/* --- Entries with nothing to do ------------------------------------------- */

enum { WORDS = 64 };
static uint64_t *words;

static void call_load(void) {
  for (int i = 0; i < CALLS; ++i)
    graupel_dsm_load(words, sizeof *words);
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

/* --- What a page-based system does ---------------------------------------- */

static char *pages; /* TRAPS of them, private. */

static void open_page(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)context;
  char *page = (char *)((uintptr_t)info->si_addr & -(uintptr_t)PAGE);
  if (page < pages || page >= pages + TRAPS * PAGE)
    abort();
  mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}
/* Pages one by one, or they become one area, which costs less to change. */
GDSM_NOCHECK static void close_pages(void) {
  for (int i = 0; i < TRAPS; ++i)
    mprotect(pages + i * PAGE, PAGE, PROT_NONE);
}
GDSM_NOCHECK static void trap(void) {
  for (int i = 0; i < TRAPS; ++i)
    *(volatile char *)(pages + i * PAGE) = 1;
}
GDSM_NOCHECK static void open_pages(void) {
  for (int i = 0; i < TRAPS; ++i) {
    mprotect(pages + i * PAGE, PAGE, PROT_READ | PROT_WRITE);
    *(volatile char *)(pages + i * PAGE) = 1;
  }
}
static void protect_pages(void) {
  for (int i = 0; i < TRAPS; ++i)
    mprotect(pages + i * PAGE, PAGE, PROT_READ);
}

static void measure_traps(void) {
  /* The runtime has a handler of its own for addresses that nobody knows. */
  struct sigaction action = {.sa_sigaction = open_page, .sa_flags = SA_SIGINFO};
  struct sigaction old;
  sigaction(SIGSEGV, &action, &old);
  measure("page trap", close_pages, trap, TRAPS);
  sigaction(SIGSEGV, &old, NULL);
}

/* --- Downgrades ----------------------------------------------------------- */

IN_HANDLER static void downgrade_each(void) {
  for (int r = 0; r < ROUNDS; ++r) {
    uint64_t start = __rdtsc();
    for (int b = 0; b < BLOCKS; ++b)
      tempest_change_blocks(blocks + b * BLOCK, BLOCK,
                            TEMPEST_READ_WRITE_TO_READ_ONLY);
    ticks[r] = __rdtsc() - start;
    tempest_change_blocks(blocks, PAGE, TEMPEST_READ_ONLY_TO_READ_WRITE);
  }
}

static void measure_downgrades(const char *who) {
  char name[80];
  snprintf(name, sizeof name, "downgrade%s", who);
  as_handler(downgrade_each);
  report(name, ticks, ROUNDS, BLOCKS, 1e9);
  snprintf(name, sizeof name, "protect%s", who);
  measure(name, open_pages, protect_pages, TRAPS);
}

static int running, stopped;

/** A thread that computes, under checks, until the other one has measured. */
static void compute(void) {
  for (uint64_t sum = 0; !__atomic_load_n(&stopped, __ATOMIC_RELAXED);
       ++sum, __atomic_store_n(&running, 1, __ATOMIC_RELAXED))
    *(volatile uint64_t *)&words[1] = sum;
}

static void on_threads(void *unused) {
  (void)unused;
  if (gdsm_thread() != 0) {
    compute();
    return;
  }
  while (!__atomic_load_n(&running, __ATOMIC_RELAXED))
    ;
  measure_downgrades(", a thread running");
  __atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
}

int main(void) {
  program_name = "fault";
  if (gdsm_nodes() > 1 || gdsm_threads() > 2)
    fail("needs one node of one or two threads", "");
  calibrate();
  words = gdsm_alloc(WORDS * sizeof *words, 0, GDSM_HOME_LOCAL);
  /* Allocations are aligned to a block; these are to be all of a page. */
  blocks = gdsm_alloc(2 * PAGE, BLOCK, GDSM_HOME_LOCAL);
  blocks += -(uintptr_t)blocks % PAGE;
  pages = mmap(NULL, TRAPS * PAGE, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    fail("no memory left", "");
  handler_number = tempest_register_message_handler("fault", on_message);
  fill(1);
  store_to_each();
  as_handler(take_page);

  if (gdsm_threads() == 2) {
    gdsm_parallel(on_threads, NULL);
    return 0;
  }
  measure("fault", refuse, store_to_each, BLOCKS);
  if (permitted != (long)ROUNDS * BLOCKS)
    fail("not every store was one fault", "");
  measure_traps();
  open_pages();
  measure_downgrades("");
  measure("entry", NULL, call_load, CALLS);
  measure("load", NULL, load_words, CALLS);
  fill(GRAUPEL_DSM_SENTINEL);
  measure("matching load", NULL, load_words, CALLS);
  return 0;
}
