// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of several allocation sites, which take each other's places all the
// time; with an argument, in the way of programs that have threads.
#include <pthread.h>
#include <stdlib.h>

enum { Blocks = 64, Sites = 6 };
static volatile char *Block[Blocks];
static size_t Bytes[Blocks];
static unsigned Seed = 1;

static unsigned next(void) { return (Seed = Seed * 1664525 + 1013904223) >> 8; }

// No call of an allocator is the last thing that a function does: each is an
// object of its own.
static void *kept(void *P) {
  __asm__ volatile("" : "+r"(P));
  return P;
}
static void *small(size_t N) { return kept(malloc(N)); }
static void *cleared(size_t N) { return kept(calloc(1, N)); }
static void *other(size_t N) { return kept(malloc(N + 8)); }
static void *aligned(size_t N) { return kept(aligned_alloc(64, N)); }
static void *large(size_t N) { return kept(malloc(N * 5000)); }
static void *grown(size_t N) { return kept(realloc(malloc(N), 3 * N)); }
static void *(*const Allocate[Sites])(size_t) = {small,   cleared, other,
                                                 aligned, large,   grown};

static void *none(void *P) { return P; }

int main(int Count, char **Arguments) {
  if (Count > 1) {
    // Fails, and makes nothing; but it might have been a thread.
    pthread_attr_t Attributes;
    pthread_t T;
    pthread_attr_init(&Attributes);
    pthread_attr_setstacksize(&Attributes, (size_t)1 << 50);
    if (!pthread_create(&T, &Attributes, none, Arguments))
      return 1;
  }
  // Of bytes that nobody wrote, too.
  volatile char Sum = 0;
  for (unsigned N = 0; N < 60000; ++N) {
    unsigned K = next() % Blocks;
    if (next() % 4 == 0) {
      free((void *)Block[K]);
      Bytes[K] = 16 + next() % 200;
      Block[K] = Allocate[next() % Sites](Bytes[K]);
      if (!Block[K])
        return 1;
    }
    if (!Block[K])
      continue;
    Block[K][next() % Bytes[K]] = (char)N;
    for (size_t I = 0; I < Bytes[K]; I += 7)
      Sum += Block[K][I];
  }
  return 0;
}
