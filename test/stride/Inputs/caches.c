// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of many sorts, for simulated caches: side by side, across, at
// random, over two lines and pages, repeated, up and down.

#include <stdlib.h>
#include <string.h>

#define KERNEL __attribute__((noinline))
#define N 29

double matrix[N][N], result[N][N], vector[N * N];
KERNEL void multiply(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < N; ++k)
        result[i][j] += matrix[i][k] * matrix[k][j];
}

KERNEL double backward(long n) {
  double s = 0;
  for (long i = n - 1; i >= 0; --i)
    s += vector[i];
  return s;
}

unsigned table[1 << 12];
KERNEL unsigned hash(long n) {
  unsigned x = 12345;
  for (long i = 0; i < n; ++i) {
    x = x * 1103515245 + 12345;
    table[x >> 20] += x;
  }
  return x;
}

char packed[1 << 13];
KERNEL long straddle(long n) {
  long s = 0, each;
  for (long i = 0; i < n; ++i) {
    memcpy(&each, packed + 13 * i, sizeof(each));
    s += each;
  }
  return s;
}

struct node {
  struct node *next;
  long value[5];
};
KERNEL long walk(struct node *first, int rounds) {
  long s = 0;
  for (; rounds; --rounds)
    for (struct node *p = first; p; p = p->next)
      s += p->value[2];
  return s;
}

KERNEL long same(long *where, long n) {
  long s = 0;
  for (long i = 0; i < n; ++i)
    s += *(volatile long *)where + where[i];
  return s;
}

int main(void) {
  struct node *first = 0;
  for (int i = 0; i < 300; ++i) {
    struct node *p = malloc(sizeof(*p));
    memset(p->value, 0, sizeof(p->value));
    p->next = first;
    p->value[2] = i;
    first = p;
  }
  multiply();
  long s = (long)backward(N * N) + hash(2000) + straddle(600) + walk(first, 5);
  return (int)(s + same(calloc(500, sizeof(long)), 500)) == 42;
}
