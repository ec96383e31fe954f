// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// Runs accumulate, in all kinds of programs, and descriptors stay as they were.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.pie
// RUN: %t.pie && %profile %t.pie.profile --slots | FileCheck %s -check-prefix ONE
// RUN: %t.pie && %profile %t.pie.profile --slots | FileCheck %s -check-prefix TWO
// RUN: %runtime-build %s -o %t.nopie -- -no-pie
// RUN: %t.nopie && %t.nopie && %profile %t.nopie.profile --slots | FileCheck %s -check-prefix TWO
// RUN: %runtime-build %s -o %t.static -- -static
// RUN: %t.static && %t.static && %profile %t.static.profile --slots | FileCheck %s -check-prefix TWO
// RUN: %runtime-build %s -o %t.staticpie -- -static-pie
// RUN: %t.staticpie && %t.staticpie && %profile %t.staticpie.profile --slots | FileCheck %s -check-prefix TWO
// RUN: %runtime-build %s -o %t.gs --threads
// RUN: %t.gs && %t.gs && %profile %t.gs.profile --slots | FileCheck %s -check-prefix TWO
// RUN: %runtime-build %s -o %t.pid --append-pid
// RUN: %t.pid > %t.number
// RUN: sh -c '%profile %t.pid.profile.$(cat %t.number) --slots' | FileCheck %s -check-prefix ONE
//
// ONE:      counter 0 1000
// ONE-NEXT: counter 999 1
// ONE-NEXT: slots 1
// TWO:      counter 0 2000
// TWO-NEXT: counter 999 2
// TWO-NEXT: slots 1

#include "image.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  for (int I = 0; I < 1000; ++I)
    COUNT(0);
  COUNT(999);
  printf("%d\n", (int)getpid());
  int FD = open("/dev/null", O_RDONLY);
  int Other = dup(0);
  return FD + 1 == Other ? 0 : 1;
}
