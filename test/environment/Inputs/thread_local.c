// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With LIBRARY: a library whose thread-local storage must be static, as that of
// allocators; without, its program.
#ifdef LIBRARY
static __thread char storage[SIZE] __attribute__((tls_model("initial-exec")));
int use(int at) { return storage[at % SIZE]++; }
#else
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int use(int);
static void *thread(void *unused) { return use(1) == 0 ? unused : 0; }
int main(void) {
  pthread_t other;
  use(1);
  if (pthread_create(&other, 0, thread, "own") == 0) {
    void *result;
    pthread_join(other, &result);
    printf("%s\n", (char *)result);
  }
  const char *tunables = getenv("GLIBC_TUNABLES");
  printf("%s\n", tunables ? tunables : "no tunables");
  return 7;
}
#endif
