/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The program puts shared strings in the place of its arguments. */
#define _GNU_SOURCE
#include <graupel/dsm.h>
#include <stdio.h>
#include <string.h>

enum { Apart = 4096, Most = 8 };

int main(int argc, char **argv) {
  char *shared = NULL;
  if (gdsm_node() == 0) {
    shared = gdsm_malloc(Most * Apart);
    for (int i = 0; i < Most; ++i)
      strcpy(shared + i * Apart, "written on node 0");
  }
  gdsm_broadcast(&shared, sizeof shared, 0);
  for (int i = 1; i < argc; ++i)
    argv[i] = shared + i * Apart;
  gdsm_barrier();
  if (gdsm_node() == 1)
    for (int i = 1; i < argc; ++i)
      printf("%c %zu %s\n", argv[i][3], strlen(argv[i]), argv[i]);
  gdsm_barrier();
}
