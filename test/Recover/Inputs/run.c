// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run REPEATS TEXT...: what work() makes of each text. The functions here are
// what the assembly that defines work() calls.
#include "start.h"
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

long work(const char *Text);

const void *Kept;

NOINLINE long note(long X) {
  if (X % 7 == 3)
    return X * 5 + 1;
  return X + 2;
}

NOINLINE long add5(long X) { return X + 5; }
NOINLINE long times3(long X) { return X * 3; }

// What objects with methods look like.
typedef long (*Method)(long);
struct Object {
  long Value;
  Method First, Second;
} Objects[2] = {{1, note, add5}, {2, times3, note}};
Method Current = times3;

int main(int Argc, char **Argv) {
  for (int I = 2; I < Argc; ++I) {
    long Sum = 0;
    for (int Round = atoi(Argv[1]); Round > 0; --Round)
      Sum = (Sum * 31 + work(Argv[I])) % 1000000007;
    printf("%s: %ld%s\n", Argv[I], Sum, Kept ? ", kept" : "");
  }
  return 0;
}
