/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program whose functions without checks (HIDDEN) find shared memory by
 * themselves: in a shared variable, or by a pointer in a variable. */
#ifdef HIDDEN
extern long shared_number;
long *kept;
void store_number(void) { shared_number = 7; }
void store_kept(void) { kept[20] = 7; }
long load_kept(void) { return kept[0]; }
#else
#include <graupel/dsm.h>
#include <stdio.h>
#include <string.h>

GDSM_GLOBAL long shared_number;
extern long *kept;
void store_number(void);
void store_kept(void);
long load_kept(void);

GDSM_NOCHECK long exempt(void) { return 3; }

int main(int argc, char **argv) {
  long *memory = NULL;
  const int last = gdsm_nodes() - 1;
  if (gdsm_node() == 0) {
    memory = gdsm_alloc(1 << 16, 0, 0);
    memset(memory, 0, 1 << 16);
    shared_number = 1;
  }
  gdsm_broadcast(&memory, sizeof memory, 0);
  kept = memory;
  gdsm_barrier();
  if (gdsm_node() == last && argc > 1) {
    if (!strcmp(argv[1], "number"))
      store_number();
    else if (!strcmp(argv[1], "kept"))
      store_kept();
    else if (!strcmp(argv[1], "kept-and-neighbor")) {
      store_kept();
      memory[21] = 9; /* Of the same block: its data comes. */
    } else if (!strcmp(argv[1], "load"))
      load_kept();
  }
  gdsm_barrier();
  if (gdsm_node() == 0)
    printf("ended %ld\n", exempt());
  return 0;
}
#endif
