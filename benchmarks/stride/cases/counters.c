/*===- counters.c - Threads that count side by side
-------------------------===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* counters [MEGABYTES]: how many letters, digits, blanks, ... a text has that
is
|* made up here, half of it in each of two threads. Each thread has counters of
|* its own, but they lie in one cache line with the other's. With -DPADDED they
|* do not.
|*
\*===----------------------------------------------------------------------===*/

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 2, KINDS = 4 };

struct counters {
#ifdef PADDED
  _Alignas(128)
#endif
      long of[KINDS]; /* letters, digits, blanks, others */
};

/* In one line, wherever the linker puts them. */
static _Alignas(128) struct counters Counters[THREADS];
static unsigned char KindOf[256];
static unsigned char *Text;
static long Length;

static void *count(void *part) {
  long number = (long)part, from = Length / THREADS * number;
  long to = number == THREADS - 1 ? Length : from + Length / THREADS;
  struct counters *mine = &Counters[number];
  for (long at = from; at < to; ++at)
    ++mine->of[KindOf[Text[at]]];
  return NULL;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(int argc, char **argv) {
  Length = (argc > 1 ? atol(argv[1]) : 64) << 20;
  Text = malloc(Length);
  if (!Text)
    return 1;
  for (int c = 0; c < 256; ++c)
    KindOf[c] = c >= 'a' && c <= 'z'   ? 0
                : c >= '0' && c <= '9' ? 1
                : c == ' '             ? 2
                                       : 3;
  uint32_t state = 12345;
  for (long at = 0; at < Length; ++at) {
    state = state * 1664525 + 1013904223;
    Text[at] = "abcdefghijklmnopqrst 0123456789."[state >> 27];
  }
  double start = seconds();
  pthread_t threads[THREADS];
  for (long n = 0; n < THREADS; ++n)
    if (pthread_create(&threads[n], NULL, count, (void *)n))
      return 1;
  long sum[KINDS] = {0};
  for (int n = 0; n < THREADS; ++n) {
    pthread_join(threads[n], NULL);
    for (int kind = 0; kind < KINDS; ++kind)
      sum[kind] += Counters[n].of[kind];
  }
  double end = seconds();
  printf("letters %ld digits %ld blanks %ld others %ld\nseconds %.6f\n", sum[0],
         sum[1], sum[2], sum[3], end - start);
  return 0;
}
