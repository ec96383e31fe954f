// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that read their return address can tell calls apart, so no call of
// them may become two: neither by inlining, nor in a hot version of its caller,
// nor in a copy of a tail.
//
// REQUIRES: x86_64, gcc
// RUN: %hot-program %s %t "4000 0" "500 7" "300 1" | FileCheck %s
// CHECK-NOT: hot version of caller
// CHECK: a callee that reads its return address
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noipa))

unsigned long Calls, Rare;
void *Last;

/// Its frequent part is short enough to be inlined, and is left in two ways.
NOINLINE void *whence(long Wanted) {
  if (Wanted == 1) {
    ++Calls;
    return __builtin_return_address(0);
  }
  if (Wanted == 2)
    return __builtin_return_address(0);
  return NULL;
}

/// A tail call: whence reads what the caller of this one left.
NOINLINE void *passOn(long Wanted) { return whence(Wanted - 2); }

NOINLINE unsigned long leave(unsigned long X) { return Rare += X; }

NOINLINE void caller(long X, long IsRare) {
  unsigned long A = X * 7;
  if (IsRare) {
    unsigned long B = leave(A), C = leave(A + B);
    A = leave(A + C) + leave(C) + B + A;
  }
  Last = passOn(A % 16 == 3 || IsRare ? 4 : 1);
}

NOINLINE void frequent(long X) {
  Last = whence(X % 300 == 5 ? 1 : X % 300 == 6 ? 2 : 0);
}

/// Counts places, as long as a program with one of them has one.
static int isNew(void **Seen) {
  if (!Last || Last == *Seen)
    return 0;
  *Seen = Last;
  return 1;
}

int main(int Argc, char **Argv) {
  const long Times = atol(Argv[1]), Every = atol(Argv[2]);
  void *Seen[2] = {0};
  long Places = 0;
  for (long I = 1; I <= Times; ++I) {
    caller(I, Every && I % Every == 0);
    Places += isNew(&Seen[0]);
    frequent(I);
    Places += isNew(&Seen[1]);
  }
  printf("%lu %lu %ld\n", Rare, Calls, Places);
}
