// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computed goto by differences of labels, for which there are no relocations:
// GCC's manual recommends it for shared libraries.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --must-split 0 --train "5" --test "5" --test "40" --flags="-O0 -fPIE -pie" --flags="-O2 -fPIE -pie" --flags="-O2 -fno-pie -no-pie" --flags="-Os -fPIE -pie"
// RUN: gcc -O2 -fPIE -pie -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s
// CHECK-DAG: {{^}}GRAUPEL-INFO: interpret left as it is: it may compute jumps from differences of labels
// CHECK-DAG: {{^}}GRAUPEL-INFO: once left as it is: it may compute jumps from differences of labels
// CHECK: GRAUPEL-INFO: {{[0-9]}} functions left as they are: {{.*}}may compute jumps from differences of labels
//
// Where the addresses are whole, they are relocated, and nothing has to stay.
// RUN: gcc -O2 -fPIE -pie -Wl,--emit-relocs -DWHOLE %s -o %t.whole
// RUN: graupel-bolt -v=1 %t.whole -o %t.o | FileCheck %s --check-prefix=WHOLE --implicit-check-not="left as"
// WHOLE: BOLT-INFO
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

NOINLINE long interpret(const unsigned char *Code, long X) {
#ifdef WHOLE
  static const void *const Labels[] = {&&Add, &&Double, &&Skip, &&Call, &&End};
#define NEXT goto *Labels[*Code++]
#else
  static const int Labels[] = {&&Add - &&Add, &&Double - &&Add, &&Skip - &&Add,
                               &&Call - &&Add, &&End - &&Add};
#define NEXT goto *(&&Add + Labels[*Code++])
#endif
  NEXT;
Add:
  X += *Code++;
  NEXT;
Double:
  X = X * 2 % 1000003;
  NEXT;
Skip:
  Code += X & 1;
  NEXT;
Call:
  printf("%ld\n", X);
  if (X > 5000) {
    for (int I = 0; I < 10; ++I)
      X = X * 3 / 2 - I;
  }
  NEXT;
End:
  return X;
}

// One jump, not in a loop.
NOINLINE long once(int Which, long X) {
#ifdef WHOLE
  static const void *const Labels[] = {&&A, &&B, &&C};
  goto *Labels[Which];
#else
  static const int Labels[] = {&&A - &&B, &&B - &&B, &&C - &&B};
  goto *(&&B + Labels[Which]);
#endif
A:
  return X + 1;
B:
  return X * 3;
C:
  if (X & 1)
    return X ^ 0x55;
  return -X;
}

int main(int Argc, char **Argv) {
  static const unsigned char Codes[3][12] = {
      {0, 7, 1, 1, 4}, {2, 1, 0, 5, 2, 1, 1, 4}, {0, 250, 1, 1, 1, 1, 1, 3, 4}};
  const long Rounds = atol(Argv[1]);
  unsigned long Sum = 0;
  for (long I = 0; I < Rounds; ++I) {
    Sum = Sum * 31 + interpret(Codes[I % (Rounds > 10 ? 3 : 2)], I);
    Sum = Sum * 31 + once(I % 3, I);
  }
  printf("%lu\n", Sum);
  return 0;
}
