// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <string.h>

int hostFunction(int X);

static int Base;
__attribute__((constructor)) static void setUp(void) { Base = 17; }
__attribute__((destructor)) static void tearDown(void) {
  printf("base %d\n", Base);
}

static int plus(int X) { return X + Base; }
static int minus(int X) {
  if (X > 30)
    printf("[minus %d] ", X);
  return X - Base;
}
__attribute__((visibility("hidden"))) int times(int X) { return X * Base; }
int (*const Table[])(int) = {plus, minus, times};

int process(int X, int Mode) {
  char Text[40];
  snprintf(Text, sizeof Text, "%d", X * 7919);
  int Sum = (int)strlen(Text);
  if (Mode == 1) {
    Sum += hostFunction(X);
    if (X % 10 == 4)
      printf("[%s] ", Text);
  }
  switch (Mode == 2 ? X % 8 : 0) {
  case 0: return Sum + 1;
  case 1: return times(X);
  case 2: puts("two"); return Sum * 2;
  case 3: return minus(X);
  case 4: return Sum ^ 21;
  case 5: return plus(X) * 2;
  case 6: return hostFunction(Sum);
  default: return 0;
  }
}
