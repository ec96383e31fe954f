// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc, clang
// What was counted is in the profile however the process ends.
//
// RUN: %exact %s -o %t --builds gcc:pie,clang:no-pie,clang:static,gcc:static-pie \
// RUN:   --args 0 --args 1 --args 2 --args 3 --args 4 --args 5 --args 6 --args 7 \
// RUN:   --expect unit=8000 late=2

#include "units.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

UNIT(unit, 1)
UNIT(late, 2)

int main(int Count, char **Arguments) {
  atexit(late);
  for (int I = 0; I < 1000; ++I)
    unit();
  switch (atoi(Arguments[1])) {
  case 0:
    return 0;
  case 1:
    exit(1);
  case 2:
    _exit(2);
  case 3:
    syscall(SYS_exit_group, 3);
  case 4:
    abort();
  case 5:
    return *(volatile int *)8;
  case 6:
    raise(SIGTERM);
  default:
    kill(getpid(), SIGKILL);
  }
}
