// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A switch is copied into the hot version, with a table of its own in which rare
// cases lead to stubs. Each frequent case of an interpreter jumps on by itself.
//
// REQUIRES: x86_64, gcc
// RUN: %hot-program %s %t "300 0" "60 7" "40 1" -flags=-fno-shrink-wrap | FileCheck %s
// CHECK-LABEL: hot version of pick
// CHECK-NOT: pushq
// CHECK: jmpq *%r
// CHECK: stub
// CHECK: pushq %rbx
// RUN: llvm-objdump -d --no-show-raw-insn --disassemble-symbols=run %t.o | FileCheck %s --check-prefix=CODE
// CODE-COUNT-3: jmpq *%r
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noipa))

long Rare;
NOINLINE long note(long X, long Y) {
  Rare += X;
  // A register that callers leave alone is none that they lack. One that is set
  // and not read again might be a result.
  __asm__ volatile("xorl %%r8d, %%r8d\n xorl %%r9d, %%r9d\n xorl %%ecx, %%ecx\n"
                   "xorl %%r10d, %%r10d\n xorl %%r11d, %%r11d\n"
                   "testl %%r8d, %%r9d\n testl %%r10d, %%r11d\n testl %%ecx, %%ecx"
                   :
                   :
                   : "rcx", "r8", "r9", "r10", "r11");
  return X / ((Y & 7) + 1) + Y; // Writes RDX, where tables were.
}

NOINLINE long run(const unsigned char *Code, long X, long *Stack) {
  long Sum = X;
  for (;;) {
    switch (*Code++) {
    case 0:
      return Sum;
    case 1:
      Sum += 3;
      break;
    case 2:
      Sum ^= X;
      break;
    case 3:
      *Stack++ = Sum;
      break;
    case 4:
      Sum -= *--Stack;
      break;
    case 5:
      Sum = note(Sum, X) + note(X, Sum);
      break;
    case 6:
      X = note(X, 4);
      break;
    case 7:
      Sum = Sum << 1 | X >> 62;
      break;
    default:
      return note(Sum, X) + note(Sum, 7);
    }
  }
}

NOINLINE long pick(long What, long X, long Y) {
  switch (What) {
  case 0:
    return X * 3;
  case 1:
    return X + Y + 1;
  case 2:
    return note(X, Y) + note(Y, X) + X;
  case 3:
    return X - Y * 5;
  case 4:
    return X ^ Y;
  case 5:
    return note(labs(X), Y) + labs(Y) + X;
  case 6:
    return X | 77;
  default:
    return labs(X) + note(Y, 9) + X + Y;
  }
}

int main(int Argc, char **Argv) {
  static const unsigned char Usual[] = {1, 2, 3, 7, 1, 4, 2, 1, 3, 2, 4, 7, 1, 0},
                             Strange[] = {1, 5, 3, 6, 2, 4, 5, 7, 9};
  const long Times = atol(Argv[1]), Every = atol(Argv[2]);
  long Sum = 0, Stack[8];
  for (long I = 1; I <= Times; ++I) {
    static const char Frequent[] = {0, 1, 3, 4, 6};
    const long IsRare = Every && I % Every == 0;
    Sum = Sum * 31 + run(IsRare ? Strange : Usual, I, Stack);
    Sum += note(I, 1);
    Sum += pick(IsRare ? I % 9 : Frequent[I % 5], I, Sum);
  }
  printf("%ld %ld\n", Sum, Rare);
}
