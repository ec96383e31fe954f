/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * threads PARTS THREADS STEPS: the same parts of a computation, shared out among any
 * number of threads. What part() and what it calls execute does not depend on the number
 * of threads, so a profile of one thread says what a profile of many must be.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

typedef unsigned long (*operation)(unsigned long);

static unsigned long halve(unsigned long x) { return x >> 1; }
static unsigned long grow(unsigned long x) { return 3 * x + 1; }
static operation volatile operations[2] = {halve, grow};

struct share {
  pthread_t thread;
  unsigned first, end;
};

static unsigned long steps, results[MOST];

/* All jumps depend on data, and there is an indirect call in each step. */
static __attribute__((noinline)) unsigned long part(unsigned number) {
  unsigned long x = number + 27, odd = 0;
  for (unsigned long i = 0; i < steps; ++i) {
    if (x & 1)
      ++odd;
    x = operations[x & 1](x);
    if (x == 1)
      x = number + i;
    else if (x % 3 == 0)
      x += i % 5;
  }
  return odd * 31 + x;
}

static void *worker(void *argument) {
  const struct share *mine = argument;
  for (unsigned number = mine->first; number < mine->end; ++number)
    results[number] = part(number);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  const unsigned parts = atoi(argv[1]), threads = atoi(argv[2]);
  steps = strtoul(argv[3], NULL, 10);
  if (parts > MOST || threads < 1 || threads > parts)
    return 2;
  static struct share shares[MOST];
  for (unsigned i = 0; i < threads; ++i) {
    shares[i].first = parts * i / threads;
    shares[i].end = parts * (i + 1) / threads;
    if (pthread_create(&shares[i].thread, NULL, worker, &shares[i]) != 0)
      return 1;
  }
  for (unsigned i = 0; i < threads; ++i)
    pthread_join(shares[i].thread, NULL);
  for (unsigned i = 0; i < parts; ++i)
    printf("%lu\n", results[i]);
  return 0;
}
