// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that the loader can look up keep addresses of their own: programs
// compare what dlsym() finds, plugins compare &first with &second. Functions that
// nobody can compare are folded, and with -icf=all those, too.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -fno-ipa-icf -rdynamic %s -Wl,--emit-relocs -o %t
// RUN: %t | FileCheck %s
// RUN: graupel-bolt %t -o %t.counting -instrument -instrumentation-file=%t.profile && %t.counting >%t.out
// RUN: graupel-bolt %t -o %t.faster -data=%t.profile -verify && %t.faster | FileCheck %s
// RUN: nm %t.faster | FileCheck %s --check-prefix=FOLDED
// RUN: graupel-bolt %t -o %t.hot -data=%t.profile -hco -verify && %t.hot | FileCheck %s
// RUN: graupel-bolt %t -o %t.all -data=%t.profile -icf -verify && %t.all | FileCheck %s --check-prefix=ALL
// RUN: graupel-bolt %t -o %t.all -data=%t.profile -icf=1 -verify && %t.all | FileCheck %s --check-prefix=ALL
// RUN: graupel-bolt %t -o %t.all -data=%t.profile --icf=all -verify && %t.all | FileCheck %s --check-prefix=ALL
// RUN: graupel-bolt %t -o %t.all -data=%t.profile -icf=safe -icf=all -verify && %t.all | FileCheck %s --check-prefix=ALL
// RUN: graupel-bolt %t -o %t.last -data=%t.profile -icf=all -icf=safe -verify && %t.last | FileCheck %s
// CHECK: equal 0, second
// ALL: equal 1
// FOLDED-DAG: [[WHERE:[0-9a-f]+]] {{.*}} local_one
// FOLDED-DAG: [[WHERE]] {{.*}} local_two
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

__attribute__((noinline)) int first(int X) { return X * 3 + 1; }
__attribute__((noinline)) int second(int X) { return X * 3 + 1; }
static __attribute__((noinline, noclone)) int local_one(int X) {
  return X * 5 + 2;
}
static __attribute__((noinline, noclone)) int local_two(int X) {
  return X * 5 + 2;
}

int main(int Count, char **Arguments) {
  Dl_info Info;
  void *One = dlsym(RTLD_DEFAULT, "first"), *Two = dlsym(RTLD_DEFAULT, "second");
  if (!One || !Two || !dladdr(Two, &Info))
    return 1;
  printf("equal %d, %s (%d)\n", One == Two, Info.dli_sname,
         first(Count) + second(Count) + local_one(Count) + local_two(Count));
}
