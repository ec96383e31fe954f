// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of labels that the program writes: one entry is exchanged through a pointer,
// another table is filled by the interpreter itself. It is the same table afterwards,
// for those that jump through it and for those that write it.
//
// REQUIRES: x86_64, gcc, clang
// RUN: %differential %s --out %t --compilers gcc,clang --train "3" --test "3" --test "50" --flags="-O2 -fno-pie -no-pie" --flags="-O2 -fPIE -pie" --flags="-O1 -fno-pie -no-pie" --flags="-Os -fPIE -pie"
// RUN: clang -O2 -fno-pie -no-pie %s -Wl,--emit-relocs -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -v=1 -verify | FileCheck %s --implicit-check-not="exchanged ("
// CHECK: wrote
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
enum { Add, Multiply, Loop, Halt, Trace, Count };
static const unsigned char Program[] = {Add, Multiply, Add, Loop, Add, Halt};
static void **Handlers;

NOINLINE unsigned long exchanged(unsigned N) {
  static void *Labels[Count] = {&&LAdd, &&LMultiply, &&LLoop, &&LHalt, &&LTrace};
  static void **volatile Known = Labels;
  unsigned long X = 1, Y = 7;
  const unsigned char *P = Program;
  Handlers = Known;
  goto *Labels[*P++];
LAdd:
  X += Y;
  Y = Y * 3 + 1;
  goto *Labels[*P++];
LMultiply:
  X *= Y | 1;
  goto *Labels[*P++];
LLoop:
  if (--N)
    P = Program;
  goto *Labels[*P++];
LTrace:
  X ^= 5;
  goto *Labels[*P++];
LHalt:
  return X;
}

NOINLINE unsigned long filled(unsigned N) {
  static const void *const Sources[Count] = {&&LAdd, &&LMultiply, &&LLoop,
                                             &&LHalt, &&LAdd};
  static const void *Labels[Count] = {&&LHalt};
  unsigned long X = 1, Y = 7;
  const unsigned char *P = Program;
  for (int I = 0; I < Count; ++I)
    Labels[I] = Sources[I];
  goto *Labels[*P++];
LAdd:
  X += Y;
  Y = Y * 5 + 1;
  goto *Labels[*P++];
LMultiply:
  X *= Y | 1;
  Labels[Add] = Labels[N & 1 ? Add : Trace];
  goto *Labels[*P++];
LLoop:
  if (--N)
    P = Program;
  goto *Labels[*P++];
LHalt:
  return X;
}

int main(int Argc, char **Argv) {
  const unsigned N = atoi(Argv[1]);
  printf("%lx\n", exchanged(N));
  Handlers[Add] = Handlers[Trace];
  printf("%lx %lx\n", exchanged(N), filled(N));
  return 0;
}
