// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with a bit of everything the pipeline touches: calls through the
// PLT, a jump table, an indirect call, code that the training run never reaches.
#include <stdio.h>
#include <stdlib.h>

static int twice(int X) { return 2 * X; }
static int square(int X) { return X * X; }
static int negate(int X) { return -X; }
int (*volatile Functions[])(int) = {twice, square, negate};

__attribute__((noinline)) int classify(int X) {
  switch (X % 9) {
  case 0: return X + 3;
  case 1: return X * 5;
  case 2: return X - 7;
  case 3: return X ^ 11;
  case 4: return X / 3;
  case 5: return X << 2;
  case 6: puts("six"); return X & 12;
  default: return X | 64;
  }
}

__attribute__((noinline)) void complain(int X) {
  fprintf(stderr, "%d is too large\n", X);
  exit(3);
}

int main(int Argc, char **Argv) {
  const int Rounds = Argc > 1 ? atoi(Argv[1]) : 100;
  unsigned Sum = 0;
  for (int I = 0; I < Rounds; ++I) {
    if (I > 5000)
      complain(I);
    Sum = Sum * 31 + classify(I) + Functions[I % 3](I);
  }
  printf("%u\n", Sum);
  return 0;
}
