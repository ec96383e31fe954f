// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that begin with nops, or have some before them, for whoever writes
// calls over them when the program runs. The nops would go, and a call would
// be written over something else.
//
// REQUIRES: x86_64, gcc, clang
// RUN: %differential %s --out %t --must-split 0 --train "1" --test "1" --test "3" --flags="-O2 -fpatchable-function-entry=8,3" --flags="-O2 -no-pie -fpatchable-function-entry=6 -DNOPS=6"
// RUN: gcc -O2 -fpatchable-function-entry=8,3 -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s --check-prefix=NOPS
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile && %t.i 2
// NOPS: GRAUPEL-INFO: leaf left as it is: its instructions are there to be patched or probed
//
// Without relocations the words of the table say where they are.
// DEFINE: %{flags} =
// DEFINE: %{bare} = gcc -O2 -fpatchable-function-entry=8,3 %{flags} %s -o %t.exe && graupel-bolt %t.exe -o %t.o -verify -print-protected | FileCheck %s --check-prefix=NOPS && %t.exe 2 > %t.before && %t.o 2 | diff %t.before -
// RUN: %{bare}
// REDEFINE: %{flags} = -no-pie
// RUN: %{bare}
// REDEFINE: %{flags} = -Wl,-z,pack-relative-relocs
// RUN: %{bare}
//
// XRay's sleds are found by distances in a section of their own.
// RUN: clang -O2 -c -fxray-instrument -fxray-instruction-threshold=1 -DNOPS=0 %s -o %t.obj
// RUN: gcc -Wl,--emit-relocs %t.obj -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s --check-prefix=XRAY
// RUN: gcc %t.obj -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s --check-prefix=XRAY
// XRAY: GRAUPEL-INFO: leaf left as it is: its instructions are there to be patched or probed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef NOPS
#define NOPS 8
#endif

__attribute__((noinline)) int leaf(int X) { return X * 3 + 1; }

#if NOPS
extern const unsigned char *const __start___patchable_function_entries[];
extern const unsigned char *const __stop___patchable_function_entries[];

/// How many of the places hold nops.
static int numNops(void) {
  int N = 0;
  for (const unsigned char *const *Place = __start___patchable_function_entries;
       Place < __stop___patchable_function_entries; ++Place)
    N += !memcmp(*Place, "\x90\x90\x90\x90\x90\x90", NOPS == 8 ? 3 : NOPS);
  return N;
}
#else
static int numNops(void) { return 0; }
#endif

int main(int Argc, char **Argv) {
  for (int I = 0; I < atoi(Argv[1]); ++I)
    printf("%d\n", leaf(I));
  printf("%d\n", numNops());
  return 0;
}
