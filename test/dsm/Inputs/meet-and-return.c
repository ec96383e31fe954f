// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads meet, and return at once from the function of gdsm_parallel: the
// last to arrive has often returned before others look whether anybody has.

#include "graupel/dsm.h"
#include <stdio.h>
#include <stdlib.h>

static void meet(void *Unused) {
  (void)Unused;
  gdsm_barrier();
}

int main(int Argc, char **Argv) {
  int Rounds = atoi(Argv[1]);
  (void)Argc;
  for (int I = 0; I != Rounds; ++I)
    gdsm_parallel(meet, NULL);
  if (gdsm_node() == 0)
    printf("met %d times\n", Rounds);
  return 0;
}
