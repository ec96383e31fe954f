// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A large frame is probed page by page in a loop, during which the caller's
// frame is known by another register. What is cold begins behind the loop, and
// an exception passes through.
//
// REQUIRES: x86_64, g++
// RUN: g++ -O2 -fstack-clash-protection %s -o %t.exe -Wl,--emit-relocs
// RUN: %t.exe > %t.before
// RUN: rm -f %t.gprofile
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -verify
// RUN: %t.i | diff %t.before -
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile -layout=spike -verify
// RUN: %t.o | diff %t.before -
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile -cold-share=1 -verify
// RUN: %t.o | diff %t.before -
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile -split-functions -split-strategy=all -verify
// RUN: %t.o | diff %t.before -
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile -verify
// RUN: %t.o | diff %t.before -

#include <cstdio>

__attribute__((noipa)) void fill(char *Room, int I) {
  Room[I] = I;
  if (I == 3)
    throw I;
}

__attribute__((noipa)) int probed(int I) {
  char Room[400000];
  fill(Room, I);
  return Room[I];
}

// So much is executed here that calls of probed() are rare.
__attribute__((noipa)) unsigned busy(unsigned X) {
  for (int I = 0; I < 300; ++I)
    X = X * 31 + I;
  return X;
}

int main(int Count, char **) {
  unsigned X = Count;
  for (int I = 0; I < 30; ++I)
    X = busy(X);
  for (int I = 0; I < 5; ++I)
    try {
      printf("%d\n", probed(I));
    } catch (int Thrown) {
      printf("caught %d\n", Thrown);
    }
  printf("%u\n", X);
}
