// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An exception must not pass through a function that promises to let none out:
// the table of such a function has no entries, and BOLT drops it. The same holds
// for the cold part of a function all of whose landing pads stay in the hot one,
// and for two functions that differ in nothing but that promise.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --must-split 0 --train "0" --test "0" --test "1" --test "2" --test "3" --test "4" --flags="-O1 -fPIE -pie" --flags="-O2 -fPIE -pie" --flags="-O2 -fno-pie -no-pie"
//
// RUN: g++ -O1 -fPIE -pie -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -icf=all | FileCheck %s
// CHECK-NOT: left as
// RUN: %python %tools/exit-code.py 7 %t.o 1
// RUN: %python %tools/exit-code.py 8 %t.o 3
#include <cstdio>
#include <cstdlib>
#include <exception>

#define NOINLINE __attribute__((noinline))

NOINLINE void thrower(int Which) {
  if (Which)
    throw Which;
}

NOINLINE long plain(int Which) noexcept {
  thrower(Which);
  return 1;
}

// The same, but lets exceptions out.
NOINLINE long letsOut(int Which) {
  thrower(Which);
  return 1;
}

struct Noise {
  ~Noise() { printf("noise\n"); }
};

// Has entries for some calls and promises for the others.
NOINLINE int partly(int Which, int Times) noexcept {
  try {
    thrower(Which == 4 ? 0 : Which);
  } catch (int X) {
    return X;
  }
  for (int I = 0; I < Times; ++I)
    if (Which == 4) {
      Noise Here;
      printf("rare\n");
      thrower(Which);
    }
  return Times;
}

int main(int Argc, char **Argv) {
  const int Which = atoi(Argv[1]);
  std::set_terminate([] { std::_Exit((fflush(stdout), 7)); });
  for (int I = 0; I < 100; ++I)
    thrower(plain(0) - 1 + letsOut(0) - 1);
  printf("%d\n", partly(Which == 4 ? 4 : 0, 2));
  try {
    if (Which == 1)
      plain(1);
    if (Which == 2)
      printf("%d\n", partly(2, 1));
    if (Which == 3)
      letsOut(3);
  } catch (int X) {
    printf("caught %d\n", X);
    return X + 5;
  }
  return 0;
}
