/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops that find counters by a few bits of a key, of which code looks at all before a strip.
   Nodes count in turns within each block, in up to three pages, while each takes blocks from the
   other between two counts. And such loops that never get to a counter, at addresses that have no
   tags, and searches that end with the last element of all that is allocated. */
#include <graupel/dsm.h>
#include <stdint.h>
#include <stdio.h>

enum { Keys = 3000, Rounds = 40, Large = 4 << 20 };
static uint32_t *counters, *others;

__attribute__((noinline)) static void count(const uint32_t *k, uint32_t *c, uint32_t *other, long n,
                                            uint32_t mask) {
  for (long i = 0; i < n; i++) {
    c[k[i] & mask]++;
    if (other && k[i] % 61 == 0)
      other[(k[i] >> 3) % 100000]++;
  }
}

__attribute__((noinline)) static void count_some(const long *k, long *c, long at, long n, long mask) {
  for (long i = 0; i < n; i++)
    if (k[i] > 0)
      c[at + (k[i] & mask)]++;
}

__attribute__((noinline)) static long look_up(const long *k, const long *c, long at, long n) {
  long sum = 0;
  for (long i = 0; i < n; i++)
    if (k[i] > 0)
      sum += c[at + (k[i] & 255)] * c[at + (k[i] & 255) + 1];
  return sum;
}

__attribute__((noinline)) static long find(const int *a, int key, long from) {
  while (a[from] != key)
    from++;
  return from;
}

static int never(void) {
  long keys[Keys], *c = gdsm_malloc(sizeof keys), sum = 0;
  long *k = gdsm_malloc(sizeof keys);
  for (long i = 0; i < Keys; i++)
    k[i] = -i;
  static const long Wild[] = {1l << 58, -(1l << 57), 1l << 60, (1l << 44) - 1, -(1l << 44)};
  for (int i = 0; i < 5; i++) {
    sum += look_up(k, c, Wild[i], Keys);
    count_some(k, c, Wild[i], Keys, 255);
    count_some(k, c, Wild[i], Keys, Wild[i]);
  }
  for (int round = 0; round < 8; round++) {
    int *a = gdsm_alloc(Large, 0, GDSM_HOME_ROUND_ROBIN);
    long last = Large / sizeof(int) - 1;
    a[last] = 7;
    for (long from = last - 20; from < last; from++)
      sum += find(a, 7, from) != last;
  }
  return sum != 0;
}

int main(void) {
  uint32_t me = gdsm_node(), nodes = gdsm_nodes(), bad = never();
  if (me == 0) {
    counters = gdsm_alloc(4 * 4096, 0, GDSM_HOME_ROUND_ROBIN);
    others = gdsm_alloc(100000 * nodes * 4, 0, GDSM_HOME_ROUND_ROBIN);
  }
  gdsm_broadcast(&counters, sizeof counters, 0);
  gdsm_broadcast(&others, sizeof others, 0);
  uint32_t *k = gdsm_malloc(Keys * 4);
  uint32_t total = 0;
  for (int round = 0; round < Rounds; round++) {
    /* Which of two neighbors is mine; a table that begins anywhere in a page. */
    uint32_t bit = round % 2 ? 2047 : 1023, *c = counters + 1 + 97 * (round % 20);
    for (long i = 0; i < Keys; i++) {
      uint32_t x = (uint32_t)(i * 2654435761u + round * 40503u);
      k[i] = (x & ~1u) | me;
    }
    count(k, c, round % 3 ? others + 100000 * me : 0, Keys, bit);
    total += Keys;
    gdsm_barrier();
  }
  uint32_t found = 0;
  for (long i = 0; i < 4096; i++)
    found += counters[i];
  if (found != total * nodes)
    bad = 1, printf("%u of %u\n", found, total * nodes);
  gdsm_barrier();
  printf("%s\n", bad ? "wrong" : "right");
  return bad;
}
