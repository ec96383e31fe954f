/* Next touch: pages follow the thread that comes next, whole, and once.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "check.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>

enum { PAGES = 64, BYTES = PAGES * PAGE };

static char *memory;
static uint64_t sums[64];

static size_t part(void) { return PAGES / (size_t)nodes(); }

/* Even threads read, odd ones write. */
static void own_part(int node, void *data) {
  (void)data;
  uint64_t *words = (uint64_t *)(memory + part() * PAGE * (size_t)node);
  for (size_t n = 0; n < part() * PAGE / 8; ++n)
    if (node & 1)
      words[n] += 1;
    else
      sums[node] += words[n];
}

static int owner(size_t page, void *data) {
  (void)data;
  return (int)(page / part());
}

/* All threads add to all words at once. */
static void everything(int node, void *data) {
  (void)data;
  uint64_t *words = (uint64_t *)memory;
  size_t count = BYTES / 8;
  for (size_t n = 0; n < count; ++n)
    __atomic_fetch_add(&words[(n * 8191 + (size_t)node * 512) % count], 1,
                       __ATOMIC_RELAXED);
}

static sigjmp_buf back;
static volatile sig_atomic_t caught;
static void on_fault(int number) {
  caught = number;
  siglongjmp(back, 1);
}

int main(void) {
  struct graupel_numa_policy policy = {.kind = GRAUPEL_NUMA_NEXT_TOUCH};
  struct graupel_numa_report r;
  memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  fill(memory, BYTES, 1);
  check(fine(graupel_numa_attach(memory, BYTES, &policy)), "next touch");
  on_all(own_part, NULL);
  uint64_t *expected = malloc(BYTES);
  fill(expected, BYTES, 1);
  for (size_t n = 0; n < BYTES / 8; ++n)
    expected[n] +=
        owner(n * 8 / PAGE, NULL) & 1 && owner(n * 8 / PAGE, NULL) < nodes();
  check(hash(memory, BYTES) == hash(expected, BYTES), "contents, and writes");
  check(!misplaced(memory, part() * (size_t)nodes(), owner, NULL),
        "pages are where their thread is");
  check(fine(graupel_numa_verify(memory, BYTES, &r, NULL, NULL)) && !r.wrong &&
            (alone() || r.right == PAGES),
        "verified, %zu right", r.right);

  /* Once only: another thread's touch moves nothing. */
  once_on(0, everything, NULL);
  check(!misplaced(memory, part() * (size_t)nodes(), owner, NULL),
        "the touch after next moves nothing");

  /* Everybody at once, with large units, again and again. */
  memset(memory, 0, BYTES);
  policy.unit = 5 * PAGE;
  for (int round = 1; round <= 3; ++round) {
    int result = graupel_numa_attach(memory, BYTES, &policy);
    on_all(everything, NULL);
    size_t wrong = 0;
    for (size_t n = 0; n < BYTES / 8; ++n)
      wrong += ((uint64_t *)memory)[n] != (uint64_t)(round * nodes());
    check(fine(result) && !wrong, "all threads at once, round %d", round);
  }

  /* Forgotten while it waits, and given back. */
  check(fine(graupel_numa_attach(memory, BYTES, &policy)) &&
            fine(graupel_numa_detach(memory, BYTES)),
        "detached before any touch");
  memory[5] = 1;

  /* A child has its own copy of what waits. */
  check(fine(graupel_numa_attach(memory, BYTES, &policy)), "next touch");
  uint64_t before = ((uint64_t *)memory)[PAGE];
  pid_t child = fork();
  if (!child)
    _exit(hash(memory, BYTES) == 0 || ((uint64_t *)memory)[PAGE] != before);
  int status = 1;
  waitpid(child, &status, 0);
  check(status == 0, "a child reads it");

  /* The program's own handler of faults is still called. */
  signal(SIGSEGV, on_fault);
  check(fine(graupel_numa_attach(memory, BYTES, &policy)), "next touch again");
  memory[17 * PAGE] = 3;
  if (!sigsetjmp(back, 1))
    *(volatile char *)8 = 1;
  check(caught == SIGSEGV, "a real fault goes to the program's handler");
  caught = 0;
  char *protected =
      mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!sigsetjmp(back, 1))
    *(volatile char *)protected = 1;
  check(caught == SIGSEGV, "and so does the next");
  if (!alone())
    check(graupel_numa_attach(protected, PAGE, &policy) == -EACCES,
          "refused: %s", graupel_numa_message());
  return finish();
}
