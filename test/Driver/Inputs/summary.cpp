// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function whose jumps cannot be followed, one that calls into itself, and
// some that can be optimized.
#include <cstdio>
#include <cstdlib>

template <typename T> struct Number {
  T Value;
  __attribute__((noinline)) T times(T Other) const {
    asm volatile("call 1f\n\tjmp 2f\n1:\tret\n2:" ::: "memory");
    return Value * Other;
  }
};

__attribute__((noinline)) int interpret(int Steps) {
  static const int Places[] = {0, int((char *)&&Two - (char *)&&One),
                               int((char *)&&Three - (char *)&&One)};
  int Sum = 0;
  goto *((char *)&&One + Places[unsigned(Steps) % 3]);
One:
  Sum += 1;
  if (Steps-- < 0)
    return Sum;
  goto *((char *)&&One + Places[unsigned(Steps) % 3]);
Two:
  Sum += 2;
  if (Steps-- < 0)
    return Sum;
  goto *((char *)&&One + Places[unsigned(Steps) % 3]);
Three:
  Sum += 3;
  if (Steps-- < 0)
    return Sum;
  goto *((char *)&&One + Places[unsigned(Steps) % 3]);
}

__attribute__((noinline)) int leaf(int X) { return X * 3 + 1; }

int main(int argc, char **) {
  int Sum = 0;
  for (int I = 0; I < 100; ++I) {
    Sum += leaf(I);
    if (I % 2)
      Sum += interpret(I % 10);
    if (I % 4 == 0)
      Sum += int(Number<int>{I}.times(argc));
  }
  std::printf("%d\n", Sum);
}
