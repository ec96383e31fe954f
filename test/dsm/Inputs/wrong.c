// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Programs that are wrong, compiled with checks, by name. Lines that messages
   are to name end with a remark. What is allowed after all prints "went well".
 */
#include <graupel/dsm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *how;
static long *p, *nowhere;

static int is(const char *name) { return strcmp(how, name) == 0; }

static void memory(int me) {
  if (is("null") && me == 1)
    nowhere[2] = 1; /* null */
  if (is("wild") && me == 1)
    printf("%ld\n", *(long *)0x123456789000); /* wild */
  if (is("behind") && me == 0)
    p[1L << 29] = 1; /* behind */
  if (is("free") && me == 0)
    free(p);
  if (is("free-twice") && me == 0) {
    free(p);
    free(p);
  }
  if (is("realloc") && me == 1)
    p = realloc(p, 100000);
  gdsm_barrier();
}

static void work(void *unused) { memory(gdsm_thread()); }

int main(int argc, char **argv) {
  how = argc > 1 ? argv[1] : "";
  if (gdsm_node() == 0)
    p = gdsm_malloc(800);
  gdsm_broadcast(&p, sizeof p, 0);
  gdsm_parallel(work, NULL);
  if (gdsm_node() == 0)
    puts("went well");
  return 0;
}
