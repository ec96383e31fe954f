// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts 1000 in the process, in each of two threads and in a child, slowly, and
// ends as its argument says.
#include "image.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *work(void *unused) {
  (void)unused;
  for (int i = 0; i < 1000; ++i) {
    COUNT(0);
    if (i % 250 == 0)
      usleep(1000);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[2];
  for (int t = 0; t < 2; ++t) {
    usleep(2000);
    pthread_create(&threads[t], NULL, work, NULL);
  }
  work(NULL);
  pid_t child = fork();
  if (child == 0) {
    work(NULL);
    _exit(0);
  }
  for (int t = 0; t < 2; ++t)
    pthread_join(threads[t], NULL);
  waitpid(child, NULL, 0);
  switch (argc > 1 ? atoi(argv[1]) : 0) {
  case 1:
    _exit(0);
  case 2:
    kill(getpid(), 9);
  case 3:
    execlp("true", "true", NULL);
    return 1;
  default:
    return 0;
  }
}
