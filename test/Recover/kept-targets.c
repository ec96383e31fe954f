// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target of an indirect tail call that is kept across calls, moved from register to
// register, or returned. Data knows no place in these functions, so the jump leaves.
//
// REQUIRES: x86_64, gcc, clang
// RUN: %differential %s --out %t --compilers gcc,clang --train "5" --test "5" --test "60" --flags="-O2 -fPIE -pie" --flags="-O2 -fno-pie -no-pie" --flags="-Os -fPIE -pie"
// RUN: gcc -O2 %s -Wl,--emit-relocs -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -v=1 -verify | FileCheck %s --implicit-check-not="its control flow is not known"
// CHECK: understood the indirect jumps of {{[0-9]+}} more functions
// RUN: graupel-bolt %t.exe -o %t.off -v=1 -recover-branches=false | FileCheck %s --check-prefix=OFF
// OFF: leaf (its control flow is not known)
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
struct Object {
  struct Object *First, *Second;
  long Value;
};
typedef long (*Visitor)(struct Object *, long);

NOINLINE long traverse(struct Object *O, Visitor Visit, long By) {
  if (O->First) {
    long Result = Visit(O->First, By);
    if (Result)
      return Result;
  }
  if (!O->Second)
    return 0;
  return Visit(O->Second, By);
}

// No frame: nothing else tells a tail call from a switch.
NOINLINE long leaf(struct Object *O, Visitor Visit, long By) {
  if (O->First)
    return Visit(O->First, By);
  return 0;
}

NOINLINE long reordered(Visitor Visit, long By, struct Object *O) {
  if (!O->Value) {
    puts("empty");
    return 1;
  }
  return Visit(O->Second, By);
}

NOINLINE long add(struct Object *O, long By) {
  O->Value += By;
  return O->Value % 5 == 0;
}
NOINLINE long multiply(struct Object *O, long By) {
  O->Value = O->Value * By % 1009;
  return 0;
}
NOINLINE Visitor choose(long I) { return I & 1 ? add : multiply; }
NOINLINE long chosen(struct Object *O, long I) {
  if (O->Value == 17)
    puts("17");
  return choose(I)(O, I);
}

int main(int Argc, char **Argv) {
  struct Object A = {0, 0, 3}, B = {0, 0, 4}, O = {&A, &B, 5};
  long Sum = 0;
  for (long I = 0; I < atol(Argv[1]); ++I) {
    Sum = Sum * 31 + traverse(&O, choose(I), I + 2);
    Sum = Sum * 31 + reordered(choose(I / 2), I + 3, &O);
    Sum = Sum * 31 + leaf(&O, choose(I / 3), I);
    Sum = Sum * 31 + chosen(&A, I);
    Sum %= 1000003;
  }
  printf("%ld %ld %ld\n", Sum, A.Value, B.Value);
  return 0;
}
