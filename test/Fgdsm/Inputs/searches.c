// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that nobody knows the length of, and loops without memory: what polls
// less often than once an iteration.
#include "graupel/dsm.h"
#include <stdio.h>

struct item {
  int key, value;
  struct item *next;
};

#define KERNEL static __attribute__((noinline))

KERNEL long find(const int *rows, int row) {
  long at = 0;
  while (rows[at] != row)
    ++at;
  return at;
}
KERNEL struct item *walk(struct item *first, int key) {
  while (first && first->key != key)
    first = first->next;
  return first;
}
/* Stores in each iteration, before and behind exits. */
KERNEL int mark(struct item *first, int last) {
  int seen = 0;
  for (; first; first = first->next) {
    first->value = ++seen;
    if (first->key == last)
      break;
    first->key ^= 1;
  }
  return seen;
}
/* Merges rows of one column into another, as sparse factorizations do. */
KERNEL void merge(const int *from, const double *x, int n, const int *to,
                  double *y) {
  int at = 0;
  for (int i = 0; i < n; ++i) {
    while (to[at] != from[i])
      ++at;
    y[at] -= 0.5 * x[i];
  }
}
KERNEL unsigned reversed(unsigned bits, unsigned i) {
  unsigned r = 0;
  for (unsigned b = 0; b < bits; ++b)
    r = r << 1 | ((i >> b) & 1);
  return r;
}
KERNEL unsigned permuted(const unsigned *x, unsigned bits, unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; ++i)
    sum = sum * 31 + x[reversed(bits, i) % n];
  return sum;
}
/* More iterations than a strip has. */
KERNEL unsigned churn(unsigned x, unsigned long n) {
  for (unsigned long i = 0; i < n; ++i)
    x = x * x + (unsigned)i;
  return x;
}

int main(void) {
  enum { N = 300 };
  int *rows = gdsm_malloc(N * sizeof *rows);
  unsigned *table = gdsm_malloc(N * sizeof *table);
  struct item *items = gdsm_malloc(N * sizeof *items);
  for (int i = 0; i < N; ++i) {
    rows[i] = i * 2 + 5;
    table[i] = (unsigned)i * 2654435761u;
    items[i] = (struct item){i * 4, 0, i + 1 < N ? items + i + 1 : 0};
  }
  long sum = 0;
  for (int i = 0; i < N; i += 7)
    sum += find(rows, rows[i]);
  for (int i = 0; i < N + 9; i += 3) {
    struct item *found = walk(items, i * 4);
    sum = sum * 3 + (found ? found - items : -1);
  }
  printf("%ld\n", sum);
  printf("%d %d %d %d\n", mark(items, 100), mark(items, -1), mark(items, 400),
         mark(items, 801));
  for (int i = 0; i < N; ++i)
    sum = sum * 5 + items[i].value + items[i].key;
  printf("%ld\n", sum);

  int *from = gdsm_malloc(N * sizeof *from);
  double *x = gdsm_malloc(N * sizeof *x), *y = gdsm_malloc(N * sizeof *y);
  double total = 0;
  for (int i = 0; i < N; ++i) {
    from[i] = rows[i];
    x[i] = i;
    y[i] = N - i;
  }
  for (int step = 1; step < 9; ++step) {
    for (int i = 0; i * step < N; ++i)
      from[i] = rows[i * step];
    merge(from, x, (N + step - 1) / step, rows, y);
  }
  for (int i = 0; i < N; ++i)
    total = total * 0.9 + y[i];
  printf("%.9g\n", total);
  for (unsigned bits = 0; bits < 20; ++bits)
    printf("%u ", permuted(table, bits, N));
  printf("%u %u\n", churn(table[7], 0), churn(table[7], 100003));
  return 0;
}
