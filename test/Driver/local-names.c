// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function and a variable that objcopy made local have the names of global ones
// in another file. Relocations name them, as those of what is local from the
// beginning do not; code must not get the global ones.
//
// REQUIRES: x86_64, gcc
// RUN: rm -rf %t.d && mkdir %t.d
// DEFINE: %{options} =
// DEFINE: %{try} = \
// DEFINE:   gcc -O1 -c %s -DPART %{options} -o %t.d/part.o && \
// DEFINE:   objcopy --keep-global-symbol=part %t.d/part.o && \
// DEFINE:   gcc -O1 %s %t.d/part.o %{options} -Wl,--emit-relocs -o %t.d/program && \
// DEFINE:   llvm-readobj -r --expand-relocs %t.d/program | FileCheck %s --check-prefix=NAMED && \
// DEFINE:   %t.d/program | FileCheck %s && \
// DEFINE:   graupel-bolt %t.d/program -o %t.d/plain && \
// DEFINE:   %t.d/plain | FileCheck %s && \
// DEFINE:   graupel-bolt %t.d/program -o %t.d/plain -verify && \
// DEFINE:   graupel-bolt %t.d/program -o %t.d/instrumented -verify -instrument -instrumentation-file=%t.d/profile && \
// DEFINE:   %t.d/instrumented | FileCheck %s && \
// DEFINE:   graupel-bolt %t.d/program -o %t.d/faster -verify -hco -data=%t.d/profile && \
// DEFINE:   %t.d/faster | FileCheck %s
// NAMED: Symbol: helper
// CHECK: 1000 3 6 2 one two
//
// REDEFINE: %{options} = -no-pie
// RUN: %{try}
// REDEFINE: %{options} = -fPIE -pie
// RUN: %{try}
// REDEFINE: %{options} = -fPIC -pie -ffunction-sections
// RUN: %{try}
// REDEFINE: %{options} = -fPIC -fno-plt -pie -Wa,-mrelax-relocations=no
// RUN: %{try}
// REDEFINE: %{options} = -fPIE -pie -fuse-ld=lld
// RUN: %{try}
// REDEFINE: %{options} = -fPIC -pie -fuse-ld=gold
// RUN: %{try}
#include <stdio.h>

int part(int X);

#ifdef PART
__attribute__((noinline, noclone)) int helper(int X) { return X * 3; }
int (*volatile pointer)(int);
int count;
int part(int X) {
  count += 2;
  pointer = helper;
  printf("%d %d %d", helper(X), pointer(X + 1), count);
  return 0;
}
#else
const char *count[2] = {"one", "two"};
__attribute__((noinline, noclone)) int helper(int X) { return X * 1000; }
int main(int Count, char **Arguments) {
  printf("%d ", helper(Count));
  part(Count);
  printf(" %s %s\n", count[0], count[1]);
  return 0;
}
#endif
