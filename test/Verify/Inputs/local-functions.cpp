// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local functions with a table of jumps, with landing pads and with a cold
// part, called from the outside and by each other.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

struct Guard {
  int Number;
  ~Guard() { std::printf("left %d\n", Number); }
};

__attribute__((noinline)) int check(int X) {
  if (X > 90)
    throw std::runtime_error("too large");
  return X * 2;
}

static __attribute__((noinline)) int choose(int X) {
  switch (X % 7) {
  case 0:
    return X + 1;
  case 1:
    return X * 3;
  case 2:
    return X ^ 5;
  case 3:
    return check(X * 30);
  case 4:
    return X << 2;
  case 5:
    if (__builtin_expect(X > 1000, 0)) {
      std::puts("very large");
      std::abort();
    }
    return X / 3;
  }
  return ~X;
}

static __attribute__((noinline)) int guarded(int X) {
  Guard G{X};
  try {
    return choose(X) + 1;
  } catch (int) {
    return 3;
  }
}

__attribute__((noinline)) int all(int X) {
  return check(X) + choose(X) + guarded(X);
}

int main() {
  int Sum = 0;
  for (int I = 0; I < 14; ++I)
    try {
      Sum += choose(I) + all(I);
    } catch (const std::exception &E) {
      Sum += 100;
    }
  std::printf("%d\n", Sum);
}
