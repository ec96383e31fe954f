// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Old assembly asks for a writable .eh_frame, which makes the program's writable.
// The old records still go beside the new ones, where the index and strip find them.
//
// REQUIRES: x86_64, gcc
// RUN: echo '.section .eh_frame,"aw",@progbits' > %t.s
// RUN: echo '.section .note.GNU-stack,"",@progbits' >> %t.s
// RUN: g++ -O2 %s %t.s -Wl,--emit-relocs -o %t
// RUN: llvm-readelf -S %t | FileCheck %s --check-prefix=INPUT
// INPUT: .eh_frame {{.*}} WA
// RUN: graupel-bolt %t -o %t.o -verify
// RUN: llvm-readelf -S %t.o | FileCheck %s --implicit-check-not=.relocated
// CHECK: .eh_frame {{.*}} A
// RUN: strip %t.o -o %t.stripped && %t.stripped
// RUN: rm -f %t.gprofile && graupel-bolt %t -o %t.i -instrument -verify -instrumentation-file=%t.gprofile
// RUN: strip %t.i -o %t.stripped && %t.stripped
// RUN: graupel-bolt %t -o %t.o -data=%t.gprofile -hco -verify
// RUN: strip %t.o -o %t.stripped && %t.stripped
#include <cstdlib>

static int compare(const void *A, const void *B) {
  if (*static_cast<const int *>(A) + *static_cast<const int *>(B) == 7)
    throw 5;
  return *static_cast<const int *>(A) - *static_cast<const int *>(B);
}

int main() {
  int Numbers[] = {3, 4};
  try {
    // Through frames of the C library.
    qsort(Numbers, 2, sizeof(int), compare);
  } catch (int X) {
    return X != 5;
  }
  return 1;
}
