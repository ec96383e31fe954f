/*===- matrix.c - A synthetic matrix
----------------------------------------===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* The published one is not known. Here all of a block's places are used,
|* and columns are shorter or longer than the mean by chance.
|*
\*===----------------------------------------------------------------------===*/

#include "matrix.h"
#include <stdint.h>
#include <time.h>

static uint64_t next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state >> 11;
}

static void fill_block(double *aa, int *rowidx, int *colstr, int banded,
                       uint64_t *state) {
  long room = SLOTS - BEHIND, at = 0, spread = room / N / 2;
  for (int j = 0; j < N; ++j) {
    /* The next column makes up for this one, so that all are filled. */
    long length = room * (j + 1) / N - at;
    if (j < N - 1)
      length += (long)(next(state) % (2 * spread + 1)) - spread;
    if (length < 0)
      length = 0;
    if (length > room - at)
      length = room - at;
    colstr[j] = at + 1;
    long middle = (long)j * ROWS / N;
    for (long k = 0; k < length; ++k, ++at) {
      long row = banded ? (middle + k - length / 2 + ROWS) % ROWS
                        : (long)(next(state) % ROWS);
      rowidx[at] = row + 1;
      aa[at] = 1 + next(state) % 1024 / 1024.0;
    }
  }
  colstr[N] = at + 1;
  for (; at < SLOTS; ++at) {
    rowidx[at] = 1;
    aa[at] = 0;
  }
}

void fill_matrix(double *aa, int *rowidx, int *colstr, double *p,
                 const int *banded) {
  uint64_t state = 88172645463325252u;
  for (int k1 = 0; k1 < BLOCKS; ++k1)
    fill_block(aa + (long)k1 * SLOTS, rowidx + (long)k1 * SLOTS,
               colstr + (long)k1 * (N + 1), *banded, &state);
  for (int i = 0; i < N; ++i)
    p[i] = next(&state) % 64;
}

double checksum(const double *q) {
  double sum = 0;
  for (int i = 0; i < N; ++i)
    sum += q[i] * (1 + i % 7);
  return sum;
}

double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}
