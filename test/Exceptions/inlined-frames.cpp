// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What llvm-bolt's options inline has the frame of its caller, of which some is
// pushed in front of the call, or a frame of its own that its cold part needs,
// too. Exceptions pass through.
//
// REQUIRES: x86_64, g++
// RUN: clang++ -O2 %s -o %t.clang.exe -Wl,--emit-relocs
// RUN: g++ -O2 %s -o %t.gcc.exe -Wl,--emit-relocs
// RUN: %t.gcc.exe > %t.before
// RUN: graupel-bolt %t.clang.exe -o %t.o -inline-all -verify \
// RUN:   | FileCheck %s --check-prefix=INLINED
// RUN: %t.o | diff %t.before -
// RUN: graupel-bolt %t.clang.exe -o %t.o -inline-small-functions \
// RUN:   -inline-small-functions-bytes=200 -verify
// RUN: %t.o | diff %t.before -
// RUN: graupel-bolt %t.gcc.exe -o %t.o -inline-all -verify
// RUN: %t.o | diff %t.before -
// RUN: graupel-bolt %t.gcc.exe -o %t.o -inline-small-functions \
// RUN:   -inline-small-functions-bytes=200 -verify
// RUN: %t.o | diff %t.before -
// INLINED: {{[1-9][0-9]*}} functions were changed

#include <cstdio>

struct Record {
  long Size;
  int Number;
};

__attribute__((noinline)) void count(Record *R) {
  if (R->Number == 3)
    throw R->Number;
  R->Number++;
}

__attribute__((noinline)) void finish(Record *R) {
  if (R->Size)
    count(R); // The last thing it does: a jump.
}

__attribute__((noinline)) int use(Record *R) {
  int Sum = 7;
  finish(R);
  Sum += R->Number;
  return Sum;
}

int main() {
  Record R{1, 1};
  for (int I = 0; I < 4; ++I)
    try {
      std::printf("%d\n", use(&R));
    } catch (int Number) {
      std::printf("caught %d\n", Number);
    }
}
