// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's -fsanitize=kcfi puts a number for the type in front of each function
// and compares it before indirect calls. Nothing may be written over it, not
// even without relocations, where nops are written over padding.
//
// REQUIRES: x86_64, clang
// RUN: clang -O2 -fsanitize=kcfi -Wl,--emit-relocs %s -o %t.with
// RUN: graupel-bolt %t.with -o %t.with.o -verify && %t.with.o | FileCheck %s --check-prefix=OUTPUT
// RUN: clang -O2 -fsanitize=kcfi %s -o %t
// RUN: graupel-bolt %t -o %t.o -verify -print-protected | FileCheck %s
// RUN: %t.o | FileCheck %s --check-prefix=OUTPUT
// CHECK-DAG: GRAUPEL-INFO: __cfi_first left as it is
// CHECK-DAG: GRAUPEL-INFO: first left as it is: its instructions are there to be patched or probed
// OUTPUT: 100
//
// Nops may be between the two, with a label. Kernels are compiled so.
// RUN: clang -O2 -fsanitize=kcfi -fpatchable-function-entry=4,4 -Wl,--emit-relocs %s -o %t.nops
// RUN: graupel-bolt %t.nops -o %t.nops.o -verify -print-protected | FileCheck %s
// RUN: %t.nops.o | FileCheck %s --check-prefix=OUTPUT
// RUN: clang -O2 -fsanitize=kcfi -fpatchable-function-entry=20,16 -Wl,--emit-relocs %s -o %t.nops
// RUN: graupel-bolt %t.nops -o %t.nops.o -verify -instrument -instrumentation-file=%t.gprofile
// RUN: %t.nops.o | FileCheck %s --check-prefix=OUTPUT
// RUN: clang -O2 -fsanitize=kcfi -fpatchable-function-entry=4,4 %s -o %t.nops
// RUN: graupel-bolt %t.nops -o %t.nops.o -verify
// RUN: %t.nops.o | FileCheck %s --check-prefix=OUTPUT
//
// A number that is another is found.
// RUN: elf-verify %t %t.o
// RUN: %python -c "import sys; f = open(sys.argv[1], 'r+b'); d = f.read(); f.seek(d.index(bytes.fromhex('8d4701c3')) - 4); f.write(b'?')" %t.o
// RUN: not elf-verify %t %t.o 2>&1 | FileCheck %s --check-prefix=CHANGED
// CHANGED: the type before function first
#include <stdio.h>

int first(int X) { return X + 1; }
int second(int X) { return X * 3; }
int (*volatile Table[2])(int) = {first, second};

int main(void) {
  int Sum = 0;
  for (int I = 0; I < 10; ++I)
    Sum += Table[I & 1](I);
  printf("%d\n", Sum);
  return 0;
}
