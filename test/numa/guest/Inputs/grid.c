/* A program that knows nothing of nodes: one thread makes everything, then each
   thread works on its part. Says where things are. grid.placement names its
   lines. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS = 4, BYTES = 64 * 4096, CELLS = 300 };

char table[32 * 4096 + 100] = {1};
static char *grid, *shared;
struct cell {
  struct cell *next;
  char value[40];
};
static struct cell *list;

static int node_of(void *address) {
  void *page = (void *)((uintptr_t)address & -(uintptr_t)4096);
  int status = -1;
  syscall(SYS_move_pages, 0, 1, &page, NULL, &status, 0);
  return status;
}

/* The nodes of a range's pages: "0000111122223333", runs made short. */
static void show(const char *name, char *start, size_t bytes) {
  int last = -1, count = 0;
  printf("%s:", name);
  for (size_t at = 0; at < bytes; at += 4096, ++count) {
    int node = node_of(start + at);
    if (node != last && count) {
      printf(" %dx%d", count, last);
      count = 0;
    }
    last = node;
  }
  printf(" %dx%d\n", count, last);
}

__attribute__((noinline)) static void *make(size_t bytes) {
  char *made = malloc(bytes);
  made[0] = 1; /* so that the call is not the last thing it does */
  return made;
}

static void *work(void *argument) {
  size_t part = BYTES / THREADS, mine = (size_t)argument;
  unsigned processor, node;
  getcpu(&processor, &node);
  for (size_t at = 0; at < part; ++at)
    grid[part * mine + at] += shared[at] + table[at % sizeof(table)];
  return (void *)(size_t)node;
}

int main(void) {
  grid = calloc(BYTES, 1); /* grid */
  shared = make(BYTES);
  memset(grid, 1, BYTES);
  memset(shared, 2, BYTES);
  memset(table, 3, sizeof(table));
  for (int n = 0; n < CELLS; ++n) {
    struct cell *cell = malloc(sizeof(*cell)); /* cell */
    cell->next = list;
    list = cell;
  }
  pthread_t threads[THREADS];
  printf("threads:");
  for (size_t n = 0; n < THREADS; ++n)
    pthread_create(&threads[n], NULL, work, (void *)n);
  for (size_t n = 0; n < THREADS; ++n) {
    void *node;
    pthread_join(threads[n], &node);
    printf(" %zu", (size_t)node);
  }
  printf("\n");
  show("grid", grid, BYTES);
  show("shared", shared, BYTES);
  show("table", (char *)(((uintptr_t)table + 4095) & -(uintptr_t)4096),
       31 * 4096);
  int elsewhere = 0, count = 0;
  for (struct cell *c = list; c; c = c->next, ++count)
    elsewhere += node_of(c) != node_of(list);
  printf("cells: %d on %d, %d elsewhere\n", count, node_of(list), elsewhere);
  unsigned sum = 0;
  for (int n = 0; n < BYTES; ++n)
    sum += (unsigned char)grid[n] + (unsigned char)shared[n];
  printf("sum %u\n", sum);
  char *more = realloc(grid, 2 * BYTES);
  more[2 * BYTES - 1] = 1;
  free(more);
  free(shared);
  while (list) {
    struct cell *next = list->next;
    free(list);
    list = next;
  }
  return 3;
}
