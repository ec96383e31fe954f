// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A changed function cannot be compared with the input's. That a call or branch
// of it leads where no code is, is found: a symbol was never emitted.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -no-pie -Wl,--emit-relocs %s -o %t
// RUN: graupel-bolt %t -o %t.i -lite=0 -frame-opt=hot
// RUN: elf-verify %t %t.i
// RUN: cp %t.i %t.call && %python %S/Inputs/lead.py %t.call caller
// RUN: not elf-verify %t %t.call 2>&1 | FileCheck %s
// CHECK: caller leads to 0x0, from 0x{{[0-9a-f]+}}, where there is no code
//
// With counters it is still compared.
// RUN: graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile
// RUN: elf-verify %t %t.i
// RUN: cp %t.i %t.call && %python %S/Inputs/lead.py %t.call caller
// RUN: not elf-verify %t %t.call 2>&1 | FileCheck %s --check-prefix=COUNTED
// COUNTED: it calls 0x0 instead of callee
//
// As long as the input has no such call: of a weak function that is not there.
// RUN: gcc -O2 -no-pie -static -Wl,--emit-relocs -DWEAK %s -o %t
// RUN: graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile -verify
#include <stdio.h>

__attribute__((noipa)) int callee(int X) { return X * 3; }
__attribute__((noipa)) int caller(int X) { return callee(X) + 1; }

#ifdef WEAK
__attribute__((weak)) void absent(void);
__attribute__((noipa)) int mayCall(int X) {
  if (X > 100)
    absent();
  return X;
}
#else
#define mayCall(X) X
#endif

int main(void) {
  printf("%d\n", caller(3) + mayCall(2));
  return 0;
}
