/*===- spmv.c - The loop of the case study in C
-----------------------------===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* spmv [CALLS [banded]]: prints a checksum and the seconds of all calls.
|*
|* Written from the description in (Balle, Steely 1997), figures 1 and 10, with
|* -DMODIFIED the second one. p3 is the last element of whole groups of four.
|* Its remainder loop has a minus sign before sum0, which is a misprint.
|*
|* -DPUBLISHED writes out what the compiler of then made of it, as far as the
|* histograms tell: see published.h.
|*
\*===----------------------------------------------------------------------===*/

#include "matrix.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double AA[BLOCKS][SLOTS], YTEMP[BLOCKS][N], Q[N], P[N];
int ROWIDX[BLOCKS][SLOTS], COLSTR[BLOCKS][N + 1];

#ifdef PUBLISHED
#include "published.h"
#else

/* Elements p1 to p2 of a block times their elements of P. */
static inline double column(int k1, int p1, int p2) {
  const double *aa = AA[k1] - 1;
  const int *rowidx = ROWIDX[k1] - 1;
  const double *p = P + (long)k1 * ROWS - 1;
  int p3 = p1 + (p2 - p1 + 1) / 4 * 4 - 1;
  double sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  double x1 = p[rowidx[p1]], x2 = p[rowidx[p1 + 1]];
  double x3 = p[rowidx[p1 + 2]], x4 = p[rowidx[p1 + 3]];
  for (int k = p1; k <= p3; k += 4) {
    sum0 = sum0 + aa[k] * x1;
    sum1 = sum1 + aa[k + 1] * x2;
    sum2 = sum2 + aa[k + 2] * x3;
    sum3 = sum3 + aa[k + 3] * x4;
    x1 = p[rowidx[k + 4]];
    x2 = p[rowidx[k + 5]];
    x3 = p[rowidx[k + 6]];
    x4 = p[rowidx[k + 7]];
  }
  for (int k = p3 + 1; k <= p2; ++k) {
    x1 = p[rowidx[k]];
    sum0 = sum0 + aa[k] * x1;
  }
  return sum0 + sum1 + sum2 + sum3;
}

#ifndef MODIFIED
__attribute__((noinline)) void spmv(void) {
  for (int i = 0; i < N; ++i)
    Q[i] = 0;
  for (int k1 = 0; k1 < BLOCKS; ++k1) {
    for (int j = 0; j < N; ++j) {
      int p1 = COLSTR[k1][j];
      int p2 = COLSTR[k1][j + 1] - 1;
      YTEMP[k1][j] = column(k1, p1, p2);
    }
    for (int i = 0; i < N; i += 4) {
      Q[i] = Q[i] + YTEMP[k1][i];
      Q[i + 1] = Q[i + 1] + YTEMP[k1][i + 1];
      Q[i + 2] = Q[i + 2] + YTEMP[k1][i + 2];
      Q[i + 3] = Q[i + 3] + YTEMP[k1][i + 3];
    }
  }
}
#else
__attribute__((noinline)) void spmv(void) {
  for (int k1 = 0; k1 < BLOCKS; ++k1) {
    int p2 = COLSTR[k1][0] - 1;
    for (int j = 0; j < N; ++j) {
      int p1 = p2 + 1;
      p2 = COLSTR[k1][j + 1] - 1;
      double sum = column(k1, p1, p2);
      if (k1 == 0)
        Q[j] = sum;
      else
        Q[j] = Q[j] + sum;
    }
  }
}
#endif
#endif

int main(int argc, char **argv) {
  int calls = argc > 1 ? atoi(argv[1]) : 26;
  int banded = argc > 2 && strcmp(argv[2], "banded") == 0;
  fill_matrix(AA[0], ROWIDX[0], COLSTR[0], P, &banded);
  double start = seconds();
  for (int n = 0; n < calls; ++n)
    spmv();
  double end = seconds();
  printf("checksum %.3f\nseconds %.6f\n", checksum(Q), end - start);
  return 0;
}
