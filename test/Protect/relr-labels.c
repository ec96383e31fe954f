// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of labels that the loader relocates by .relr.dyn, over which llvm-bolt
// 22 ends with an error, and addresses of functions, which it writes to the wrong
// places: where the file has Filler.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -fPIE -pie -Wl,--emit-relocs -Wl,-z,pack-relative-relocs %s -o %t.exe
// RUN: llvm-readelf -S %t.exe | FileCheck %s
// CHECK: .relr.dyn
// RUN: %differential %s --out %t --compilers gcc --must-split 0 --flags="-O2 -fPIE -pie -Wl,-z,pack-relative-relocs" --flags="-O0 -fPIE -pie -Wl,-z,pack-relative-relocs" --flags="-O2 -static-pie -Wl,-z,pack-relative-relocs"
#include <stdio.h>

__attribute__((noinline)) int run(const char *Code) {
  static void *Labels[] = {&&Add, &&Double, &&Print, &&End};
  int X = 0;
  goto *Labels[*Code - '0'];
Add:
  X += 3;
  goto *Labels[*++Code - '0'];
Double:
  X *= 2;
  goto *Labels[*++Code - '0'];
Print:
  printf("%d\n", X);
  goto *Labels[*++Code - '0'];
End:
  return X;
}

static int add(int X) { return X + 1; }
static int twice(int X) { return 2 * X; }
int (*Steps[])(int) = {add, twice, add, twice, twice, add};
int Filler[4096] = {1};

int main(void) {
  int X = 1;
  for (unsigned I = 0; I < sizeof Steps / sizeof *Steps; ++I)
    X = Steps[I](X);
  printf("%d\n", X);
  for (unsigned I = 1; I < sizeof Filler / sizeof *Filler; ++I)
    if (Filler[I])
      return 2;
  return run("001120123") != 54;
}
