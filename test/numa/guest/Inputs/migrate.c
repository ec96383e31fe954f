/* Pages that move while threads read and write them keep their contents.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "check.h"
#include <stdatomic.h>
#include <sys/wait.h>

enum { PAGES = 44, BYTES = PAGES * PAGE, ROUNDS = 6, FAR = 40 };

static char *constants;
static _Atomic uint64_t *counts;
static atomic_int done;
static uint64_t expected;
static atomic_size_t bad, laps;

static void use(int node, void *data) {
  (void)node, (void)data;
  do {
    for (size_t n = 0; n < BYTES / 8; n += 61)
      atomic_fetch_add_explicit(&counts[n], 1, memory_order_relaxed);
    if (hash(constants, BYTES) != expected)
      ++bad;
    ++laps;
    usleep(50);
  } while (!done);
}

int main(void) {
  static int status[PAGES];
  constants = graupel_numa_alloc(BYTES, NULL);
  counts = graupel_numa_alloc(BYTES, NULL);
  fill(constants, BYTES, 9);
  memset((void *)counts, 0, BYTES);
  expected = hash(constants, BYTES);

  struct on on[64];
  for (int node = 0; node < nodes(); ++node)
    begin_on(&on[node], node, use, NULL);
  size_t moved = 0, refused = 0, elsewhere = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    int to = round % nodes();
    for (int which = 0; which < 2; ++which) {
      char *memory = which ? constants : (char *)counts;
      int result = graupel_numa_migrate(memory, BYTES, to, status);
      if (result < 0)
        printf("not ok - %s\n", graupel_numa_message()), ++failures;
      for (size_t page = 0; page < PAGES; ++page) {
        moved += status[page] == to;
        refused += status[page] < 0;
        elsewhere += node_of(memory + page * PAGE) != (alone() ? 0 : to);
      }
    }
  }
  done = 1;
  for (int node = 0; node < nodes(); ++node)
    end_on(&on[node]);
  check(!refused || alone(), "%zu pages moved, %zu refused", moved, refused);
  check(!elsewhere, "all are where they were moved to");
  size_t wrong = 0;
  for (size_t n = 0; n < BYTES / 8; ++n)
    wrong += counts[n] != (n % 61 ? 0 : laps);
  check(!wrong && !bad, "no count lost and no content changed in %zu laps",
        (size_t)laps);

  /* One page is not there yet, one another process has mapped, too. Far apart:
     the kernel maps neighbors at once. */
  if (!alone()) {
    char *memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memory[0] = memory[FAR * PAGE] = 1;
    int asks[2], answers[2];
    char byte;
    if (pipe(asks) || pipe(answers))
      return 1;
    pid_t child = fork();
    if (!child) {
      close(asks[1]);
      byte = *(volatile char *)memory;
      if (write(answers[1], &byte, 1) != 1)
        _exit(1);
      _exit((int)read(asks[0], &byte, 1));
    }
    if (read(answers[0], &byte, 1) != 1)
      return 1;
    int here = node_of(memory), other = (here + 1) % nodes();
    int result =
        graupel_numa_migrate(memory + 10, PAGES * PAGE - 20, other, status);
    check(result == GRAUPEL_NUMA_FELL_BACK && status[1] == -ENOENT &&
              status[FAR] == other && status[0] < 0 && node_of(memory) == here,
          "per page: %d %d %d: %s", status[0], status[1], status[FAR],
          graupel_numa_message());
    close(asks[1]);
    waitpid(child, NULL, 0);
  }
  check(graupel_numa_migrate(constants, BYTES, 63, NULL) == -EINVAL,
        "refused: %s", graupel_numa_message());
  return finish();
}
