// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly without a label in a section of its own, or in .text.unlikely, which
// linkers put first: no symbol says where it begins. It stays where it is, and so
// do the functions that it jumps to in the middle of; others are optimized.
//
// REQUIRES: x86_64, gcc
// RUN: rm -rf %t.d && mkdir %t.d
// DEFINE: %{section} =
// DEFINE: %{options} =
// DEFINE: %{try} = \
// DEFINE:   gcc -O2 -Wl,--emit-relocs %s -o %t.d/program -DSECTION=%{section} %{options} && \
// DEFINE:   %t.d/program > %t.d/before && \
// DEFINE:   graupel-bolt %t.d/program -o %t.d/plain -verify -v=1 2>&1 | FileCheck %s && \
// DEFINE:   %t.d/plain | diff %t.d/before - && \
// DEFINE:   graupel-bolt %t.d/program -o %t.d/instrumented -verify -instrument -instrumentation-file=%t.d/profile && \
// DEFINE:   %t.d/instrumented | diff %t.d/before - && \
// DEFINE:   graupel-bolt %t.d/program -o %t.d/faster -verify -hco -data=%t.d/profile && \
// DEFINE:   %t.d/faster | diff %t.d/before -
//
// REDEFINE: %{section} = .text.unlikely
// RUN: %{try}
// REDEFINE: %{section} = .fixup
// RUN: %{try}
// REDEFINE: %{options} = -static
// RUN: %{try}
// REDEFINE: %{options} = -no-pie
// RUN: %{try}
//
// CHECK: {{(\.text|\.fixup)}}+0{{.*}} left as it is: it has no symbol
#include <stdio.h>

#define STRING(Text) #Text
#define TEXT(Text) STRING(Text)
#define RARE(Number)                                                           \
  ".pushsection " TEXT(SECTION) ", \"ax\", @progbits\n"                        \
  "1: lea " Number "(%0), %0\n"                                                \
  "add offset(%%rip), %0\n"                                                    \
  "jmp 2b\n"                                                                   \
  ".popsection"

__attribute__((used)) int offset = 1000;

__attribute__((noinline)) int work(int X) {
  int Result;
  __asm__ volatile("mov %1, %0\n"
                   "test $7, %0\n"
                   "jz 1f\n"
                   "2: add $1, %0\n" RARE("100")
                   : "=&r"(Result)
                   : "r"(X));
  return Result;
}

__attribute__((noinline)) int more(int X) {
  int Result;
  __asm__ volatile("mov %1, %0\n"
                   "test $3, %0\n"
                   "jz 1f\n"
                   "2: add $1, %0\n" RARE("200")
                   : "=&r"(Result)
                   : "r"(X));
  return Result;
}

__attribute__((noinline)) int sum(int N) {
  int S = 0;
  for (int I = 0; I < N; ++I)
    S += I & 4 ? work(I) : more(I);
  return S;
}

int main(void) {
  for (int I = 0; I < 10; ++I)
    printf("%d %d\n", work(I), sum(I));
  return 0;
}
