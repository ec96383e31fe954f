// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// Processes that start and end at the same time count exactly, however they end.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.prog
// RUN: %python %S/Inputs/concurrent.py %t.prog
// RUN: %profile %t.prog.profile | FileCheck %s
// CHECK:      counter 0 250000
// CHECK-NEXT: counter 1 250

#include "image.h"
#include <stdlib.h>
#include <sched.h>
#include <unistd.h>

int main(int Count, char **Arguments) {
  for (int I = 0; I < 1000; ++I) {
    COUNT(0);
    if (I % 100 == 0)
      sched_yield();
  }
  COUNT(1);
  switch (Count > 1 ? atoi(Arguments[1]) : 0) {
  case 1:
    _exit(0);
  case 2:
    abort();
  case 3:
    execlp("true", "true", NULL);
    return 1;
  default:
    return 0;
  }
}
