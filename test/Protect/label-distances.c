// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distances of labels have no relocations. Beside a table of the same labels as
// pointers, the function jumps to a sum whose base is one of them, or another function
// makes the sums, and the jump looks whole. Both functions stay.
//
// REQUIRES: x86_64, gcc, clang
// RUN: %differential %s --out %t --compilers gcc,clang --train "3" --test "3" --test "60" --flags="-O2 -fPIE -pie" --flags="-O2 -fno-pie -no-pie" --flags="-O1 -fPIE -pie"
// RUN: gcc -O2 %s -Wl,--emit-relocs -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s
// RUN: graupel-bolt %t.exe -o %t.n -print-protected -layout=none | FileCheck %s
// RUN: %t.exe 60 > %t.expected && %t.n 60 | cmp - %t.expected
// CHECK-DAG: based{{.*}} left as it is: it may compute jumps from differences of labels
// CHECK-DAG: threaded{{.*}} left as it is: it may compute jumps from differences of labels
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
static const unsigned char Program[] = {0, 1, 0, 2, 3, 1, 0, 4, 5};

NOINLINE unsigned long based(unsigned N) {
  static void *const Pointers[] = {&&Add, &&Multiply, &&Less,
                                   &&Rare, &&Loop, &&Halt};
  static const int Distances[] = {&&Add - &&Add,  &&Multiply - &&Add,
                                  &&Less - &&Add, &&Rare - &&Add,
                                  &&Loop - &&Add, &&Halt - &&Add};
  unsigned long X = 1, Y = 7;
  const unsigned char *P = Program;
  const char *Base = Pointers[N == 0];
#define NEXT goto *(void *)(Base + Distances[*P++])
  NEXT;
Add:
  X += Y;
  Y = Y * 3 + 1;
  NEXT;
Multiply:
  X *= Y | 1;
  NEXT;
Less:
  X -= Y >> 2;
  NEXT;
Rare:
  if (X % 1000 == 999)
    printf("rare %lx\n", X++);
  NEXT;
Loop:
  if (--N)
    P = Program;
  NEXT;
Halt:
  return X;
}
#undef NEXT

struct Labels {
  const char *Base;
  const int *Distances;
  void *const *Pointers;
};

NOINLINE unsigned long threaded(void **Code, unsigned N, struct Labels *Told) {
  static void *const Pointers[] = {&&Add, &&Multiply, &&Less,
                                   &&Rare, &&Loop, &&Halt};
  static const int Distances[] = {&&Add - &&Add,  &&Multiply - &&Add,
                                  &&Less - &&Add, &&Rare - &&Add,
                                  &&Loop - &&Add, &&Halt - &&Add};
  if (Told) {
    *Told = (struct Labels){Pointers[0], Distances, Pointers};
    return 0;
  }
  unsigned long X = 1, Y = 7;
  void **P = Code;
#define NEXT goto **P++
  NEXT;
Add:
  X += Y;
  Y = Y * 3 + 1;
  NEXT;
Multiply:
  X *= Y | 1;
  NEXT;
Less:
  X -= Y >> 2;
  NEXT;
Rare:
  if (X % 1000 == 999)
    printf("rare %lx\n", X++);
  NEXT;
Loop:
  if (--N)
    P = Code;
  NEXT;
Halt:
  return X;
}

int main(int Argc, char **Argv) {
  const unsigned N = atoi(Argv[1]);
  struct Labels L;
  void *Code[sizeof(Program)];
  threaded(0, 0, &L);
  for (unsigned I = 0; I < sizeof(Program); ++I)
    Code[I] = (void *)(L.Base + L.Distances[Program[I]]);
  printf("%lx %lx\n", based(N), threaded(Code, N, 0));
  return 0;
}
