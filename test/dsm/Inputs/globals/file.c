/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program that shares all its variables by -fgdsm-share-globals, in two objects (with
   -DSECOND); declarations name no kind. */

#include <graupel/dsm.h>
#include <stdio.h>
#include <stdlib.h>

extern int total;
extern double values[4000];
int *calls(void);

#ifdef SECOND
int total;
double values[4000];
int *calls(void) {
  static int count;
  return &count;
}
#else
static const char *const words[] = {"none", "some"};
static const char *word;
int tentative;
GDSM_PER_NODE static int mine;
GDSM_PER_NODE static char line[64];

static void work(void *unused) {
  int me = gdsm_thread(), all = gdsm_threads();
  for (int i = me; i < 4000; i += all)
    values[i] = i;
  gdsm_lock(1);
  total += me;
  ++*calls();
  tentative++;
  gdsm_unlock(1);
  if (me == all - 1)
    word = words[1];
  gdsm_barrier();
  double sum = 0;
  for (int i = 0; i < 4000; i++)
    sum += values[i];
  if (total != all * (all - 1) / 2 || *calls() != all || tentative != all ||
      word != words[1] || sum != 3999.0 * 2000)
    exit(3);
}

int main(void) {
  mine = gdsm_node();
  gdsm_barrier();
  if (mine != gdsm_node())
    return 4;
  gdsm_parallel(work, NULL);
  snprintf(line, sizeof line, "right on %d nodes", gdsm_nodes());
  if (gdsm_node() == 0)
    fprintf(stdout, "%s\n", line);
  return 0;
}
#endif
