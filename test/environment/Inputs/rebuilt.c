// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of a few functions, in three builds: 1, 2 with one function
// changed, one new and one gone, 3 something else.
#include <stdio.h>
#include <stdlib.h>

#if BUILD == 3
int main(int Argc, char **Argv) {
  for (int I = 1; I < Argc; ++I)
    puts(Argv[I]);
  return Argc > 40;
}
#else

#if BUILD == 2
__attribute__((noinline)) static unsigned added(unsigned X) {
  return X % 1009 == 0 ? X / 3 : 0;
}
#endif

__attribute__((noinline)) static unsigned mixed(unsigned X) {
  unsigned Sum = 0;
  for (unsigned I = 0; I < 20; ++I)
    if ((X + I) % 97 == 0)
      Sum ^= X << 3;
    else if ((X * I) % 7 == 1)
      Sum += I;
    else
      Sum += X * I;
  return Sum;
}

#if BUILD == 2
#define digits(X) ((X) & 7)
#else
__attribute__((noinline)) static unsigned digits(unsigned X) {
  unsigned Count = 0;
  while (X) {
    Count += X % 10 > 4;
    X /= 10;
  }
  return Count;
}
#endif

__attribute__((noinline)) static unsigned changed(unsigned X) {
  unsigned Sum = 1;
#if BUILD == 2
  if (X == 77)
    printf("seventy-seven\n");
  Sum += added(X);
#endif
  for (unsigned I = X; I > 1; I = I % 2 ? 3 * I + 1 : I / 2)
    ++Sum;
  return Sum;
}

int main(int Argc, char **Argv) {
  unsigned Sum = 0, Count = Argc > 1 ? (unsigned)atoi(Argv[1]) : 1000;
  for (unsigned I = 1; I < Count; ++I)
    Sum += Argc > 2 ? mixed(I) : mixed(I) ^ digits(I) ^ changed(I % 50);
  printf("%u\n", Sum);
  return 0;
}
#endif
