// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that cannot be instrumented, beside one that can.

#include "units.h"
#include <stdio.h>

UNIT(skipped, 1)
UNIT(unit, 2)

/// Jumps to where it computes.
KEPT int compute(int I, unsigned long Distance) {
  asm volatile("leaq 1f(%%rip), %%rax\n\t"
               "addq %2, %%rax\n\t"
               "jmp *%%rax\n"
               "1: addl $1, %0"
               : "=r"(I)
               : "0"(I), "r"(Distance)
               : "rax", "cc");
  return I;
}

int main(void) {
  for (int I = 0; I < 10; ++I)
    skipped();
  for (int I = 0; I < 10; ++I)
    unit();
  printf("%d\n", compute(3, 0));
  return 0;
}
