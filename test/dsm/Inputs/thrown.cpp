// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What leaves the function of gdsm_blocking: an exception, or the end of a
   thread that is cancelled. Stores behind it, where another node wants the
   block, are not lost. */
#include <graupel/dsm.h>
#include <pthread.h>
#include <stdexcept>
#include <stdio.h>
#include <unistd.h>

static volatile long *shared;
static const long times = 300000;

static void fail(void *) { throw std::runtime_error("refused"); }
static void nap(void *) { sleep(100); }

static void add(void *) {
  for (long i = 0; i < times; ++i)
    shared[gdsm_node()] = shared[gdsm_node()] + 1;
}

static void *cancelled(void *) {
  pthread_cleanup_push(add, nullptr);
  gdsm_blocking(nap, nullptr);
  pthread_cleanup_pop(0);
  return nullptr;
}

int main() {
  if (gdsm_node() == 0)
    shared = static_cast<long *>(gdsm_alloc(4096, 128, 0));
  gdsm_broadcast((void *)&shared, sizeof(shared), 0);
  gdsm_barrier();
  bool caught = gdsm_node() != 0;
  try {
    if (gdsm_node() == 0)
      gdsm_blocking(fail, nullptr);
  } catch (std::exception &) {
    caught = true;
  }
  add(nullptr);
  gdsm_barrier();
  if (gdsm_node() == 0) {
    pthread_t t;
    pthread_create(&t, nullptr, cancelled, nullptr);
    usleep(200000);
    pthread_cancel(t);
    pthread_join(t, nullptr);
  } else {
    usleep(200000);
    add(nullptr);
  }
  gdsm_barrier();
  if (gdsm_node() == 0)
    printf("%d: %ld and %ld of %ld\n", caught, shared[0], shared[1], 2 * times);
  return 0;
}
