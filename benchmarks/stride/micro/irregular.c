// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Irregular references, a kernel each, in arrays that fit into the nearest
// cache, the next one, or none.
//
//   irregular [KERNEL [REPEAT]]   nanoseconds of each kernel: the least of
//   REPEAT
//                                 runs, 1 without
//
// Each kernel makes about a million steps.

#include "harness.h"
#include <stdint.h>

#define STEPS (1 << 20)
#define LARGE (1 << 23)

static unsigned Seed = 1;
static unsigned next(void) {
  Seed ^= Seed << 13;
  Seed ^= Seed >> 17;
  return Seed ^= Seed << 5;
}

static int Index[STEPS];
static double Values[LARGE];
static volatile double Keep;

KERNEL double gather(long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += Values[Index[i]];
  return s;
}

static int Counts[LARGE];
KERNEL void increment(long n) {
  for (long i = 0; i < n; ++i)
    ++Counts[Index[i]];
}

struct node {
  struct node *next;
  long value;
};
static struct node Pool[LARGE / 4], *Blocks;
KERNEL long list(const struct node *At, long n) {
  long s = 0;
  for (; n > 0; --n, At = At->next)
    s += At->value;
  return s;
}

struct entry {
  uint64_t key, value;
};
static struct entry Table[LARGE / 4];
static uint64_t place(uint64_t key) { return key * 0x9e3779b97f4a7c15 >> 20; }
KERNEL uint64_t lookup(uint64_t mask, long n) {
  uint64_t s = 0;
  for (long i = 0; i < n; ++i) {
    uint64_t key = (uint64_t)Index[i] + 1, at = place(key) & mask;
    while (Table[at].key && Table[at].key != key)
      at = (at + 1) & mask;
    s += Table[at].value;
  }
  return s;
}

static int Sorted[LARGE];
KERNEL long search(long size, long n) {
  long s = 0;
  for (long i = 0; i < n; ++i) {
    long low = 0, high = size;
    while (low < high) {
      long middle = (low + high) / 2;
      if (Sorted[middle] < 2 * Index[i])
        low = middle + 1;
      else
        high = middle;
    }
    s += low;
  }
  return s;
}

static int Start[STEPS / 8 + 1];
static double Elements[STEPS], Result[STEPS / 8];
KERNEL void spmv(long rows) {
  for (long i = 0; i < rows; ++i) {
    double s = 0;
    for (long k = Start[i]; k < Start[i + 1]; ++k)
      s += Elements[k] * Values[Index[k]];
    Result[i] = s;
  }
}

static int Unsorted[STEPS / 16];
KERNEL void sort(int *a, long low, long high) {
  while (low < high) {
    int pivot = a[(low + high) / 2];
    long i = low, j = high;
    while (i <= j) {
      while (a[i] < pivot)
        ++i;
      while (a[j] > pivot)
        --j;
      if (i <= j) {
        int t = a[i];
        a[i++] = a[j];
        a[j--] = t;
      }
    }
    sort(a, low, j);
    low = i;
  }
}

static unsigned char Text[STEPS];
static unsigned Words[4096];
KERNEL long scan(const unsigned char *p) {
  long n = 0;
  while (*p) {
    while (*p == ' ' || *p == '\n')
      ++p;
    unsigned hash = 0;
    const unsigned char *begin = p;
    while (*p && *p != ' ' && *p != '\n')
      hash = hash * 31 + *p++;
    if (p != begin) {
      ++Words[hash & 4095];
      ++n;
    }
  }
  return n;
}

static void indices(long below) {
  for (long i = 0; i < STEPS; ++i)
    Index[i] = next() % below;
}

static void matrix(long columns) {
  indices(columns);
  for (long i = 0; i < columns; ++i)
    Values[i] = i;
  for (long i = 0; i < STEPS; ++i)
    Elements[i] = i;
  for (long i = 0; i <= STEPS / 8; ++i)
    Start[i] = 8 * i;
}

