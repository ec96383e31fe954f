/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shared memory that code without checks reaches through private memory which no store of
   this file has put it into: initial values, and what the C library keeps. Node 0 writes,
   node 1 does what the argument says, which must be refused, or give N. */
#define _GNU_SOURCE
#include "foreign.h"
#include "way.h"
#include <getopt.h>
#include <graupel/dsm.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static GDSM_GLOBAL long data[N];
static GDSM_GLOBAL int flag;
static GDSM_GLOBAL void *shared_root;
static GDSM_GLOBAL size_t count;
static void *root;
static long mine[N];

static struct large initial = {1, data, N}, replaced = {1, data, N}, private = {1, mine, N};
static struct small many[2] = {{mine, N}, {data, N}};
static long *const constant[] = {mine, data};

static int compare(const void *a, const void *b) {
  return (int)(*(const long *)a - *(const long *)b);
}

static long by_options(int *to) {
  static struct option options[] = {{"one", no_argument, NULL, 'o'},
                                    {"flag", no_argument, &flag, N},
                                    {NULL, 0, NULL, 0}};
  char *arguments[] = {"program", "--flag", NULL};
  if (to)
    options[1].flag = to;
  if (getopt_long(2, arguments, "", options, NULL))
    return -1;
  return to ? *to : flag;
}

static long by_tree(void **of) {
  long key = 1;
  tsearch(data, of, compare);
  return tfind(&key, of, compare) ? N : 0;
}

/* What is stored is lost where the node may only read. */
static long by_fetch(int way) {
  size_t size = way == 1 ? sizeof data / 2 : sizeof data;
  gdsm_fetch(data, size, way == 2 ? GDSM_WRITE : GDSM_READ);
  if (way == 0 || way == 2)
    gcc_fill(data);
  long sum = gcc_sum(way == 1 ? mine : data);
  gdsm_release(data, size);
  return way == 0 || way == 2 ? sum / 2 : sum;
}

static long go(const char *way) {
  int private_flag;
  long key = 1;
  WAY("initial", gcc_sum_behind(&initial));
  WAY("initial-array", gcc_sum_at(&many[1].data));
  WAY("initial-constant", gcc_sum_at(&constant[1]));
  WAY("initial-private", gcc_sum_behind(&private));
  WAY("initial-replaced", (replaced.data = mine, gcc_sum_behind(&replaced)));
  WAY("options", by_options(NULL));
  WAY("options-private", by_options(&private_flag));
  WAY("tree-root", by_tree(&shared_root));
  WAY("tree-keys", by_tree(&root));
  WAY("fetched-to-read-stored", by_fetch(0));
  WAY("fetched-to-read-half", by_fetch(1));
  WAY("fetched-to-write", by_fetch(2));
  WAY("fetched-to-read", by_fetch(3));
  WAY("find-count", lfind(&key, data, &count, sizeof key, compare) ? N : 0);
  return -1;
}

int main(int argc, char **argv) {
  if (gdsm_node() == 0) {
    for (int i = 0; i < N; i++)
      data[i] = 1;
    count = 1;
  }
  for (int i = 0; i < N; i++)
    mine[i] = 1;
  gdsm_barrier();
  return on_node_1(go, argv[1]);
}
