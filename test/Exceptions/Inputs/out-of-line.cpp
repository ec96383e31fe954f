// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

extern "C" int work(int X);
extern "C" int slow(int X) {
  if (X & 4)
    throw X;
  return X * 2;
}

int main() {
  long Sum = 0;
  for (int I = 0; I < 1000; ++I)
    try {
      Sum += work(I & 7);
    } catch (int X) {
      Sum += 1000 * X;
    }
  std::printf("%ld\n", Sum);
}
