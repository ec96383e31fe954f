// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without relocations a function can have two parts. An option that makes more of
// them is refused; with relocations it works.
//
// REQUIRES: x86_64, gcc
// RUN: g++ -O2 %s -o %t && rm -f %t.o
// RUN: not graupel-bolt %t -o %t.o -split-functions -split-strategy=all 2>&1 | FileCheck %s
// CHECK: graupel-bolt: error: {{.*}} was split into more than two parts, for which there is no place without relocations; leave out -split-strategy, or link with -Wl,--emit-relocs
// RUN: not ls %t.o
// RUN: graupel-bolt %t -o %t.o -split-functions -split-strategy=profile2 -verify
// RUN: %t.o
// RUN: g++ -O2 %s -Wl,--emit-relocs -o %t
// RUN: graupel-bolt %t -o %t.o -split-functions -split-strategy=all -verify
// RUN: %t.o
#include <cstdio>
#include <stdexcept>

__attribute__((noinline)) int step(int X) {
  if (X > 3)
    throw std::runtime_error("far");
  return X + 1;
}

int main(int Argc, char **) {
  int Sum = 0;
  for (int I = 0; I < 6; ++I)
    try {
      Sum += step(I + Argc - 1);
    } catch (const std::exception &) {
      Sum += 100;
    }
  return Sum != 210;
}
