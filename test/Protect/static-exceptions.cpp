// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What GCC links with -static has no index of its unwind records: its startup code
// registers them. It has to register those that BOLT wrote.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --layouts basic --must-split 0 --scrambles 0 --flags="-O2 -static" --flags="-O2 -static-pie"
// RUN: g++ -O2 -static -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -verify && %t.o
//
// Both functions that know the records are needed.
// RUN: mkdir -p %t.refused
// RUN: %refuse graupel-bolt %t.exe -o %t.refused/o -skip-funcs='frame_dummy.*' | FileCheck %s
// RUN: %refuse graupel-bolt %t.exe -o %t.refused/o -skip-funcs='frame_dummy.*,__do_global_dtors_aux.*' | FileCheck %s
// CHECK: registers .eh_frame in code that cannot be changed; link with -Wl,--eh-frame-hdr or -static-pie
//
// llvm-bolt breaks it; -verify sees that.
// RUN: not graupel-bolt %t.exe -o %t.o -stock-pipeline -verify 2>&1 | FileCheck %s --check-prefix=STOCK
// STOCK: nobody registers .eh_frame
//
// With an index nothing depends on that.
// RUN: g++ -O2 -static -Wl,--emit-relocs -Wl,--eh-frame-hdr %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -skip-funcs='frame_dummy.*' -verify && %t.o
#include <cstdio>

__attribute__((noinline)) void thrower(int N) {
  if (N > 0)
    throw N;
}

int main(int Argc, char **) {
  try {
    thrower(Argc);
  } catch (int N) {
    printf("caught %d\n", N);
    return 0;
  }
  return 1;
}
