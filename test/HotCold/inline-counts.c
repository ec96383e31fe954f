// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was inlined is executed in the caller, and no more in the callee: the
// statistics count it once, and layout knows.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 %s -Wl,--emit-relocs -o %t
// RUN: graupel-bolt %t -instrument -instrumentation-file=%t.counts -o %t.i && rm -f %t.counts && %t.i
// RUN: graupel-bolt %t -o %t.o -data=%t.counts -hco -hco-growth=1000 -spike-stats=json -spike-stats-file=%t.json
// RUN: %t.o
// RUN: %python -c "import json, sys; l = json.load(open(sys.argv[1]))['layout']; b, a = (l[w]['executed_instructions'] for w in ('before', 'after')); print('instructions', a < b, a, b)" %t.json | FileCheck %s -check-prefix COUNTS
// COUNTS: instructions True

volatile int Sink;

__attribute__((noinline, noclone)) static int mix(int A, int B) {
  int C = A ^ (B << 3);
  C += C >> 2;
  return C * 5 + B;
}

__attribute__((noinline, noclone)) static int work(int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += mix(Sum, I);
  return Sum;
}

int main(void) {
  Sink = work(10000);
  return 0;
}
