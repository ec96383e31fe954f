// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts that do not add up because functions are left by longjmp are nothing that
// another run would mend, and nobody is told to record the profile again.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 %s -Wl,--emit-relocs -o %t
// RUN: %t | FileCheck %s --check-prefix=RESULT
// RUN: graupel-bolt %t -o %t.counting -instrument -instrumentation-file=%t.profile
// RUN: %t.counting | FileCheck %s --check-prefix=RESULT
// RUN: graupel-bolt %t -o %t.faster -data=%t.profile -verify 2>&1 | FileCheck %s
// RUN: %t.faster | FileCheck %s --check-prefix=RESULT
// CHECK-NOT: record the profile again
// CHECK: warning: {{.*}}.profile: {{[0-9]+}} % of the counted branches do not add up, most of them in {{.*}}: longjmp or exceptions leave it between branches, and its layout may be poor
// RESULT: sum 0
#include <setjmp.h>
#include <stdio.h>
static jmp_buf Out;
static volatile int Sum;
__attribute__((noinline)) static void leave(int I) {
  if (I >= 0)
    longjmp(Out, 1);
}
__attribute__((noinline)) static void work(int I) {
  for (int K = 0; K < I; ++K) {
    if (Sum & 1)
      Sum += K;
    else
      Sum ^= K;
    leave(I);
    if (Sum & 2)
      Sum += 3 * K;
    else
      Sum ^= K + 7;
    if (Sum & 4)
      Sum += 5;
    if (Sum & 8)
      Sum += 9;
    if (Sum & 16)
      Sum += 11;
  }
}
int main(void) {
  for (volatile int I = 1; I < 20000; ++I)
    if (!setjmp(Out))
      work(I);
  printf("sum %d\n", Sum);
}
