// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spawn COUNT PROGRAM...: starts the program that often, one after the other.
// spawn COUNT --open LIBRARY: opens and closes the library that often.
// Prints a line for each: microseconds, and those of processor time.
//
#include <dlfcn.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double now(void) {
  struct timespec Time;
  clock_gettime(CLOCK_MONOTONIC, &Time);
  return (double)Time.tv_sec * 1e6 + (double)Time.tv_nsec / 1e3;
}

static double used(int Who) {
  struct rusage Used;
  getrusage(Who, &Used);
  return (double)(Used.ru_utime.tv_sec + Used.ru_stime.tv_sec) * 1e6 +
         (double)(Used.ru_utime.tv_usec + Used.ru_stime.tv_usec);
}

static int start(char **Words) {
  pid_t Child;
  int Status = 1;
  return posix_spawnp(&Child, Words[0], NULL, NULL, Words, environ) == 0 &&
         waitpid(Child, &Status, 0) == Child && Status == 0;
}

static int openOnce(const char *Path) {
  void *Library = dlopen(Path, RTLD_NOW);
  return Library && dlclose(Library) == 0;
}

int main(int Count, char **Words) {
  if (Count < 3) {
    fprintf(stderr, "spawn: COUNT PROGRAM... or COUNT --open LIBRARY\n");
    return 1;
  }
  const int Opens = Count == 4 && strcmp(Words[2], "--open") == 0;
  const int Who = Opens ? RUSAGE_SELF : RUSAGE_CHILDREN;
  for (int Left = atoi(Words[1]); Left > 0; --Left) {
    const double Before = used(Who), Began = now();
    if (!(Opens ? openOnce(Words[3]) : start(Words + 2))) {
      fprintf(stderr, "spawn: %s failed\n", Words[2 + Opens]);
      return 1;
    }
    const double Took = now() - Began;
    printf("%.1f %.0f\n", Took, used(Who) - Before);
  }
  return 0;
}
