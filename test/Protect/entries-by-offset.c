// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A routine with several entries, which are chosen by their distances from its
// beginning: what compilers make of that adds to an address in the GOT, too.
//
// REQUIRES: x86_64, gcc
// DEFINE: %{how} =
// DEFINE: %{test} = gcc -O2 %{how} %s -Wl,--emit-relocs -o %t && %t && rm -f %t.gprofile \
// DEFINE:   && graupel-bolt %t -o %t.i -instrument -print-protected -instrumentation-file=%t.gprofile -verify | FileCheck %s && %t.i \
// DEFINE:   && graupel-bolt %t -o %t.o -data=%t.gprofile -verify && %t.o
// RUN: %{test}
// REDEFINE: %{how} = -no-pie -fno-pie
// RUN: %{test}
// REDEFINE: %{how} = -DLOADED
// RUN: %{test}
// CHECK: element of an array of code
//
// Without relocations the first bytes of such a routine are no place for a jump.
// REDEFINE: %{test} = gcc -O2 -s %{how} %s -o %t && %t && rm -f %t.gprofile \
// REDEFINE:   && graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile -verify && %t.i \
// REDEFINE:   && graupel-bolt %t -o %t.o -data=%t.gprofile -copies=always -verify && %t.o
// REDEFINE: %{how} = -fPIE -pie
// RUN: %{test}
// REDEFINE: %{how} = -no-pie -fno-pie
// RUN: %{test}
long shifted(long X);
asm(".text\n.p2align 4\n.globl shifted\n.type shifted, @function\n"
    "shifted: .cfi_startproc\n"
    "third: shl $1, %rdi\nsecond: shl $1, %rdi\nfirst: lea 1(%rdi), %rax\n"
    "ret\n.cfi_endproc\n.size shifted, . - shifted\n"
    ".section .rodata\n.globl Offsets\n"
    "Offsets: .short first - shifted, second - shifted, third - shifted\n.text");
extern const unsigned short Offsets[];

__attribute__((noinline)) long call(int Number, long X) {
  char *Begin = (char *)shifted;
#ifdef LOADED
  asm("" : "+r"(Begin));
#endif
  return ((long (*)(long))(Begin + Offsets[Number]))(X);
}

int main(void) {
  long Sum = 0;
  for (int I = 0; I < 3000; ++I)
    Sum += call(I % 3, I);
  return Sum != 3000 + 1498500 + 2 * 1499500 + 4 * 1500500;
}
