// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BOLT defines __hot_start and __hot_end in what it instruments. A library may have a
// variable of that name, and a program may ask whether there is one.
//
// REQUIRES: x86_64, gcc
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: gcc -O2 -DLIBRARY -fPIC -shared %s -Wl,--emit-relocs,-soname,libhot.so -o original
// RUN: cp original libhot.so
// RUN: gcc -O2 -fPIE -pie -rdynamic %s ./libhot.so -Wl,--emit-relocs,-rpath,%t.d -o program
// RUN: ./program | FileCheck %s
// RUN: graupel-bolt original -o libhot.so -verify -instrument -instrumentation-file=%t.d/profile
// RUN: ./program | FileCheck %s
// RUN: graupel-bolt program -o instrumented -verify -instrument -instrumentation-file=%t.d/programs
// RUN: ./instrumented | FileCheck %s
// CHECK: 42 42, no end

#include <stdio.h>
extern int __hot_start;
int get(void);

#ifdef LIBRARY
int __hot_start = 42;
int get(void) { return __hot_start; }
#else
extern char __hot_end[] __attribute__((weak));

int main(void) {
  printf("%d %d, %s\n", __hot_start, get(), __hot_end ? "an end" : "no end");
  return 0;
}
#endif
