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
// Functions that stay know the records, too.
// RUN: graupel-bolt %t.exe -o %t.o -skip-funcs='frame_dummy.*' -verify && %t.o
// RUN: graupel-bolt %t.exe -o %t.o -skip-funcs='frame_dummy.*,__do_global_dtors_aux.*' -verify && %t.o
// A program that was killed does not deregister them.
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
// RUN: not --crash %t.i killed
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile -verify && %t.o
// Without relocations functions keep their addresses, which old records describe.
// RUN: g++ -O2 -static %s -o %t.plain
// RUN: mkdir -p %t.refused
// RUN: %refuse graupel-bolt %t.plain -o %t.refused/o | FileCheck %s
// CHECK: registers .eh_frame, which cannot be replaced without relocations; link with -Wl,--emit-relocs or -static-pie
// Without symbols only the bytes of the startup code tell.
// RUN: strip %t.plain
// RUN: %refuse graupel-bolt %t.plain -o %t.refused/o -allow-stripped | FileCheck %s
// An index is of no use: registered records are searched first.
// RUN: g++ -O2 -static -Wl,--eh-frame-hdr %s -o %t.plain
// RUN: %refuse graupel-bolt %t.plain -o %t.refused/o | FileCheck %s
// RUN: not graupel-bolt %t.plain -o %t.o -stock-pipeline -verify 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: the program registers the old .eh_frame, which describes
//
// llvm-bolt breaks it; -verify sees that.
// RUN: not graupel-bolt %t.exe -o %t.o -stock-pipeline -verify 2>&1 | FileCheck %s --check-prefix=STOCK
// STOCK: nobody registers .eh_frame
//
// With an index nothing depends on that.
// RUN: g++ -O2 -static -Wl,--emit-relocs -Wl,--eh-frame-hdr %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -skip-funcs='frame_dummy.*' -verify && %t.o
#include <cstdio>
#include <cstdlib>

__attribute__((noinline)) void thrower(int N) {
  if (N > 0)
    throw N;
}

int main(int Argc, char **) {
  if (Argc == 2)
    abort();
  try {
    thrower(Argc);
  } catch (int N) {
    printf("caught %d\n", N);
    return 0;
  }
  return 1;
}
