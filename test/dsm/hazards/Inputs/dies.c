// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* See ../h-30-credits-of-the-dead.test: node 1 dies while the others want its blocks. */
#include "checked.h"
#include <signal.h>

static int64_t *words;

static void work(void *unused) {
  (void)unused;
  for (int64_t i = 0;; ++i) {
    if (gdsm_node() == 1 && i == 500)
      raise(SIGKILL);
    int64_t *p = &words[i % 1000 * 16];
    before_store(p, 8);
    __atomic_fetch_add(p, 1, __ATOMIC_RELAXED);
    check_poll();
  }
}

int main(void) {
  if (gdsm_node() == 0)
    words = gdsm_alloc(1000 * 128, 128, 1);
  gdsm_broadcast(&words, sizeof words, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
