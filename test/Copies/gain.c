// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that is entered by its address passes a jump to its copy each time. One
// that has nothing to gain stays, and so does what only that one calls; one whose
// compiler guessed wrong is copied. Statistics count the jumps.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 %s -o %t && rm -f %t.gprofile
// RUN: graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile -verify && %t.i
// RUN: graupel-bolt %t -o %t.hot -data=%t.gprofile -verify -v=1 > %t.out && %t.hot && FileCheck %s --check-prefix=HOT < %t.out
// RUN: graupel-bolt %t -o %t.fast -data=%t.gprofile -hco=false -verify -v=1 -spike-stats=json -spike-stats-file=%t.json > %t.out 2>&1
// RUN: FileCheck %s < %t.out && %t.fast
// RUN: FileCheck %s --check-prefix=COPIED < %t.out
// RUN: FileCheck %s --check-prefix=JUMPS --input-file=%t.json
// CHECK-DAG: straight ({{.*}}: the jump to its copy would cost what that gains)
// CHECK-DAG: below ({{.*}}: the jump to its copy would cost what that gains)
// A call that inlining saves is a gain.
// HOT-NOT: {{ }}straight ({{.*}}the jump to its copy
// COPIED-NOT: {{ }}guessed ({{.*}}the jump to its copy
// JUMPS: "after": {
// JUMPS: "jumps": 10000{{[01]}},
// JUMPS: "jumps_to_copies": 10000{{[01]}},
#define NEVER_INLINED __attribute__((noinline, noipa))

NEVER_INLINED int below(int X) { return X * 3 + 1; }
NEVER_INLINED int straight(int X) { return below(X) + 2; }
NEVER_INLINED int guessed(int X) {
  for (int I = 0; I < 3; ++I)
    if (__builtin_expect(X > I, 0))
      X = X * 5 + below(X) % 7 - I;
    else
      X += 2;
  return X & 0xffff;
}

int (*volatile Straight)(int) = straight, (*volatile Guessed)(int) = guessed;

int main(void) {
  int Sum = 0;
  for (int I = 1; I <= 100000; ++I)
    Sum += Straight(I) + Guessed(I);
  return Sum == 0;
}
