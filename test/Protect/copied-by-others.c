// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that is copied stays, however memcpy is called: through the global
// offset table, through a stub without a name, by mold's name for a stub, and
// with an address that was loaded from a constant.
//
// REQUIRES: x86_64, gcc, mold
// DEFINE: %{flags} =
// DEFINE: %{try} = \
// DEFINE:   gcc -O2 -Wl,--emit-relocs %{flags} %s -o %t.exe && \
// DEFINE:   %t.exe > %t.before && rm -f %t.gprofile && \
// DEFINE:   graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -print-protected | FileCheck %s && \
// DEFINE:   %t.i | diff %t.before - && \
// DEFINE:   graupel-bolt %t.exe -o %t.o -data=%t.gprofile -verify && \
// DEFINE:   %t.o | diff %t.before -
// CHECK-NOT: other{{.*}} left as it is: a function
// CHECK-DAG: copied{{.*}} left as it is: a function reads or writes its code
// CHECK-NOT: other{{.*}} left as it is: a function
//
// RUN: %{try}
// REDEFINE: %{flags} = -fno-plt
// RUN: %{try}
// REDEFINE: %{flags} = -static
// RUN: %{try}
// REDEFINE: %{flags} = -static-pie
// RUN: %{try}
// REDEFINE: %{flags} = -fuse-ld=mold
// RUN: %{try}
// REDEFINE: %{flags} = -DLOADED
// RUN: %{try}
// REDEFINE: %{flags} = -DLOADED -no-pie -fno-plt
// RUN: %{try}

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

typedef unsigned Function(unsigned);
#define FUNCTION __attribute__((noipa, aligned(64)))

FUNCTION unsigned other(unsigned X) { return X * 5 + 1; }
FUNCTION unsigned copied(unsigned X) {
  for (int I = 0; I < 3; ++I)
    X = X * 33 + (X >> 5);
  return X;
}

#ifdef LOADED
extern Function *const Constant;
#else
#define Constant copied
#endif
volatile size_t Size = 64;

FUNCTION void copy(void *To) {
  size_t Bytes = Size;
  memcpy(To, (void *)Constant, Bytes);
}

#ifdef LOADED
__asm__(".section .data.rel.ro, \"aw\"\n.p2align 3\nConstant: .quad copied\n.text");
#endif

int main() {
  void *Room = mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unsigned Sum = 0;
  for (unsigned I = 0; I < 1000; ++I)
    Sum = Sum * 31 + copied(I) + other(I);
  copy(Room);
  for (unsigned I = 0; I < 1000; ++I)
    Sum = Sum * 31 + ((Function *)Room)(I);
  printf("%u\n", Sum);
  return 0;
}
