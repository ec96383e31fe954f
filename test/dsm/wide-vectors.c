// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Vectors of 64 bytes that lie anywhere: two are loaded and one is stored behind
   one check, whose slow path any of the three begins. The first rows are valid
   when the loop comes to them, and the others are not.

   REQUIRES: clang, graupel-dsm
   RUN: clang --config=%graupel-build/share/graupel/graupel-dsm.cfg -O2 -w %s -o %t
   RUN: %dsm-run -n 2 %t | FileCheck %s
   RUN: %dsm-run -n 3 %t | FileCheck %s
   RUN: clang --config=%graupel-build/share/graupel/graupel-dsm.cfg -O2 -w -flto %s -o %t.lto
   RUN: %dsm-run -n 2 %t.lto | FileCheck %s
   CHECK: 0 of 8192 wrong
*/
#include <graupel/dsm.h>
#include <stdio.h>

typedef float vector __attribute__((vector_size(64), aligned(4)));
typedef struct {
  vector x;
  int more[4];
} __attribute__((packed)) row;
typedef struct {
  int before[5];
  vector x;
  int more[7];
} wide;

enum { N = 512, Valid = 40, Lanes = 16 };
static row *from, *to;
static wide *also;

static int place(int i) { return i * 37 % N; }

__attribute__((noinline)) static void add(row *a, row *b, wide *c, const int *at) {
  for (unsigned i = 0; i < N; i++) {
    vector p = a[at[i]].x, q = c[at[i]].x;
    b[at[i]].x = p + q + 2;
  }
}

static void work(void *unused) {
  int at[N];
  (void)unused;
  for (int i = 0; i < N; i++)
    at[i] = place(i);
  if (gdsm_thread() == gdsm_threads() - 1)
    for (int i = 0; i < N; i++)
      for (int k = 0; k < Lanes; k++)
        from[i].x[k] = i + k, to[i].x[k] = -1, also[i].x[k] = 2 * i;
  gdsm_barrier();
  if (gdsm_thread())
    return;
  for (int i = 0; i < Valid; i++)
    for (int k = 0; k < Lanes; k += Lanes - 1)
      from[at[i]].x[k] += 0, to[at[i]].x[k] = -1, also[at[i]].x[k] += 0;
  add(from, to, also, at);
  int wrong = 0;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < Lanes; k++)
      wrong += to[i].x[k] != 3 * i + k + 2;
  printf("%d of %d wrong\n", wrong, N * Lanes);
}

int main(void) {
  if (gdsm_node() == 0) {
    from = gdsm_alloc(N * sizeof *from, 0, GDSM_HOME_ROUND_ROBIN);
    to = gdsm_alloc(N * sizeof *to, 0, GDSM_HOME_ROUND_ROBIN);
    also = gdsm_alloc(N * sizeof *also, 0, GDSM_HOME_ROUND_ROBIN);
  }
  gdsm_broadcast(&from, sizeof from, 0);
  gdsm_broadcast(&to, sizeof to, 0);
  gdsm_broadcast(&also, sizeof also, 0);
  gdsm_parallel(work, NULL);
}
