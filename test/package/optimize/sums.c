// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>

unsigned sum(unsigned To);

int main(int Argc, char **Argv) {
  unsigned All = 0;
  for (int I = 0; I < 1000; ++I)
    All += sum((unsigned)atoi(Argv[Argc - 1]));
  printf("sums %u\n", All);
  return 0;
}
