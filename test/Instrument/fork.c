// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc, clang
// Children count for themselves, once, however they come to be.
//
// RUN: %exact %s -o %t --builds gcc:pie,clang:no-pie,clang:static,gcc:static-pie \
// RUN:   --expect before=1 child=1210 parent=121 main=13 spawned=11 executed=1 grandchild=10 shared=5

#include "units.h"
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

UNIT(before, 1)
UNIT(child, 2)
UNIT(parent, 3)
UNIT(spawned, 4)
UNIT(executed, 5)
UNIT(grandchild, 6)
UNIT(shared, 7)

extern char **environ;

static void check(pid_t Child) {
  int Status;
  if (Child < 0 || waitpid(Child, &Status, 0) != Child || Status)
    abort();
}

// 1 + 3 + 9 + 27 + 81 processes.
static void tree(int Depth) {
  pid_t Children[3];
  for (int I = 0; Depth < 4 && I < 3; ++I)
    if ((Children[I] = fork()) == 0) {
      tree(Depth + 1);
      _exit(0);
    }
  for (int I = 0; I < 10; ++I)
    child();
  parent();
  for (int I = 0; Depth < 4 && I < 3; ++I)
    check(Children[I]);
}

/// The parent of the process that counts is gone.
static void detach(void) {
  int Ends[2];
  char End;
  if (pipe(Ends))
    abort();
  pid_t Child = fork();
  if (Child == 0) {
    if (fork() == 0)
      for (int I = 0; I < 10; ++I)
        grandchild();
    _exit(0);
  }
  check(Child);
  close(Ends[1]);
  if (read(Ends[0], &End, 1))
    abort();
}

static void spawnAll(char *Self) {
  char *Command[] = {Self, "spawned", NULL};
  for (int I = 0; I < 5; ++I) {
    pid_t Spawned;
    if (posix_spawn(&Spawned, Self, NULL, NULL, Command, environ))
      abort();
    check(Spawned);
    pid_t Child = vfork();
    if (Child == 0) {
      shared();
      execv(Self, Command);
      _exit(1);
    }
    check(Child);
  }
  char Line[4200];
  snprintf(Line, sizeof(Line), "'%s' spawned", Self);
  if (system(Line))
    abort();
}

int main(int Count, char **Arguments) {
  if (Count > 1 && !strcmp(Arguments[1], "spawned")) {
    spawned();
    return 0;
  }
  if (Count > 1) {
    executed();
    return 0;
  }
  before();
  tree(0);
  detach();
  spawnAll(Arguments[0]);
  execl(Arguments[0], Arguments[0], "executed", NULL);
  return 1;
}
