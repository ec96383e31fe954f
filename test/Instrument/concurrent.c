// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc, clang
// Fifty processes at once, twenty times, that end in different ways: exact, and
// there are no more slots than processes and threads that were alive together.
//
// RUN: rm -f %t.gprofile
// RUN: gcc -O2 -w -I %S/Inputs %s -Wl,--emit-relocs -o %t.plain
// RUN: graupel-bolt %t.plain -instrument -o %t
// RUN: %python %S/Inputs/run-fifty.py %t
// RUN: %counts %t.gprofile main=1000 unit=1000000 indirect=1000000

#include "units.h"
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

UNIT(unit, 1)
UNIT(indirect, 2)

static void (*volatile Pointer)(void) = indirect;

int main(int Count, char **Arguments) {
  for (int I = 0; I < 1000; ++I) {
    unit();
    Pointer();
    if (I % 250 == 0)
      sched_yield();
  }
  switch (atoi(Arguments[1])) {
  case 1:
    _exit(0);
  case 2:
    abort();
  case 3:
    execl("/bin/true", "true", NULL);
    return 1;
  default:
    return 0;
  }
}
