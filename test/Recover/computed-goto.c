// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computed goto that looks like a method call: an object holds the label to go on
// at. The jump stays inside the function, so it must not be taken for a tail call.
// The programs also have tables of labels that are reached in other ways.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --recovers 0 --train "5" --test "5" --test "40" --flags="-O2 -nostartfiles -fPIE -pie" --flags="-O2 -nostartfiles -fno-pie -no-pie" --flags="-O1 -nostartfiles -fPIE -pie" --flags="-Os -nostartfiles -fPIE -pie -fcf-protection=full"
#include "Inputs/start.h"
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

struct Coroutine {
  long Value;
  const void *Resume;
};

// The label's address is stored in one call and jumped to in another.
NOINLINE long resume(struct Coroutine *C, long X) {
  static const void *const Labels[] = {&&First, &&Second, &&Third, &&Last};
  if (!C->Resume)
    C->Resume = Labels[0];
  goto *C->Resume;
First:
  C->Value += X;
  C->Resume = Labels[1 + (X & 1)];
  return C->Value;
Second:
  C->Value *= 3;
  C->Resume = Labels[2];
  return C->Value + 1;
Third:
  for (long I = 0; I < X % 11; ++I)
    C->Value ^= I * X;
  C->Resume = X % 7 ? Labels[0] : Labels[3];
  return C->Value;
Last:
  C->Resume = 0;
  printf("again\n");
  return C->Value - 100;
}

// The same without a table.
NOINLINE long resumeStored(struct Coroutine *C, long X) {
  if (C->Resume)
    goto *C->Resume;
  C->Resume = &&Second;
  return C->Value += X;
Second:
  C->Value *= 5;
  C->Resume = X & 1 ? &&Third : &&Fourth;
  return C->Value;
Third:
  C->Value -= X;
  C->Resume = 0;
  return C->Value;
Fourth:
  C->Value += 9 * X;
  C->Resume = &&Third;
  return C->Value;
}

// A table of labels in memory that can be written, and the label is passed in.
static const void *Where[3];
NOINLINE long at(const void *Label, long X) {
  if (!Label) {
    Where[0] = &&Zero;
    Where[1] = &&One;
    Where[2] = &&Two;
    return 0;
  }
  goto *Label;
Zero:
  return X + 1;
One:
  return X * 7;
Two:
  if (X > 1000)
    return X / 2;
  return X - 3;
}

// Steps of an interpreter that jumps to labels in the code it runs.
NOINLINE long thread(const void **Code, const void **Make, long X) {
  if (Make) {
    const void *const Labels[] = {&&Add, &&Double, &&Jump, &&End};
    for (int I = 0; I < 6; ++I)
      Make[I] = Labels[(I + X) % 3];
    Make[6] = Labels[3];
    return 0;
  }
  goto **Code++;
Add:
  X += 13;
  goto **Code++;
Double:
  X = X * 2 % 100003;
  goto **Code++;
Jump:
  if (X & 1)
    ++X;
  goto **Code++;
End:
  return X;
}

int main(int Argc, char **Argv) {
  const long Rounds = atol(Argv[1]);
  struct Coroutine A = {1, 0}, B = {2, 0};
  unsigned long Sum = 0;
  at(0, 0);
  for (long I = 0; I < Rounds; ++I) {
    const void *Code[7];
    Sum = Sum * 31 + resume(&A, I);
    Sum = Sum * 31 + resumeStored(&B, I % 3);
    Sum = Sum * 31 + at(Where[I % 3], Sum % 5000);
    thread(0, Code, I);
    Sum = Sum * 31 + thread(Code, 0, I);
    if (A.Value > 1000000 || B.Value > 1000000)
      A.Value = B.Value = 7;
  }
  printf("%lu\n", Sum);
  return 0;
}
