// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without relocations each function is written over itself. One that gets too
// long for that stays what it was, so nobody may call parts that only its hot
// version has. Hot versions and whole callees are right.
//
// REQUIRES: x86_64, g++
// RUN: g++ -Os %s -o %t && %t > %t.before
// RUN: g++ -Os %s -Wl,--emit-relocs -o %t.with
// RUN: graupel-bolt %t.with -o %t.i -instrument -instrumentation-file=%t.gprofile && %t.i > /dev/null
// RUN: graupel-bolt %t -o %t.o -hco -hco-growth=1000 -data=%t.gprofile -ignore-build-id -verify
// RUN: %t.o | diff %t.before -
// RUN: graupel-bolt %t -o %t.o -hco -hco-growth=1000 -hco-random=1 -print-hot-cold -verify | FileCheck %s
// CHECK: hot version of
// RUN: %t.o | diff %t.before -
// RUN: graupel-bolt %t -o %t.o -hco -hco-growth=1000 -hco-invert -data=%t.gprofile -ignore-build-id -verify
// RUN: %t.o | diff %t.before -
#include <cstdio>
#include <string>
#include <variant>

#define NOINLINE __attribute__((noinline, noclone))

NOINLINE static long rare(long X) { return X * 3 - 1; }

NOINLINE static long often(long X) {
  long A = X * 7;
  if (X % 50 == 0)
    A += rare(A) + rare(X);
  return A + X;
}

NOINLINE static long small(long X) { return X ^ 5; }

int main() {
  long Sum = 0;
  for (int I = 1; I < 1500; ++I) {
    std::variant<int, std::string> V;
    if (I % 40 == 0)
      V = std::string("q");
    try {
      Sum += std::get<int>(V) + often(I) + small(I);
    } catch (std::bad_variant_access &E) {
      Sum += E.what()[0];
    }
  }
  std::printf("%ld\n", Sum);
  return 0;
}
