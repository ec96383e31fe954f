// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that stay, with data among their instructions: bytes that are no
// instruction, a constant, the beginning of a long instruction. Behind it they
// use addresses of functions, some of which the assembler filled in. BOLT does
// not write over these, so the functions stay.
//
// REQUIRES: x86_64, gcc
// DEFINE: %{data} =
// DEFINE: %{flags} =
// DEFINE: %{try} = \
// DEFINE:   gcc -O2 -mno-red-zone -Wl,--emit-relocs -D%{data} %{flags} %s -o %t.exe && \
// DEFINE:   %t.exe > %t.before && rm -f %t.gprofile && \
// DEFINE:   graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -print-protected | FileCheck %s && \
// DEFINE:   %t.i | diff %t.before - && \
// DEFINE:   graupel-bolt %t.exe -o %t.o -data=%t.gprofile -verify && \
// DEFINE:   %t.o | diff %t.before -
// CHECK-NOT: other left as it is
// CHECK: {{first|second|third}}{{.*}} left as it is: code that cannot be read holds its address
// CHECK-NOT: other left as it is
//
// REDEFINE: %{data} = INVALID
// RUN: %{try}
// REDEFINE: %{flags} = -ffunction-sections
// RUN: %{try}
// REDEFINE: %{flags} = -no-pie
// RUN: %{try}
// REDEFINE: %{flags} = -fno-pie -no-pie
// RUN: %{try}
// REDEFINE: %{flags} =
// REDEFINE: %{data} = CONSTANT
// RUN: %{try}
// REDEFINE: %{data} = LONG
// RUN: %{try}
// REDEFINE: %{flags} = -ffunction-sections
// RUN: %{try}

#include <stdio.h>

#if defined(INVALID)
#define DATA ".byte 0x0f, 0x3f, 0x07, 0x0b"
#elif defined(CONSTANT)
#define DATA ".quad 0x0606060606060606"
#else
#define DATA ".byte 0x48, 0xb8"
#endif

typedef unsigned Function(unsigned);
#define NOINLINE __attribute__((noinline, noclone))

NOINLINE static unsigned first(unsigned X) {
  for (int I = 0; I < 3; ++I)
    X = X * 33 + (X >> 5);
  return X;
}
NOINLINE static unsigned second(unsigned X) { return X * 7 + (X >> 5); }
NOINLINE unsigned third(unsigned X) { return X * 5 + (X >> 3); }
NOINLINE unsigned other(unsigned X) { return X + 9; }

Function *volatile Table[] = {first, second, third, other};

NOINLINE static int numberOf(Function *F) {
  // Behind the data is the operand.
  int Result = 0;
#define IS(NAME, NUMBER)                                                       \
  {                                                                            \
    Function *It;                                                              \
    __asm__("jmp 1f\n" DATA "\n1: lea " #NAME "(%%rip), %0" : "=r"(It));       \
    Result += It == F ? NUMBER : 0;                                            \
  }
  IS(first, 1)
  IS(second, 2)
  IS(third, 3)
  return Result;
}

int main() {
  unsigned Sum = 0;
  for (unsigned I = 0; I < 1000; ++I)
    Sum = Sum * 31 + Table[I & 3](I) + numberOf(Table[I & 3]);
  printf("%u\n", Sum);
  return 0;
}
