// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hot version that calls somebody who throws: its landing pad, which is cold,
// finds the frame that it expects because a stub comes first.
//
// REQUIRES: x86_64, gcc
// RUN: %hot-program %s %t "4000 0" "500 7" "300 1" | FileCheck %s
// CHECK-LABEL: hot version of _Z4workll
// CHECK: hot {{.*}} stub
// CHECK-NOT: pushq %rbx
// CHECK: pad
// CHECK-NEXT: movq %{{.*}}, {{.*}}(%rsp)
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

struct Guard {
  long *At;
  ~Guard() { *At += 3; }
};

long Rare, Released;

__attribute__((noipa)) long check(long X, long IsRare) {
  if (IsRare == 2)
    throw X;
  if (IsRare == 3)
    throw std::runtime_error("rare");
  return X + 5;
}
__attribute__((noipa)) long note(long X, long Y, long Z) {
  Rare += X + Y * Z;
  return X ^ Y;
}

__attribute__((noipa)) long work(long X, long IsRare) {
  Guard G{&Released};
  long Sum = check(X, IsRare);
  if (IsRare == 1) {
    long A = note(X, Sum, 1), B = note(A, X, 2), C = note(A, B, Sum);
    Sum += note(A, B, C) + A + B + C + X;
  }
  return Sum;
}

__attribute__((noipa)) long catching(long X, long IsRare) {
  long Kept = X * 3, Other = X ^ 0x55;
  try {
    return work(X, IsRare) + Kept;
  } catch (long Value) {
    return note(Value, Kept, Other) + Other;
  } catch (const std::exception &E) {
    return note(Kept, Other, E.what()[0]) - Kept;
  }
}

int main(int, char **Argv) {
  const long Times = atol(Argv[1]), Every = atol(Argv[2]);
  long Sum = 0;
  for (long I = 1; I <= Times; ++I)
    Sum = Sum * 31 + catching(I, Every && I % Every == 0 ? I % 3 + 1 : 0);
  printf("%ld %ld %ld\n", Sum, Rare, Released);
}
