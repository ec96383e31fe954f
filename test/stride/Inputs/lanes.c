// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors some of whose lanes are active. Prints how many references of each kind
// there are.

#include <stdio.h>

typedef double Vector __attribute__((ext_vector_type(8)));
typedef long Indices __attribute__((ext_vector_type(8)));
typedef _Bool Mask __attribute__((ext_vector_type(8)));

#define KERNEL __attribute__((noinline))
#define N 1024

double masked[N], gathered[N], packed[N], target[N], scattered[N], squeezed[N];
double guarded[N], chosen[N];
int conditions[N];

static Mask bits(long pattern) {
  const Indices each = {1, 2, 4, 8, 16, 32, 64, 128};
  return __builtin_convertvector((each & pattern) != 0, Mask);
}

static Indices spread(long first) {
  Indices at;
  for (int lane = 0; lane < 8; ++lane)
    at[lane] = (first + 5 * lane) % N;
  return at;
}

KERNEL void lanes(long n) {
  for (long i = 0; i < n; i += 8) {
    const Mask m = bits(i / 8 * 37 & 255);
    Vector v = __builtin_masked_load(m, masked + i);
    __builtin_masked_store(m, v, target + i);
    v = __builtin_masked_gather(m, spread(i), gathered);
    __builtin_masked_scatter(m, spread(i), v, scattered);
  }
}

KERNEL void packs(long n) {
  double *from = packed, *to = squeezed;
  for (long i = 0; i < n; i += 8) {
    const long pattern = i / 8 * 37 & 255;
    const Mask m = bits(pattern);
    Vector v = __builtin_masked_expand_load(m, from, (Vector)(0));
    __builtin_masked_compress_store(m, v, to);
    from += __builtin_popcountl((unsigned long)pattern);
    to += __builtin_popcountl((unsigned long)pattern);
  }
}

// What the vectorizer makes of a condition.
KERNEL void condition(long n) {
  for (long i = 0; i < n; ++i)
    if (conditions[i] > 0)
      chosen[i] = guarded[i] + 1;
}

int main(void) {
  unsigned active = 0, positive = 0;
  for (long i = 0; i < N; i += 8)
    active += (unsigned)__builtin_popcountl(i / 8 * 37 & 255ul);
  for (long i = 0; i < N; ++i)
    positive += (conditions[i] = i % 3 == 0) != 0;
  lanes(N);
  packs(N);
  condition(N);
  printf("%u %u\n", active, positive);
  return 0;
}