// A cycle through all of them, in any order.
static void link(struct node **nodes, long count) {
  for (long i = count - 1; i > 0; --i) {
    long k = next() % (i + 1);
    struct node *t = nodes[i];
    nodes[i] = nodes[k];
    nodes[k] = t;
  }
  for (long i = 0; i < count; ++i)
    nodes[i]->next = nodes[(i + 1) % count];
}

static struct node *pooled(long count) {
  struct node **nodes = malloc(count * sizeof(*nodes));
  for (long i = 0; i < count; ++i)
    nodes[i] = Pool + i;
  link(nodes, count);
  free(nodes);
  return Pool;
}

static struct node *allocated(long count) {
  struct node **nodes = malloc(count * sizeof(*nodes));
  for (long i = 0; i < count; ++i)
    nodes[i] = malloc(sizeof(struct node));
  link(nodes, count);
  struct node *First = nodes[0];
  free(nodes);
  return First;
}

static void fillTable(uint64_t mask, long keys) {
  memset(Table, 0, (mask + 1) * sizeof(*Table));
  indices(keys);
  for (uint64_t key = 1; key <= (uint64_t)keys; ++key) {
    uint64_t at = place(key) & mask;
    while (Table[at].key)
      at = (at + 1) & mask;
    Table[at].key = Table[at].value = key;
  }
}

static double Least;

#define RUN(NAME, PREPARE, WHAT)                                               \
  if (!only || !strcmp(only, NAME)) {                                          \
    Seed = 1;                                                                  \
    Least = 1e18;                                                              \
    for (int r = 0; r < repeat; ++r) {                                         \
      PREPARE;                                                                 \
      double t = now();                                                        \
      WHAT;                                                                    \
      t = now() - t;                                                           \
      Least = t < Least ? t : Least;                                           \
    }                                                                          \
    printf("%-14s %.0f\n", NAME, Least);                                       \
  }

int main(int argc, char **argv) {
  const char *only = argc > 1 && strcmp(argv[1], "all") ? argv[1] : NULL;
  int repeat = argc > 2 ? atoi(argv[2]) : 1;
  static const struct {
    const char *name;
    long bytes;
  } sizes[] = {{"near", 16 << 10}, {"mid", 512 << 10}, {"far", 32 << 20}};
  for (int s = 0; s < 3; ++s) {
    char name[32];
    long bytes = sizes[s].bytes;
#define NAMED(KIND)                                                            \
  (snprintf(name, sizeof(name), KIND "-%s", sizes[s].name), name)
    RUN(NAMED("gather"), matrix(bytes / 8), Keep = gather(STEPS));
    RUN(NAMED("increment"), indices(bytes / 4), increment(STEPS));
    RUN(NAMED("list"), Blocks = pooled(bytes / 16), Keep = list(Blocks, STEPS));
    RUN(NAMED("blocks"), Blocks = allocated(bytes / 32),
        Keep = list(Blocks, STEPS));
    RUN(NAMED("lookup"), fillTable(bytes / 16 - 1, bytes / 32),
        Keep = lookup(bytes / 16 - 1, STEPS));
    RUN(
        NAMED("search"),
        {
          indices(bytes / 4);
          for (long i = 0; i < bytes / 4; ++i)
            Sorted[i] = 2 * i;
        },
        Keep = search(bytes / 4, STEPS / 16));
    RUN(NAMED("spmv"), matrix(bytes / 8),
        (spmv(STEPS / 8), Keep = Result[Seed % 1024]));
  }
  RUN("sort", for (long i = 0; i < STEPS / 16; ++i) Unsorted[i] = next() >> 1,
      sort(Unsorted, 0, STEPS / 16 - 1));
  RUN(
      "scan",
      {
        for (long i = 0; i < STEPS - 1; ++i)
          Text[i] = next() % 6 ? 'a' + next() % 26 : ' ';
      },
      Keep = scan(Text));
  return 0;
}
