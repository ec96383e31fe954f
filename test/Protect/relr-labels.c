// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of labels that the loader relocates by .relr.dyn. llvm-bolt 22 ends
// with an error.
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

int main(void) { return run("001120123") != 54; }
