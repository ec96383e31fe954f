// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A callee throws if it gets a null pointer, which no caller has. Where that is
// seen, nothing is left that throws, and nobody catches; other calls' exceptions
// are caught as before.
//
// REQUIRES: x86_64, gcc
// RUN: %hot-program %s %t "4000 0" "500 7" "300 1" -hco-growth=100 | FileCheck %s
// RUN: llvm-objdump -d --no-show-raw-insn --disassemble-symbols=_Z5quietl %t.o | FileCheck %s --check-prefix=CODE --implicit-check-not=call
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=NAMES
// NAMES-NOT: _Z5quietl.cold
// CHECK-DAG: {{^}}_Z5quietl: {{jn?e}} {{never|always}} taken, testq %{{.*}} not needed: in the frame
// CHECK-DAG: {{^}}_Z4workll: {{jn?e}} {{never|always}} taken, testq %{{.*}} not needed: in the frame
// CODE: <_Z5quietl>:
// CODE: ret
#include <cstdio>
#include <cstdlib>

long Caught;

__attribute__((noipa)) long put(long X, long *Out) {
  if (!Out)
    throw X;
  *Out = X * 2;
  return X + 1;
}
__attribute__((noipa)) long check(long X, long IsRare) {
  if (IsRare)
    throw X;
  return X + 5;
}

__attribute__((noipa)) long quiet(long X) {
  long Twice;
  try {
    X = put(X, &Twice);
  } catch (long Value) {
    Caught += Value;
    return 1;
  }
  return X + Twice;
}

__attribute__((noipa)) long work(long X, long IsRare) {
  long Twice = 7;
  try {
    long Sum = check(X, IsRare);
    Sum += put(X, &Twice);
    return check(Sum, IsRare) + Twice;
  } catch (long Value) {
    Caught += Value;
    return Twice;
  }
}

int main(int, char **Argv) {
  const long Times = atol(Argv[1]), Every = atol(Argv[2]);
  long Sum = 0;
  for (long I = 1; I <= Times; ++I)
    Sum = (Sum * 31 + work(I, Every && I % Every == 0) + quiet(I)) % 1000000007;
  printf("%ld %ld\n", Sum, Caught);
}
