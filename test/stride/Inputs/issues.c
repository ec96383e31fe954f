// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function for each issue that the report knows, and one without any.

#include <stdlib.h>

#define KERNEL __attribute__((noinline))
#define N 300

double across[N][N], from[N][N], to[N][N];
double padded[N][512];
struct Body {
  double x, y, z, vx, vy, vz, mass, charge;
} bodies[20000];
double table[1 << 16];
int order[50000];
double filled[(8 << 20) / sizeof(double) + 5];
double once[50000];
double sum_here;

KERNEL double interchange(void) {
  double s = 0;
  for (long j = 0; j < N; ++j)
    for (long i = 0; i < N; ++i)
      s += across[i][j]; // INTERCHANGE
  return s;
}

KERNEL void block(void) {
  for (long i = 0; i < N; ++i)
    for (long j = 0; j < N; ++j)
      to[j][i] = from[i][j]; // BLOCK
}

KERNEL double pad(void) {
  double s = 0;
  for (long j = 0; j < 200; ++j)
    for (long i = 0; i < N; ++i)
      s += padded[i][j]; // PAD
  return s;
}

KERNEL double split(long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += bodies[i].x * bodies[i].mass; // SPLIT
  return s;
}

KERNEL double prefetch(long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += table[order[i]]; // PREFETCH
  return s;
}

KERNEL void stream(long n) {
  for (long i = 0; i < n; ++i)
    filled[i] = (double)i; // STREAM
}

KERNEL void reload(long n, double *to_sum) {
  for (long i = 0; i < n; ++i)
    *to_sum += once[i]; // RELOAD
}

KERNEL double fine(long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += once[i]; // FINE
  return s;
}

// Near, but by another distance each time: no structure is left out.
KERNEL double skips(long n) {
  double s = 0;
  unsigned random = 1;
  for (long i = 0; i < n; i += 1 + (random >> 29)) {
    random = random * 1664525 + 1013904223;
    s += table[i]; // SKIPS
  }
  return s;
}

int main(void) {
  for (long i = 0; i < 50000; ++i)
    order[i] = (int)(i * 40503 % (1 << 16));
  double s = interchange() + pad() + split(20000) + prefetch(50000) + skips(1 << 16);
  block();
  stream(sizeof(filled) / sizeof(double));
  reload(50000, &sum_here);
  return s + fine(50000) + sum_here != 0;
}
