/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A switch with a table, function pointers, recursion and cold code. */
#include <stdio.h>
#include <stdlib.h>

static int add(int a, int b) { return a + b; }
static int multiply(int a, int b) { return a * b; }
static int (*const operations[])(int, int) = {add, multiply};
int table[16] = {3, 1, 4, 1, 5, 9, 2, 6};

__attribute__((noinline)) static void complain(int code) {
  printf("unknown operation %d\n", code);
  exit(3);
}

__attribute__((noinline)) int step(int code, int value) {
  switch (code) {
  case 0: return value + 1;
  case 1: return value * 3;
  case 2: return value ^ 0x55;
  case 3: return value - table[value & 7];
  case 4: return operations[value & 1](value, 5);
  case 5: return value >> 1;
  case 6: return -value;
  case 7: table[value & 15]++; return value;
  default: complain(code); return 0;
  }
}

__attribute__((noinline)) int depth(int n) { return n < 2 ? n : depth(n - 1) + depth(n - 2); }

int main(void) {
  int value = 7;
  for (int i = 0; i < 2000; ++i)
    value = step((i * 7 + (value & 3)) & 7, value) & 0xffff;
  printf("%d %d %d\n", value, depth(12), table[3]);
  return value & 31;
}
