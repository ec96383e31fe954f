// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frame optimization takes the jump to what GCC split off for the end of the
// function, and drops stores to the frame that unwinding from there needs. With
// setjmp() it may read registers that are older than the variables.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --train "9" --test "9" --test "60" --flags="-O2 -fPIE -pie" --flags="-O1 -fno-pie -no-pie" --flags="-O2 -fPIE -pie -fno-reorder-blocks" --options=-frame-opt=all --layouts basic --must-split 0
// RUN: %differential %s --out %t --train "9" --test "9" --test "60" --flags="-O2 -fPIE -pie" --flags="-O2 -fno-pie -no-pie" --must-split 0
#include <csetjmp>
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

static jmp_buf Buffer;
static long Steps;

NOINLINE void step(int N) {
  Steps += N;
  if (N % 4 == 0)
    longjmp(Buffer, 1);
}

NOINLINE int retry(int N) {
  volatile int Tries = N;
  const int Start = Tries + 1;
  setjmp(Buffer);
  Steps += Tries;
  if (Tries < N + 9) {
    Tries = Tries + 1;
    step(Tries);
  }
  return Tries * 100 + Start;
}

int main(int Argc, char **Argv) {
  for (int I = 0; I < atoi(Argv[1]); ++I)
    printf("%d %d\n", work(I), retry(I));
  printf("%ld\n", Steps);
  return 0;
}
