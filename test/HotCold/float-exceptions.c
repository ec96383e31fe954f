// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A conversion to an integer that only rare code uses raises an exception
// wherever it is. LLVM does not say so of its instructions.
//
// REQUIRES: x86_64
// RUN: clang -O2 -ffp-model=strict %s -o %t.exe -Wl,--emit-relocs -lm
// RUN: rm -f %t.gprofile
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
// RUN: %t.i
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile
// RUN: %t.o
#include <fenv.h>

static volatile double Sum;
static volatile int Mode = -1;
__attribute__((noinline)) static double rare(double X) { return Sum += X; }

__attribute__((noinline)) double single(float A, double B, int I) {
  int X = (int)A;
  if (__builtin_expect(I == Mode, 0))
    return rare(A) * X;
  return B;
}

__attribute__((noinline)) double doubled(double A, double B, int I) {
  long X = (long)A;
  if (__builtin_expect(I == Mode, 0))
    return rare(A) * X;
  return B;
}

int main() {
  for (int I = 0; I < 1000; ++I)
    Sum += single(I, I + 1, I) + doubled(I, I + 1, I);
  feclearexcept(FE_ALL_EXCEPT);
  Sum += single(1e30f, 1, 0);
  if (!fetestexcept(FE_INVALID))
    return 1;
  feclearexcept(FE_ALL_EXCEPT);
  Sum += doubled(1e300, 1, 0);
  return !fetestexcept(FE_INVALID);
}
