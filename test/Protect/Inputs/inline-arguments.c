// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

int reads(int), readsIndirectly(int), skips(int), leaps(int), ordinary(int);

int main(int Argc, char **Argv) {
  int Sum = 0;
  for (int I = 0; I < 50; ++I)
    Sum += reads(I) + 3 * readsIndirectly(I) + 5 * skips(I) + 7 * ordinary(I) +
           9 * leaps(I);
  printf("%d\n", Sum);
  return 0;
}
