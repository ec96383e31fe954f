// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions with data among their instructions stay, and not a byte of them may
// change. Read from the data on, they seem to hold operands that lead to
// functions that move: a call into the middle of one (CALL), and an absolute
// address where the linker put a distance (ADDRESS).
//
// REQUIRES: x86_64, gcc
// DEFINE: %{try} = \
// DEFINE:   %t.exe > %t.before && \
// DEFINE:   graupel-bolt %t.exe -o %t.o -verify -print-protected | FileCheck %s && \
// DEFINE:   %t.o | diff %t.before - && \
// DEFINE:   graupel-bolt %t.exe -o %t.i -verify -instrument -instrumentation-file=%t.gprofile && \
// DEFINE:   %t.i | diff %t.before - && \
// DEFINE:   graupel-bolt %t.exe -o %t.p -verify -data=%t.gprofile && \
// DEFINE:   %t.p | diff %t.before -
// CHECK: target left as it is: something that may be a jump or data leads into it
//
// RUN: gcc -O1 -DCALL %s -o %t.exe -Wl,--emit-relocs && rm -f %t.gprofile
// RUN: %{try}
// RUN: gcc -O1 -DADDRESS %s -o %t.exe -Wl,--emit-relocs && rm -f %t.gprofile
// RUN: %{try}
// RUN: gcc -O1 -DADDRESS %s -o %t.exe -Wl,--emit-relocs -no-pie && rm -f %t.gprofile
// RUN: %{try}

#include <stdio.h>

#ifdef CALL
__attribute__((noinline)) int holder(int x) {
  int r;
  // With the byte before it b8 01 00 00, of the movl, is a distance.
  asm volatile("jmp 8f; .byte 0xe8; 8: movl $1, %0" : "=a"(r));
  return r + x;
}
// 440 bytes behind it an instruction of one byte begins, wherever that is.
__attribute__((noinline)) int target(int x) {
  asm volatile(".rept 600; cltq; .endr" : "+a"(x));
  return x + 1;
}
#else
int target(int x) { return x * 3; }
__attribute__((noinline)) int holder(int x) {
  int (*p)(int);
  asm volatile("jmp 8f; .byte 0x48, 0xb8; 8: addl $1000, %1; leaq target(%%rip), %0"
               : "=c"(p), "+d"(x));
  return p(x);
}
#endif

int main() {
  printf("%d\n", holder(41));
  return target(-5) & 1 & 2;
}
