// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Valgrind takes an exchange of a register with itself behind four rotations for
// a request, whose arguments %rax points to. For all others it does nothing, and
// %rax is dead.
//
// REQUIRES: x86_64
// RUN: clang -O2 %s -o %t.exe -Wl,--emit-relocs
// RUN: rm -f %t.gprofile
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
// RUN: %t.i > %t.before
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile -print-hot-cold -verify | FileCheck %s
// RUN: %t.o | diff %t.before -
// RUN: llvm-objdump -d --disassemble-symbols=asks,asksMore %t.o | FileCheck %s --check-prefix=CODE
// CHECK-NOT: hot version of asks
// CHECK: asks: unsupported: a request to valgrind
// CODE-COUNT-2: lea{{.*}}, %rax
#include <stdio.h>

static inline unsigned long request(unsigned long Number) {
  volatile unsigned long Arguments[6] = {Number, 0, 0, 0, 0, 0};
  unsigned long Answer = 0;
  __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi\n\t"
                   "rolq $61, %%rdi; rolq $51, %%rdi\n\t"
                   "xchgq %%rbx, %%rbx"
                   : "+d"(Answer)
                   : "a"(&Arguments[0])
                   : "cc", "memory");
  return Answer;
}

static volatile long Seen;
__attribute__((noinline)) static long rare(long X) { return Seen += X; }

__attribute__((noinline)) long asks(long A, long B, int I) {
  long X = A * B;
  if (__builtin_expect(request(0x1001) != 0, 0))
    X += rare(A) * 1000;
  return __builtin_expect(I == 1000, 0) ? rare(X) : X;
}

__attribute__((noinline)) long asksMore(long A) { return A + request(0x1002); }

int main() {
  long Sum = 0;
  for (int I = 0; I < 300; ++I)
    Sum = Sum * 3 + asks(I, I + 2, I) + asksMore(I);
  printf("%ld %ld\n", Sum, Seen);
}
