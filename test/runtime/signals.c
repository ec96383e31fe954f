// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// Signal handlers count too, wherever they interrupt what the program counts.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.plain
// RUN: %t.plain && %profile %t.plain.profile > %t.sums
// RUN: %python %S/Inputs/same-sums.py %t.sums
// RUN: %runtime-build %s -o %t.gs --threads
// RUN: %t.gs && %profile %t.gs.profile > %t.sums
// RUN: %python %S/Inputs/same-sums.py %t.sums

#include "image.h"
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static char Code[64];
static volatile int Handled;

// Takes turns, so that the most frequent target changes all the time.
static void use(unsigned Turn) {
  COUNT(0);
  COUNT_TARGET(0, Code + Turn % 3);
}

static void handle(int Signal) {
  for (unsigned I = 0; I < 50; ++I)
    use(I + Handled);
  ++Handled;
  // As many servers do.
  if (Handled % 500 == 0 && vfork() == 0)
    _exit(0);
}

int main(void) {
  signal(SIGALRM, handle);
  struct itimerval Often = {{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &Often, 0);
  for (unsigned I = 0; Handled < 3000; ++I)
    use(I);
  return 0;
}
