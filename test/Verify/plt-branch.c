// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A conditional branch to a stub of the PLT becomes a jump through the GOT, which is
// compared with the stub's. The linker says of the stub's frame how it depends on
// where the code is; that has to be worked out.
//
// REQUIRES: x86_64, clang
// DEFINE: %{how} = -Wl,--emit-relocs -fuse-ld=bfd
// DEFINE: %{test} = clang-22 -O2 %s -o %t %{how} && rm -f %t.gprofile \
// DEFINE:   && graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile -verify && %t.i \
// DEFINE:   && graupel-bolt %t -o %t.fast -data=%t.gprofile -verify && %t.fast
// RUN: %{test}
// RUN: llvm-objdump -d --no-show-raw-insn --disassemble-symbols=drop %t | FileCheck %s
// CHECK: j{{n?}}e {{.*}}<free@plt>
// REDEFINE: %{how} = -Wl,--emit-relocs -fuse-ld=bfd -no-pie -Wl,-z,now
// RUN: %{test}
// REDEFINE: %{how} = -s -fuse-ld=bfd
// RUN: %{test}
#include <stdlib.h>
struct S {
  void *P;
  long N;
};
__attribute__((noinline)) void drop(struct S *X) {
  void *P = X->P;
  if (P) {
    X->N++;
    if (X->N)
      free(P);
  }
}
int main(void) {
  struct S X = {0, 0};
  for (int I = 0; I < 1000; I++) {
    X.P = I % 3 ? malloc(10) : 0;
    drop(&X);
  }
  return X.N != 666;
}
