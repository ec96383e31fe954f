// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work.h"
#include <stdio.h>
#include <stdlib.h>

int main(int Count, char **Arguments) {
  printf("%d\n", work(Count > 1 ? atoi(Arguments[1]) : 1000));
  return 0;
}
