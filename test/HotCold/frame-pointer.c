// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code with a frame pointer that it does not need but for unwinding: hot versions
// keep it where unwinding finds the frame by it, and lose what is cold.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -fno-omit-frame-pointer -Wl,--emit-relocs %s -o %t.exe
// RUN: rm -f %t.gprofile
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
// RUN: %t.i 5000
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile -hco -hco-growth=1000 -hco-verify -hco-report -verify > %t.log 2>&1
// RUN: FileCheck %s --input-file=%t.log --implicit-check-not="cannot be proved"
// CHECK: {{^  optimized +1 }}
// CHECK: verified
// RUN: %t.exe 70000 > %t.expected && %t.o 70000 > %t.said && cmp %t.expected %t.said
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) long rare(const int *P, int N, long A, long B) {
  return printf("%d %d %ld %ld\n", P[0], N, A, B);
}

__attribute__((noinline)) long work(const int *P, int N, long A, long B) {
  long C = A * 5 + B, D = A ^ B;
  if (__builtin_expect(P[N & 7] == 7, 0)) {
    C += rare(P, N, A, B);
    C += rare(P, N + 1, D, C) + D;
    return rare(P, N, C, D) + C * D;
  }
  return P[N & 7] + N;
}

int main(int Argc, char **Argv) {
  int Table[8] = {0, 1, 2, 3, 4, 5, 6, 8};
  long Sum = 0;
  const int Limit = atoi(Argv[1]);
  for (int I = 0; I < Limit; ++I) {
    Table[3] = I > 60000 && I % 1000 == 3 ? 7 : 3;
    Sum += work(Table, I, Sum, I);
  }
  printf("%ld\n", Sum);
  return 0;
}
