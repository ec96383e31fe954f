// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that count: side by side in a line, each in a line of its own, all in
// one place; and threads that hand over what they have made.
// usage: sharing false|padded|true|phases

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { Threads = 4, Rounds = 4000000, Rows = 256, Columns = 512, Phases = 12 };

_Alignas(64) volatile long counters[8 * Threads];
_Alignas(64) _Atomic long total;
_Alignas(64) double grid[2][Rows][Columns];
pthread_barrier_t barrier;
int stride;

void *count(void *number) {
  volatile long *own = counters + stride * (long)number;
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < Rounds; ++i)
    *own += i; // COUNT
  return 0;
}

void *add(void *number) {
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < Rounds; ++i)
    atomic_fetch_add_explicit(&total, (long)number, memory_order_relaxed); // ADD
  return 0;
}

// Rows at the edges of a thread's part are read by its neighbor, a phase later.
void *relax(void *number) {
  int first = (long)number * Rows / Threads;
  int last = first + Rows / Threads;
  for (int phase = 0; phase < Phases; ++phase) {
    double(*from)[Columns] = grid[phase % 2], (*to)[Columns] = grid[1 - phase % 2];
    for (int i = first; i < last; ++i)
      for (int j = 1; j < Columns - 1; ++j)
        to[i][j] = (from[i][j - 1] + from[i][j + 1] +
                    from[i ? i - 1 : 0][j] + from[i < Rows - 1 ? i + 1 : i][j]) / 4;
    pthread_barrier_wait(&barrier);
  }
  return 0;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  void *(*work)(void *) = strcmp(what, "true") == 0     ? add
                          : strcmp(what, "phases") == 0 ? relax
                                                        : count;
  stride = strcmp(what, "padded") == 0 ? 8 : 1;
  pthread_t thread[Threads];
  pthread_barrier_init(&barrier, 0, Threads);
  // The main thread hands all over to the others.
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j)
      grid[0][i][j] = i + j;
  memset((void *)counters, 0, sizeof(counters));
  for (long n = 0; n < Threads; ++n)
    pthread_create(&thread[n], 0, work, (void *)n);
  for (int n = 0; n < Threads; ++n)
    pthread_join(thread[n], 0);
  long sum = total;
  for (int n = 0; n < 8 * Threads; ++n)
    sum += counters[n];
  printf("%ld %g\n", sum, grid[0][7][7]);
}
