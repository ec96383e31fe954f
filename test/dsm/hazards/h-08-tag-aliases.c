// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-8: every address of a program has a tag of its own, and the runtime's own
   memory none that permits too little: blocks are changed in place, so there is no
   second mapping to mistake. What stands where tags of the lowest 128 KiB would be
   is the control page: checks of such addresses may fail, and then nothing is done
   (dsm_checks.h).
   Breaks if Look and Faults did not limit ranges to the region (Node/Ranges.h): the
   control page's words are taken for tags, and a fault is raised for no page.

   RUN: %dsm-cc %s -o %t
   RUN: %limit 60 %t
   RUN: %dsm-run -n 2 %t
*/
#include "checked.h"
#include <sys/mman.h>

static int global;

static void permitted(const void *p) {
  CHECK(checked_tag(p) == 0 && checked_summary(p) == 0);
}

int main(void) {
  int local = 0;
  permitted(&local);
  permitted(&global);
  permitted((void *)main);
  permitted(stdout);
  permitted((void *)0x7ffffffff000 - 64);
  char *shared = (char *)gdsm_alloc(4096, 64, 0);
  permitted(shared - ((uintptr_t)1 << 40));
  permitted(shared + ((uintptr_t)1 << 40));
  gdsm_barrier();
  for (uintptr_t a = 0; a < 256 << 10; a += 8) {
    before_load((void *)a, 8);
    graupel_dsm_load((void *)a, 8);
    graupel_dsm_store((void *)a, 8);
  }
  /* A set whose wrong member is as good as none. */
  struct graupel_dsm_range set[] = {{shared, 64 << 1 | 1}, {0, 8 << 1 | 1},
                                    {(void *)-8, 64 << 1}, {&local, 0}};
  graupel_dsm_poll_acquire(set, 4);
  shared[5] = 1;
  struct gdsm_statistics s;
  gdsm_get_statistics(&s);
  CHECK(s.store_faults <= 1);
  return 0;
}
