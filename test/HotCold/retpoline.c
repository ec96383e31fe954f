// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thunk takes the address to call in r11. BOLT does not read it, because it
// calls an instruction of its own; its bytes tell.
//
// REQUIRES: x86_64, clang
// RUN: rm -f %t.data && clang -O2 -mretpoline %s -Wl,--emit-relocs -o %t
// RUN: graupel-bolt %t -instrument -instrumentation-file=%t.data -o %t.i && %t.i 50000 49999
// RUN: %t 3000 7 > %t.wanted
// RUN: graupel-bolt %t -data=%t.data -hco -hco-growth=1000 -hco-verify -print-hot-cold -o %t.o | FileCheck %s
// RUN: %t.o 3000 7 | diff %t.wanted -
// RUN: graupel-bolt %t -data=%t.data -hco -hco-random=1 -hco-verify -o %t.o && %t.o 3000 7 | diff %t.wanted -
// RUN: graupel-bolt %t -data=%t.data -hco -hco-random=3 -hco-verify -o %t.o && %t.o 3000 7 | diff %t.wanted -
// RUN: graupel-bolt %t -data=%t.data -hco -hco-invert -hco-verify -o %t.o && %t.o 3000 7 | diff %t.wanted -
// CHECK: hot version of step
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
typedef long (*Function)(long);

NOINLINE static long next(long X) { return X + 1; }
NOINLINE static long twice(long X) { return X * 2; }

struct State {
  long Sum;
  Function Known;
  long Rest;
};

NOINLINE static Function find(long I, long *Rest) {
  *Rest += I;
  return I & 1 ? next : twice;
}
NOINLINE static void note(struct State *S, long X) { S->Sum += X; }

NOINLINE static long step(struct State *S, long I, long Every, long Hash) {
  if (I % Every == 0) {
    const long Before = S->Rest;
    note(S, I);
    note(S, Hash + Before);
    return S->Sum ^ (I + Hash + Before);
  }
  Function F = S->Known;
  if (!F)
    F = find(I, &S->Rest);
  return F(I);
}

int main(int Argc, char **Argv) {
  const long Times = atol(Argv[1]), Every = atol(Argv[2]);
  struct State S = {0, 0, 1};
  long Hash = 0;
  for (long I = 1; I < Times; ++I) {
    Hash = Hash * 31 + step(&S, I, Every, Hash);
    S.Known = Hash & 64 ? next : 0;
  }
  printf("%ld\n", Hash);
  return 0;
}
