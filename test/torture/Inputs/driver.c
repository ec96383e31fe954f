/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs tests of a batch (program.py), each in a child process.
 *
 *     program CPU WALL NUMBER...
 *
 * A child may compute for CPU seconds and last for WALL. Behind what it wrote to
 * stdout and stderr stands a line "@@ NUMBER STATUS"; a status below 0 is a signal.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int Main(int, char **, char **);

#define TEST(N) extern Main main##N __asm__("main." #N);
#include "names.h"
#undef TEST

static const struct {
  int number;
  Main *main;
} tests[] = {
#define TEST(N) {N, main##N},
#include "names.h"
};

extern char **environ;

static void confine(int cpu, int wall) {
  struct rlimit limit = {cpu, cpu + 5};
  setrlimit(RLIMIT_CPU, &limit);
  alarm(wall);
}

static int run(Main *test, int cpu, int wall) {
  static char name[] = "program";
  char *arguments[] = {name, 0};
  int status;
  pid_t child = fork();
  if (child < 0)
    return 255;
  if (!child) {
    confine(cpu, wall);
    exit(test(1, arguments, environ));
  }
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int count, char **arguments) {
  for (int i = 3; i < count; ++i) {
    int number = atoi(arguments[i]);
    for (unsigned t = 0; t < sizeof tests / sizeof *tests; ++t) {
      if (tests[t].number != number)
        continue;
      int status = run(tests[t].main, atoi(arguments[1]), atoi(arguments[2]));
      dprintf(1, "\n@@ %d %d\n", number, status);
      dprintf(2, "\n@@ %d %d\n", number, status);
    }
  }
  return 0;
}
