// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gold leaves a nop and zeros at the beginning of a section, which are no data.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -fuse-ld=gold -ffunction-sections -Wl,-z,keep-text-section-prefix -Wl,--emit-relocs %s -o %t.exe
// RUN: rm -f %t.gprofile
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
// RUN: %t.i
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile -print-protected | FileCheck %s --implicit-check-not="left as"
// CHECK: BOLT-INFO
// RUN: %t.o

static int Numbers[100];
__attribute__((constructor)) static void start(void) { Numbers[3] = 9; }

int main(void) {
  unsigned Sum = 0;
  for (unsigned I = 0; I < 3000; ++I)
    Sum = Sum * 31 + Numbers[I % 100];
  return Sum == 0;
}
