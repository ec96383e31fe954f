/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shared globals: kinds of variables and of pointers to them, on any number of nodes
   and threads. */

#include "other.h"
#include <string.h>

GDSM_GLOBAL int number = 7;
GDSM_GLOBAL static double real;
GDSM_GLOBAL static char byte = 'a';
GDSM_GLOBAL static char text[] = "shared";
GDSM_GLOBAL static int table[4096] = {[0] = 1, [1023] = 2, [4095] = 3};
GDSM_GLOBAL static double matrix[512][513]; /* 2 MiB */
GDSM_GLOBAL static struct point first = {3, 4, &other_point, &number};
GDSM_GLOBAL static int *inside = &table[1023];
GDSM_GLOBAL static _Alignas(8192) char aligned[3] = {1, 2, 3};
GDSM_GLOBAL static struct {
  struct point *list[3];
} lists = {{&first, &other_point, 0}};
/* Private variables between them, with addresses of shared ones. */
static int own = 9;
static int *const constant_table[] = {&number, &table[4095], &from_other};
static int *own_pointer = &number;
static const char *name = text;
static double own_zeros[100];

/* Used by main alone: must not become main's own. */
GDSM_GLOBAL static int only_main;
/* Never written but by its address. */
GDSM_GLOBAL static long sum;
static long *where(void) { return &sum; }

static int before_main = 1;
__attribute__((constructor)) static void construct(void) {
  before_main = number + table[1023] + (int)other_point.y;
}

static int *counter(void) {
  static GDSM_GLOBAL int calls;
  return &calls;
}

static void initial(void *unused) {
  CHECK(number == 7 && real == 0 && byte == 'a' && from_other == 5);
  CHECK(!strcmp(text, "shared") && !strcmp(name, "shared"));
  CHECK(table[0] == 1 && table[1023] == 2 && table[4095] == 3 && !table[7]);
  CHECK(first.x == 3 && first.next == &other_point && *first.number == 7);
  CHECK(other_point.next == &other_point && *other_point.number == 5);
  CHECK(*inside == 2 && aligned[2] == 3 && (size_t)aligned % 8192 == 0);
  CHECK(*constant_table[0] == 7 && *constant_table[1] == 3 &&
        *constant_table[2] == 5 && *own_pointer == 7);
  CHECK(lists.list[1]->y == 2 && !lists.list[2]);
  CHECK(in_header == 11 && *other_in_header() == 11);
  for (int i = 0; i < 512; i++)
    for (int j = 0; j < 513; j++)
      CHECK(matrix[i][j] == 0);
  for (int i = 0; i < 100000; i++)
    CHECK(other_large[i] == 0);
}

static void work(void *unused) {
  int me = gdsm_thread(), all = gdsm_threads();
  for (int i = me; i < 512; i += all)
    for (int j = 0; j < 513; j++)
      matrix[i][j] = i * 1000 + j;
  for (long i = 100000l * me / all; i < 100000l * (me + 1) / all; i++)
    other_large[i] = i;
  gdsm_lock(3);
  number += 10;
  real += 0.5;
  *where() += me;
  *constant_table[1] += 1;
  *counter() += 1;
  first.x += 1;
  *own_pointer += 1; /* number */
  *other_in_header() += 1;
  gdsm_unlock(3);
  other_count();
  if (me == all - 1) {
    lists.list[2] = &first;
    text[0] = 'S';
    in_header = 12; /* This file's. */
    own = 10;
  }
  gdsm_barrier();
  CHECK(number == 7 + 11 * all && real == 0.5 * all);
  CHECK(sum == (long)all * (all - 1) / 2 && table[4095] == 3 + all);
  CHECK(*counter() == all && first.x == 3 + all);
  CHECK(lists.list[2]->next == &other_point && !strcmp(name, "Shared"));
  CHECK(in_header == 12 && *other_in_header() == 11 + all);
  CHECK(own == (gdsm_node() == gdsm_nodes() - 1 ? 10 : 9));
  double total = 0, large = 0;
  for (int i = 0; i < 512; i++)
    for (int j = 0; j < 513; j++)
      total += matrix[i][j];
  for (int i = 0; i < 100000; i++)
    large += other_large[i];
  CHECK(total == 513000.0 * 511 * 256 + 512.0 * 512 * 513 / 2);
  CHECK(large == 99999.0 * 50000);
}

int main(void) {
  CHECK(before_main == 7 + 2 + 2);
  CHECK(other_address() == &from_other && from_other == 5);
  gdsm_parallel(initial, NULL);
  if (gdsm_node() == gdsm_nodes() - 1)
    only_main = 42;
  gdsm_barrier();
  CHECK(only_main == 42);
  gdsm_parallel(work, NULL);
  gdsm_barrier();
  long count = other_count(); /* On each node. */
  CHECK(count > 1000 + gdsm_threads() &&
        count <= 1000 + gdsm_threads() + gdsm_nodes());
  for (int i = 0; i < 100; i++)
    CHECK(own_zeros[i] == 0);
  gdsm_barrier();
  if (gdsm_node() == 0)
    printf("right on %d nodes, %d threads\n", gdsm_nodes(), gdsm_threads());
  return 0;
}
