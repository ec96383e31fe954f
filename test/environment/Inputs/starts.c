/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* starts PART COMMAND: counts, runs the first by its path and the second by its name. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned work(unsigned From) {
  unsigned Sum = 0;
  for (unsigned I = From; I < From + 1000; ++I)
    Sum += I % 7 == 3 ? I : Sum % 5;
  return Sum;
}

static void run(const char *Program) {
  if (fork() == 0) {
    execlp(Program, Program, (char *)NULL);
    _exit(127);
  }
  int Status;
  wait(&Status);
  if (Status)
    exit(1);
}

int main(int Argc, char **Argv) {
  printf("%u\n", work((unsigned)Argc));
  fflush(stdout);
  for (int I = 1; I < Argc; ++I)
    run(Argv[I]);
  return 0;
}
