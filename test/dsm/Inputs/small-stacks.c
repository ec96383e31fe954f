// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* small-stacks context|room|thread|own|cancel: sums what another node has written, on a
   coroutine with a small stack, with a large one, in a thread with the smallest
   stack, with one of the program's own, or where it may be cancelled anywhere. */
#include <graupel/dsm.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { N = 512, Small = 8192, Room = 65536, Below = 4096 };
static const char *how;
static long *data;
static ucontext_t coroutine, back;

static void sum(int a, int b, int c, int d, int e, int f, int g) {
  long s = a + b + c + d + e + f + g - 28;
  for (int i = 0; i < N; i++)
    s += data[i];
  printf("sum %ld\n", s);
}

static void *sums(void *unused) {
  if (strcmp(how, "cancel") == 0)
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  sum(1, 2, 3, 4, 5, 6, 7);
  return unused;
}

static void in_coroutine(size_t size) {
  char *memory = malloc(Below + size);
  memset(memory, 1, Below);
  getcontext(&coroutine);
  coroutine.uc_stack.ss_sp = memory + Below;
  coroutine.uc_stack.ss_size = size;
  coroutine.uc_link = &back;
  makecontext(&coroutine, (void (*)(void))sum, 7, 1, 2, 3, 4, 5, 6, 7);
  swapcontext(&back, &coroutine);
  for (int i = 0; i < Below; i++)
    if (memory[i] != 1)
      puts("overwritten");
}

static void in_thread(void *stack, size_t size) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (stack)
    pthread_attr_setstack(&attributes, stack, size);
  else
    pthread_attr_setstacksize(&attributes, size);
  if (pthread_create(&thread, &attributes, sums, NULL))
    puts("no thread");
  pthread_join(thread, NULL);
}

static void work(void *unused) {
  (void)unused;
  if (gdsm_thread() == gdsm_threads() - 1)
    for (int i = 0; i < N; i++)
      data[i] = i;
  gdsm_barrier();
  if (gdsm_thread())
    return;
  if (strcmp(how, "context") == 0 || strcmp(how, "room") == 0)
    in_coroutine(strcmp(how, "room") ? Small : Room);
  else if (strcmp(how, "own") == 0)
    in_thread(aligned_alloc(4096, PTHREAD_STACK_MIN), PTHREAD_STACK_MIN);
  else
    in_thread(NULL, PTHREAD_STACK_MIN);
}

int main(int argc, char **argv) {
  how = argc == 2 ? argv[1] : "";
  if (gdsm_node() == 0)
    data = gdsm_alloc(N * sizeof *data, 0, gdsm_nodes() - 1);
  gdsm_broadcast(&data, sizeof data, 0);
  gdsm_parallel(work, NULL);
}
