// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two arrays whose lines compete for the same sets, and structures of which one
// member is used, at random.

#include <stdio.h>

#define N 4096
_Alignas(32768) double left[N];
_Alignas(32768) double right[N];

struct particle {
  double mass, other[7];
} particles[1 << 14];
int chosen[1 << 16];

__attribute__((noinline)) double dot(void) {
  double s = 0;
  for (int round = 0; round < 10; ++round)
    for (int i = 0; i < N; ++i)
      s += left[i] * right[i]; // CONFLICT
  return s;
}

__attribute__((noinline)) double weigh(void) {
  double s = 0;
  for (int i = 0; i < 1 << 16; ++i)
    s += particles[chosen[i]].mass; // LITTLE
  return s;
}

int main(void) {
  for (unsigned i = 0; i < 1 << 16; ++i)
    chosen[i] = i * 40503u >> 3 & 0x3fff;
  printf("%f %f\n", dot(), weigh());
}
