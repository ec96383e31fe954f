// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Misses in wrappers, directly and below others. */
#include <graupel/dsm.h>
#include <stdio.h>
#include <string.h>

enum { Size = 8192 };
static char *text;

int main(void) {
  if (gdsm_node() == 0)
    text = gdsm_alloc(Size, 128, 0);
  gdsm_broadcast(&text, sizeof text, 0);
  if (gdsm_node() == 0)
    memset(text, 'x', Size - 1);
  gdsm_barrier();
  if (gdsm_node() == 1) {
    printf("%zu\n", strlen(text));
    strcpy(text, "short");
  }
  gdsm_barrier();
  if (gdsm_node() == 0)
    printf("%s\n", text);
  return 0;
}
