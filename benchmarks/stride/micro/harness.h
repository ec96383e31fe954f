// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// main() of a program of kernels:
//
//   PROGRAM [KERNEL [REPEAT]]   nanoseconds of each kernel whose name begins
//   so:
//                               the least of REPEAT runs, 1 without

#ifndef GRAUPEL_BENCHMARKS_STRIDE_HARNESS_H
#define GRAUPEL_BENCHMARKS_STRIDE_HARNESS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KERNEL __attribute__((noinline)) static

struct kernel {
  const char *Name;
  void (*Run)(void);
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

__attribute__((unused)) static void runKernels(const struct kernel *kernels,
                                               unsigned count, int argc,
                                               char **argv) {
  const char *only = argc > 1 ? argv[1] : "";
  int repeat = argc > 2 ? atoi(argv[2]) : 1;
  for (unsigned i = 0; i < count; ++i) {
    if (strncmp(kernels[i].Name, only, strlen(only)))
      continue;
    double least = 1e30;
    for (int r = 0; r < repeat; ++r) {
      double start = now();
      kernels[i].Run();
      double time = now() - start;
      least = time < least ? time : least;
    }
    printf("%-16s %.0f\n", kernels[i].Name, least);
  }
}

#endif
