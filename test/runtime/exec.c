// REQUIRES: x86_64, gcc
// A process that becomes the same program again takes its own slot over.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.prog
// RUN: %t.prog 20 && %profile %t.prog.profile --slots | FileCheck %s
// RUN: rm %t.prog.profile
// RUN: setarch -R %t.prog 20 && %profile %t.prog.profile --slots | FileCheck %s
// RUN: %runtime-build %s -o %t.gs --threads
// RUN: %t.gs 20 && %profile %t.gs.profile --slots | FileCheck %s
// CHECK:      counter 0 20
// CHECK-NEXT: slots 1

#include "image.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int Count, char **Arguments) {
  COUNT(0);
  int Left = atoi(Arguments[1]) - 1;
  if (Left == 0)
    return 0;
  char Number[12];
  snprintf(Number, sizeof(Number), "%d", Left);
  execl("/proc/self/exe", Arguments[0], Number, NULL);
  return 1;
}
