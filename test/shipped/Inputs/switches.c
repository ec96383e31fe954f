// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions with switches that become jump tables, and some without. */
#define NOINLINE __attribute__((noinline, noclone))
volatile int sink;

NOINLINE int first(int x) {
  switch (x) {
  case 0: sink = 3; return 17;
  case 1: sink = x; return 4 - sink;
  case 2: return sink * 5;
  case 3: sink += 2; return -7;
  case 4: return sink ^ 21;
  case 5: sink--; return sink << 2;
  case 6: return 99;
  default: return sink;
  }
}

NOINLINE int second(int x, int y) {
  switch (x - 100) {
  case 0: return y * sink;
  case 1: sink = y; return 8;
  case 2: return y / 3 + sink;
  case 3: sink ^= y; return 12;
  case 4: return y % 11;
  case 6: sink -= y; return 31;
  case 7: return y & sink;
  case 9: return ~y;
  }
  return first(x);
}

NOINLINE int third(int x) {
  for (int i = 0; i < x; i++)
    sink += second(100 + i % 12, i);
  return sink;
}

int main(int argc, char **argv) {
  (void)argv;
  return third(argc + 40) == 1;
}
