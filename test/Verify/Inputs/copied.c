// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define NOINLINE __attribute__((noinline, noclone))
volatile int Sink;

NOINLINE int twice(int X) {
  Sink = X;
  return X * 2 + Sink;
}

NOINLINE int thrice(int X) {
  Sink = X + 1;
  return X * 3 - Sink;
}

NOINLINE int left(int X) {
  Sink = X + 2;
  return X * 5 + Sink + 1;
}

int main(int Argc, char **Argv) {
  int Sum = 0;
  for (int I = 0; I < 1000; ++I)
    Sum += I % 3 ? twice(I) : thrice(I);
  return Argc > 5 ? left(Sum) : Sum == 1;
}
