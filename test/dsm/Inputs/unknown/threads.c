/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What threads start with: functions of other files, with and without checks. The macro
   says which. */
#include "foreign.h"
#include <graupel/dsm.h>
#include <pthread.h>
#include <stdint.h>

#ifdef UNCHECKED
GDSM_UNCHECKED void gcc_work(void *);
GDSM_UNCHECKED void *gcc_thread(void *);
#endif

static long ones[N] = {N};
static int ran;

__attribute__((weak)) void replaced(void *p) { (void)p; }

/* Called with an argument that it has no parameter for. */
static void without_parameter(void) { ran = 1; }

static void start(void (*f)(void *)) { gdsm_parallel(f, ones); }
static void (*volatile starter)(void (*)(void *)) = start;

int main(void) {
#ifdef DIRECT
  gdsm_parallel(gcc_work, ones);
#elif defined(THREAD) || defined(UNCHECKED)
  pthread_t t;
  pthread_create(&t, NULL, gcc_thread, ones);
  pthread_join(t, NULL);
#ifdef UNCHECKED
  gdsm_parallel(gcc_work, ones);
#endif
#elif defined(POINTER)
  starter(gcc_work);
#elif defined(REPLACED)
  gdsm_parallel(replaced, ones);
#else
  gdsm_parallel((void (*)(void *))(uintptr_t)without_parameter, ones);
  starter((void (*)(void *))(uintptr_t)without_parameter);
  gdsm_parallel(replaced, ones);
  printf("ran: %d\n", ran);
#endif
}
