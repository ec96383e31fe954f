// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Landing pads in both parts of a function, and in the one that does not throw:
// their distances cannot be written in a variable number of bytes.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --train "" --test "" --test "1 2" --must-split 1 --flags="-O2" --flags="-O2 -fno-pie -no-pie" --flags="-O1 -static"
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

struct Noted {
  int X;
  ~Noted() {
    if (X < 0)
      puts("negative");
  }
};

__attribute__((noinline)) int maybe(int I) {
  if (I % 5 == 0)
    throw std::runtime_error("number " + std::to_string(I));
  return I;
}

int main(int Argc, char **) {
  long Sum = 0;
  for (int I = 0; I < 2000; ++I) {
    std::vector<int> Values;
    Noted Here{I};
    std::string Text(I % 40, 'x');
    for (int J = 0; J < 30; ++J)
      Values.push_back(I + J);
    try {
      Sum += Values.at((I * 7) % 60);
    } catch (std::out_of_range &E) {
      Sum += E.what()[0];
    }
    try {
      Sum += maybe(I) + Text.size();
    } catch (std::runtime_error &E) {
      Sum += std::string(E.what()).size();
    } catch (...) {
      --Sum;
    }
  }
  printf("%ld\n", Sum);
  if (Argc > 2)
    try {
      throw 3;
    } catch (long) {
      return 1;
    } catch (int X) {
      return X;
    }
  return 0;
}
