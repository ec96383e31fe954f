// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc, clang
// A storm of forks: children that end, die, become other programs and fork
// themselves, from several threads at once. The slots of the dead are used again.
//
// RUN: %exact %s -o %t --flags=-pthread --builds gcc:pie,clang:static --runs 1 --args 40 \
// RUN:   --expect born=640 ran=320 inner=160 tick=64000
//
// As long as GRAUPEL_TEST_STORM=N says.
// RUN: %exact %s -o %t.long --flags=-pthread --builds gcc:pie --runs 1 --said --timeout 3000

#include "units.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

UNIT(born, 1)
UNIT(ran, 2)
UNIT(inner, 3)
UNIT(tick, 4)

static int Rounds;
extern char **environ;

static void live(int Way) {
  born();
  for (int I = 0; I < 100; ++I)
    tick();
  switch (Way) {
  case 0:
    ran();
    _exit(0);
  case 1:
    ran();
    execl("/bin/true", "true", NULL);
    _exit(1);
  case 2:
    kill(getpid(), SIGKILL);
  default:
    if (fork() == 0) {
      inner();
      _exit(0);
    }
    wait(NULL);
    _exit(0);
  }
}

static void *storm(void *Argument) {
  for (int I = 0; I < Rounds; ++I) {
    pid_t Children[4];
    for (int Way = 0; Way < 4; ++Way)
      if ((Children[Way] = fork()) == 0)
        live(Way);
    for (int Way = 0; Way < 4; ++Way)
      waitpid(Children[Way], NULL, 0);
  }
  return Argument;
}

int main(int Count, char **Arguments) {
  const char *Asked = getenv("GRAUPEL_TEST_STORM");
  Rounds = Count > 1 ? atoi(Arguments[1]) : Asked ? atoi(Asked) : 1;
  pthread_t Threads[4];
  for (int I = 0; I < 4; ++I)
    pthread_create(&Threads[I], NULL, storm, NULL);
  for (int I = 0; I < 4; ++I)
    pthread_join(Threads[I], NULL);
  if (Count < 2)
    printf("born=%d ran=%d inner=%d tick=%d\n", 16 * Rounds, 8 * Rounds,
           4 * Rounds, 1600 * Rounds);
  return 0;
}
