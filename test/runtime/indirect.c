// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// Counts of indirect targets are exact, and the stubs change r11 and flags only.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.plain
// RUN: %t.plain && %profile %t.plain.profile | FileCheck %s
// RUN: %runtime-build %s -o %t.gs --threads
// RUN: %t.gs && %profile %t.gs.profile | FileCheck %s
// RUN: %runtime-build %s -o %t.atomic --atomic
// RUN: %t.atomic && %profile %t.atomic.profile | FileCheck %s
// RUN: %runtime-build %s -o %t.static -- -static
// RUN: %t.static && %profile %t.static.profile | FileCheck %s
//
// The table has 256 places; site 3 has 300 targets, some of which find none.
// CHECK: site 0 1000
// CHECK-NEXT: site 1 3000 2000 1000
// CHECK-NEXT: site 2 5 1
// CHECK-NEXT: site 3 1 1
// CHECK: dropped
// RUN: %python %S/Inputs/profile.py %t.plain.profile > %t.sums
// RUN: %python -c "s=[l.split() for l in open(r'%t.sums')]; assert sum(int(n) for l in s if l[:2]==['site','3'] for n in l[2:]) + sum(int(l[1]) for l in s if l[0]=='dropped') == 300, s"
//
// A second run, whose code is elsewhere, has the same targets.
// RUN: %t.plain && %profile %t.plain.profile | FileCheck %s -check-prefix TWO
// TWO: site 0 2000
// TWO-NEXT: site 1 6000 4000 2000
// TWO-NEXT: site 2 10 2
//
// Without a profile nothing is counted and nothing breaks.
// RUN: env GRAUPEL_PROFILE=/nowhere/at/all %t.plain

#include "image.h"
#include <string.h>

struct Registers {
  uint64_t Values[14];
};

// Calls the stub with all registers known; returns what became of them.
__attribute__((naked)) void callStub(struct Registers *R, uint64_t Target) {
  asm("pushq %rbx; pushq %rbp; pushq %r12; pushq %r13; pushq %r14; pushq %r15\n"
      "pushq %rdi\n"
      "pushq %rsi\n"
      "movq %rdi, %r15\n"
      "movq 0(%r15), %rax; movq 8(%r15), %rbx; movq 16(%r15), %rcx\n"
      "movq 24(%r15), %rdx; movq 32(%r15), %rsi; movq 40(%r15), %rdi\n"
      "movq 48(%r15), %rbp; movq 56(%r15), %r8; movq 64(%r15), %r9\n"
      "movq 72(%r15), %r10; movq 80(%r15), %r12; movq 88(%r15), %r13\n"
      "movq 96(%r15), %r14; movq 104(%r15), %r15\n"
      "leaq image_sites+16*2(%rip), %r11\n"
      "callq " STUB "\n"
      "xchgq %r15, (%rsp)\n"
      "movq %rax, 0(%r15); movq %rbx, 8(%r15); movq %rcx, 16(%r15)\n"
      "movq %rdx, 24(%r15); movq %rsi, 32(%r15); movq %rdi, 40(%r15)\n"
      "movq %rbp, 48(%r15); movq %r8, 56(%r15); movq %r9, 64(%r15)\n"
      "movq %r10, 72(%r15); movq %r12, 80(%r15); movq %r13, 88(%r15)\n"
      "movq %r14, 96(%r15); popq 104(%r15)\n"
      "popq %r15; popq %r14; popq %r13; popq %r12; popq %rbp; popq %rbx\n"
      "ret");
}

static char Code[4000];

int main(void) {
  for (int I = 0; I < 1000; ++I)
    COUNT_TARGET(0, Code);
  for (int I = 0; I < 6000; ++I)
    COUNT_TARGET(1, Code + (I % 6 < 1 ? 1 : I % 6 < 3 ? 2 : 3));

  for (int I = 0; I < 6; ++I) {
    struct Registers Before, After;
    for (int N = 0; N < 14; ++N)
      Before.Values[N] = 0x1111111111111111 * (N + 1) + I;
    After = Before;
    callStub(&After, (uint64_t)(I == 3 ? main : callStub));
    if (memcmp(&Before, &After, sizeof(Before)))
      return 1;
  }

  for (int I = 0; I < 300; ++I)
    COUNT_TARGET(3, Code + 8 * I);
  return 0;
}
