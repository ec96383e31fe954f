// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short gathering loops within loops, of all lengths around those of strips,
// compute what they do without strips and touch nothing outside of the ranges.
//
// RUN: clang -w -O2 -ffp-contract=off -S -emit-llvm -o %t.ll %s
// RUN: clang -w -O2 -c -o %t.runtime.o %S/Inputs/strips/runtime.c
// RUN: opt -load-pass-plugin=%passes -load-pass-plugin=%strip-check -passes='graupel-fgdsm-strips,verify,strip-check,verify' -S -o %t.strips.ll %t.ll
// RUN: FileCheck %s --check-prefix=IR < %t.strips.ll
// IR-LABEL: @up(
// IR: %strip.whole
// IR-LABEL: @down(
// IR: %strip.whole
// RUN: clang -w -O0 -Xclang -disable-llvm-passes -o %t.plain %t.ll %t.runtime.o
// RUN: clang -w -O0 -Xclang -disable-llvm-passes -o %t.strips %t.strips.ll %t.runtime.o
// RUN: %t.plain > %t.wanted
// RUN: %t.strips > %t.found
// RUN: diff %t.wanted %t.found

#include <stdio.h>
#include <stdlib.h>
struct edge {
  double *from;
  double weight;
};
__attribute__((noinline)) double up(struct edge *e, long *counts, long *first,
                                    long n) {
  double total = 0;
  for (long o = 0; o < n; ++o) {
    struct edge *x = e + first[o];
    for (long i = 0; i < counts[o]; ++i)
      total -= x[i].weight * *x[i].from;
    total *= 0.5;
  }
  return total;
}
__attribute__((noinline)) double upi(struct edge *e, int *counts, long *first,
                                     long n) {
  double total = 0;
  for (long o = 0; o < n; ++o) {
    struct edge *x = e + first[o];
    int c = counts[o];
#pragma clang loop unroll(disable)
    for (unsigned i = 0; i != (unsigned)c; i += 1)
      total -= x[i].weight * *x[i].from;
    total *= 0.5;
  }
  return total;
}
__attribute__((noinline)) double down(double **p, long *counts, long n) {
  double total = 0;
  for (long o = 0; o < n; ++o) {
    double **at = p + counts[o];
#pragma clang loop unroll(disable)
    do {
      total += **at * (double)o;
    } while (at-- != p);
  }
  return total;
}
__attribute__((noinline)) double down4(double **p, long *counts, long n) {
  double total = 0;
  for (long o = 0; o < n; ++o) {
    double **at = p + counts[o];
#pragma clang loop unroll_count(4)
    for (; at != p; --at)
      total += **at * (double)o;
  }
  return total;
}
int main(void) {
  enum { N = 5000 };
  struct edge *e = calloc(N, sizeof *e);
  double *v = calloc(N, 8), **p = calloc(N, sizeof *p);
  long counts[64], first[64];
  int ci[64];
  long sizes[] = {0,    1,    2,    3,    4,    5,    6,    7,    126,
                  127,  128,  129,  254,  255,  256,  257,  258,  259,
                  510,  511,  512,  513,  514,  515,  1023, 1024, 1025,
                  1026, 1535, 1536, 1537, 2047, 2048, 2049, 2050, 3000};
  long n = sizeof sizes / sizeof *sizes;
  for (long i = 0; i < N; ++i) {
    v[i] = i * 1.25 - 7;
    e[i].from = &v[(i * 7919) % N];
    e[i].weight = 1.0 / (i + 3);
    p[i] = e[i].from;
  }
  for (long i = 0; i < n; ++i) {
    counts[i] = ci[i] = sizes[i];
    first[i] = i * 3;
  }
  printf("%.17g %.17g %.17g %.17g\n", up(e, counts, first, n),
         upi(e, ci, first, n), down(p, counts, n), down4(p, counts, n));
  return 0;
}
