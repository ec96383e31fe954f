// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The personality routine of a program at a fixed address is a stub of the PLT,
// which mold gives a symbol of its own, NAME$plt. It is known nevertheless, and
// landing pads are split off.
//
// REQUIRES: x86_64, clang, mold
// RUN: clang++ -O1 -fno-pie -no-pie -B%mold %s -Wl,--emit-relocs -o %t.exe
// RUN: llvm-nm %t.exe | FileCheck %s --check-prefix NAME
// NAME: __gxx_personality_v0$plt
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -verify
// RUN: %t.i 9
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile -verify "-print-only=.*work.*" -print-finalized | FileCheck %s
// CHECK: HOT-COLD SPLIT POINT
// CHECK: Landing Pad
// RUN: %t.o 9
// RUN: %t.o 90
#include <cstdlib>

__attribute__((noinline)) int check(int N) {
  if (N > 50)
    throw N;
  return N;
}

__attribute__((noinline)) int work(int N) {
  try {
    return check(N) + 1;
  } catch (int X) {
    return X - N;
  }
}

int main(int Argc, char **Argv) {
  const int N = atoi(Argv[1]);
  return work(N) != (N > 50 ? 0 : N + 1);
}
