// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// steps N: a loop with branches whose layout matters.
#include <stdlib.h>
volatile int Sink;

__attribute__((noinline)) static int steps(int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I) {
    if (I % 1000 == 999)
      Sink = I;
    else
      Sum += I;
    if (I & 1)
      Sum ^= 5;
    else
      Sink = Sum;
  }
  return Sum;
}

int main(int Argc, char **Argv) {
  Sink = steps(Argc > 1 ? atoi(Argv[1]) : 100000);
  return 0;
}
