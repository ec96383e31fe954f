/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of one of two matrices, in loops that are vectorised: the other's are not asked for. */
#include <graupel/dsm.h>
#include <stdio.h>

enum { Width = 256, Rows = 64, Block = 128 };
static float (*p)[Width], (*q)[Width];

__attribute__((noinline)) static void either(float (*restrict p)[Width], float (*restrict q)[Width],
                                             const int *restrict c) {
  for (int i = 0; i < Rows; i++)
    if (c[i]) {
      for (int j = 0; j < Width; j++)
        p[i][j] += 1;
    } else {
      for (int j = 0; j < Width; j++)
        q[i][j] *= 3;
    }
}

static int choice[Rows];

static void work(void *unused) {
  for (int i = 0; i < Rows; i++)
    choice[i] = 1;
  if (gdsm_node() == 1)
    for (int i = 0; i < Rows; i++)
      for (int j = 0; j < Width; j++)
        p[i][j] = q[i][j] = 1;
  gdsm_barrier();
  if (gdsm_node() == 0) {
    struct gdsm_statistics before, after;
    gdsm_get_statistics(&before);
    either(p, q, choice);
    gdsm_get_statistics(&after);
    printf("blocks too many: %ld\n", (long)(after.store_faults - before.store_faults) -
                                         Rows * (long)sizeof *p / Block);
  }
  gdsm_barrier();
}

int main(void) {
  if (gdsm_node() == 0) {
    p = gdsm_alloc(Rows * sizeof *p, Block, 0);
    q = gdsm_alloc(Rows * sizeof *q, Block, 0);
  }
  gdsm_broadcast(&p, sizeof p, 0);
  gdsm_broadcast(&q, sizeof q, 0);
  gdsm_parallel(work, 0);
}
