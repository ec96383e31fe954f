// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the drain counts in ways of their own: sites that repeat, change their
// object meanwhile, are many; loops with members whose other references stay in
// other streams, or do not; small blocks. drain.py compares the counts with the
// same references one by one.

#include <stdlib.h>

#define KERNEL __attribute__((noinline))
#define N 2003

static unsigned seed = 1;
static unsigned next(void) { return seed = seed * 1103515245u + 12345u; }
static unsigned below(unsigned n) { return next() / 8 % n; }

long a[N], b[N], c[N];
int index_of[N];

// Members whose rows follow each other, of any length, and an other one.
KERNEL long row(const long *x, const long *y, const int *k, long n) {
  long s = 0;
  for (long i = 0; i < n; ++i)
    s += y[i] * x[k[i]];
  return s;
}
KERNEL long rows(unsigned longest, int astray) {
  long s = 0;
  for (long at = 0, i = 0; at + longest < N; ++i) {
    long n = 1 + below(longest);
    s += row(i % 16 / 2 == astray ? b : a, b + at, index_of + at, n);
    at += n;
  }
  return s;
}

// The other reference comes into the members' array from some iteration on.
KERNEL long *astray(const long *x, long *const *where, long n) {
  long *p = a;
  for (long i = 0; i < n; ++i)
    *(p = where[i]) += x[i];
  return p;
}
long *where[N];

// A site whose objects alternate, or change once.
KERNEL long change(long n) {
  long s = 0;
  for (long i = 0; i < n; ++i) {
    volatile long *p = where[i];
    s += *p;
  }
  return s;
}

// More sites than a repeating stretch has.
KERNEL void many(volatile long *p, volatile long *q, long n) {
  do {
    p[0] = q[1];
    p[2] = q[3] + q[5];
    p[4] = q[2];
    p[1] = q[0] + p[7];
    p += 3;
    q += n & 1 ? 2 : 9;
  } while (--n);
}

// Repeats, but not always.
KERNEL void branches(volatile long *p, long n) {
  for (long i = 0; i < n; ++i) {
    p[index_of[i]] = i;
    if (index_of[i] % 16 == 0)
      p[i]++;
    if (index_of[i] % 3 == 0)
      p[N - 1 - i] = p[i / 2];
  }
}

struct item {
  struct item *next;
  long value[3];
};
KERNEL struct item *one(struct item *to) {
  struct item *n = malloc(sizeof(struct item));
  n->next = to;
  return n;
}
KERNEL struct item *other(struct item *to) {
  struct item *n = malloc(sizeof(struct item));
  n->next = to;
  return n;
}
KERNEL long walk(const struct item *p) {
  long s = 0;
  for (; p; p = p->next)
    s += p->value[s & 1];
  return s;
}

int main(void) {
  volatile long keep = 0;
  for (int i = 0; i < N; ++i) {
    index_of[i] = below(N);
    where[i] = (i < 1000 ? b : a) + below(N);
  }
  for (int i = 0; i < 5; ++i)
    keep += rows(40, 8) + rows(9, 7) + rows(30, 2);
  for (int i = 0; i < 9; ++i)
    keep += astray(a, where + 100 * i, 60)[0];
  keep += astray(a, where + 900, 300)[0];
  for (int i = 0; i < 9; ++i)
    keep += astray(c, where + 100 * i, 60)[0];
  keep += astray(c, where, N)[0];
  keep += change(N);
  for (int i = 0; i < N; ++i)
    where[i] = below(2) ? a + i % 5 : c + below(N);
  keep += change(N);
  many(a, b, 100);
  many(a, a + 50, 100);
  branches(c, N);
  struct item *list = NULL;
  for (int i = 0; i < 500; ++i)
    list = i < 100 || below(3) ? one(list) : other(list);
  keep += walk(list) + walk(list);
  // What was freed is someone else's.
  for (int i = 0; i < 400; ++i) {
    struct item *rest = list->next;
    free(list);
    list = rest;
  }
  for (int i = 0; i < 300; ++i)
    list = below(2) ? one(list) : other(list);
  keep += walk(list);
  return 0;
}
