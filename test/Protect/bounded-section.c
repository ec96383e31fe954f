// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program asks whether functions are between __start_NAME and __stop_NAME, which
// linkers define around a section with a C name. They have to stay there, and both
// symbols where they are.
//
// REQUIRES: x86_64, gcc
// DEFINE: %{flags} =
// DEFINE: %{more} =
// DEFINE: %{check} = gcc -O2 %{flags} %s -o %t.exe && %t.exe && graupel-bolt %t.exe -o %t.o -print-protected -verify %{more} > %t.said && %t.o
// DEFINE: %{protected} = FileCheck %s --check-prefixes=CHECK,SECOND < %t.said
// CHECK-DAG: first left as it is: the program asks where its section begins or ends
// SECOND-DAG: second left as it is: the program asks where its section begins or ends
//
// REDEFINE: %{flags} = -Wl,--emit-relocs
// RUN: %{check} && %{protected}
// REDEFINE: %{more} = -stress-layout=5
// RUN: %{check} && %{protected}
// REDEFINE: %{flags} = -Wl,--emit-relocs -no-pie
// RUN: %{check} && %{protected}
// REDEFINE: %{flags} = -Wl,--emit-relocs -fuse-ld=lld
// RUN: %{check} && %{protected}
//
// A counter in such a function would make it move.
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile && %t.i
//
// Without relocations functions keep their places, but their parts do not.
// REDEFINE: %{more} =
// REDEFINE: %{flags} =
// RUN: %{check} && %{protected}
// RUN: strip %t.exe -o %t.stripped
// RUN: graupel-bolt %t.stripped -o %t.o -allow-stripped -print-protected | FileCheck %s --check-prefix=STRIPPED
// RUN: %t.o
// STRIPPED: 2 are in sections whose bounds the program asks for
//
// Who does not ask does not care.
// RUN: gcc -O2 -DNOBODY_ASKS -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s --check-prefix=MOVED && %t.o
// MOVED-NOT: first left as it is
//
// Two labels of assembly, or of a linker script, are a range, too.
// REDEFINE: %{flags} = -DLABELS -fno-toplevel-reorder -Wl,--emit-relocs
// RUN: %{check} && %{protected}
// REDEFINE: %{more} = -stress-layout=5
// RUN: %{check} && %{protected}
// REDEFINE: %{flags} = -DLABELS -fno-toplevel-reorder -Wl,--emit-relocs -no-pie
// RUN: %{check} && %{protected}
#include <stdio.h>

#ifdef LABELS
#define AREA __attribute__((section(".text.area"), noinline))
extern char area_begin[], area_end[];
#define BEGIN area_begin
#define END area_end
#else
#define AREA __attribute__((section("area"), noinline))
extern char __start_area[], __stop_area[];
#define BEGIN __start_area
#define END __stop_area
#endif

#ifdef LABELS
__asm__(".section .text.area, \"ax\", @progbits\n"
        ".globl area_begin\narea_begin:\n.text\n");
#endif
AREA int first(int X) { return X % 7 ? X + 1 : X * 3; }
AREA int second(int X) {
  int Sum = 0;
  for (int I = 0; I < X; ++I)
    Sum += first(I) ^ I;
  return Sum;
}
#ifdef LABELS
__asm__(".section .text.area, \"ax\", @progbits\n"
        ".globl area_end\narea_end:\n.text\n");
#endif
int other(int X) { return X ? second(X) : 0; }

int (*volatile Table[])(int) = {first, second, other};

static int isInside(void *P) {
#ifdef NOBODY_ASKS
  return P == (void *)first || P == (void *)second;
#else
  return (char *)P >= BEGIN && (char *)P < END;
#endif
}

int main(void) {
#ifndef NOBODY_ASKS
  if (END <= BEGIN)
    return 1;
#endif
  const int Expected[] = {1, 1, 0};
  const int Results[] = {21, 129, 129};
  for (int I = 0; I < 3; ++I)
    if (isInside((void *)Table[I]) != Expected[I] ||
        Table[I](20) != Results[I])
      return 2 + I;
  return 0;
}
