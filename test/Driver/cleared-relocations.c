// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lld -O2 clears the relocations of data for which the loader has its own.
//
// REQUIRES: x86_64, clang
// RUN: clang -O1 -fPIE -pie %s -fuse-ld=lld -Wl,--emit-relocs,-O2 -o %t.exe
// RUN: llvm-readelf -r %t.exe | FileCheck %s --check-prefix CLEARED
// CLEARED: .rela.data'
// CLEARED: 0000000000000000 {{.*}} R_X86_64_NONE
// RUN: graupel-bolt %t.exe -o %t.o -verify
// RUN: %t.o a b
// RUN: rm -f %t.gprofile
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -verify
// RUN: %t.i a b
// RUN: graupel-bolt %t.exe -o %t.h -data=%t.gprofile -hco -verify
// RUN: %t.h a b
#include <string.h>

static int f1(int X) { return X + 1; }
static int f2(int X) { return X * 3; }
static int f3(int X) { return X - 7; }

static int (*const Constant[])(int) = {f1, f2, f3};
int (*Table[3])(int) = {f2, f3, f1};
const char *volatile Names[] = {"one", "two", "three"};

int main(int Argc, char **Argv) {
  int Wrong = 0;
  for (int I = 0; I < 3 * Argc; ++I)
    Wrong += Constant[I % 3](I) == Table[I % 3](I) && I > 0;
  return Wrong || Table[0](Argc) != 3 * Argc || strcmp(Names[2], "three");
}
