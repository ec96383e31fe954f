// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts at random: the program works, each seed has its own, and a run can be
// repeated.
//
// REQUIRES: x86_64, gcc
// RUN: g++ -O2 -fPIE -pie -Wl,--emit-relocs %s -o %t.exe
// RUN: %t.exe 37 > %t.expected
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.fdata
// RUN: %t.i 3
// RUN: graupel-bolt %t.exe -o %t.1 -stress-layout=1
// RUN: %t.1 37 | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.2 -stress-layout=2
// RUN: %t.2 37 | diff %t.expected -
// RUN: not %same-output %t.1 %t.2
// RUN: graupel-bolt %t.exe -o %t.again -stress-layout=1
// RUN: %same-output %t.1 %t.again
// RUN: graupel-bolt %t.exe -o %t.3 -stress-layout=3 -data=%t.fdata
// RUN: %t.3 37 | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.3 -stress-layout=4 -data=%t.fdata -layout=spike
// RUN: %t.3 37 | diff %t.expected -
//
// Both fragments are there, and landing pads are found from both.
// RUN: llvm-nm %t.1 | FileCheck %s --check-prefix=SPLIT
// SPLIT: work{{.*}}.cold
//
// It is for tests.
// RUN: graupel-bolt --help | FileCheck %s --check-prefix=HELP --implicit-check-not=stress-layout
// HELP: layout
// RUN: graupel-bolt --help-hidden | FileCheck %s --check-prefix=HIDDEN
// HIDDEN: --stress-layout=<seed>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#define NOINLINE __attribute__((noinline))

struct Noise {
  int N;
  ~Noise() { printf("%d ", N); }
};

NOINLINE int risky(int N) {
  if (N % 5 == 0)
    throw std::runtime_error("five");
  if (N % 7 == 0)
    throw N;
  return N;
}

NOINLINE int work(int N) {
  Noise First{N};
  int Sum = 0;
  try {
    Sum += risky(N);
    Noise Second{-N};
    for (int I = 0; I < N % 11; ++I)
      Sum += I % 3 ? I : risky(I + 1);
    switch (N % 6) {
    case 0: return Sum;
    case 1: Sum *= 3; break;
    case 2: Sum -= 20;
    case 3: Sum ^= risky(N + 1); break;
    case 4: Sum <<= 2; break;
    default: printf("default ");
    }
  } catch (int X) {
    Sum -= X;
  } catch (const std::exception &E) {
    printf("%s ", E.what());
  }
  return Sum;
}

int main(int Argc, char **Argv) {
  for (int I = 0; I < atoi(Argv[1]); ++I)
    printf("%d\n", work(I));
  return 0;
}
