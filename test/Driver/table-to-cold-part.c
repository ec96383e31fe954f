// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gcc moves what is never reached out of a switch into the function's cold part, and its
// jump table leads there. With -recover-branches=false, and where the table or the part is
// not its own, the function is skipped, and that is the reason that is told.
// Skipped functions that did not run are counted and named, too.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -freorder-blocks-and-partition %s -Wl,--emit-relocs -o %t
// RUN: graupel-bolt %t -o %t.i -instrument
// RUN: env GRAUPEL_PROFILE=%t.gprofile %t.i
// RUN: graupel-bolt %t -o %t.o -data=%t.gprofile -recover-branches=false | FileCheck %s
// RUN: %t.o
// CHECK: graupel-bolt: skipped {{[0-9]+}} functions, {{[0-9]+}} of which ran, the hottest: evaluate (called {{[0-9]+}} times: a jump table leads to its cold part, which -fno-reorder-blocks-and-partition avoids), {{.*}}; and 1 more: -v=1
// RUN: graupel-bolt %t -o %t.o -data=%t.gprofile -recover-branches=false -v=1 2>/dev/null | FileCheck %s --check-prefix=ALL
// ALL: graupel-bolt: skipped {{[0-9]+}} functions, {{[0-9]+}} of which ran:
// ALL: graupel-bolt:   evaluate (called
// ALL: graupel-bolt:   evaluate.cold (a jump table leads to its cold part
#include <stdlib.h>

__attribute__((noinline)) long evaluate(char Operator, long A, long B) {
  switch (Operator) {
  case '#':
    return A;
  case '+':
    return A + B;
  case '-':
    return A - B;
  case '*':
    return A * B;
  case '&':
    return A & B;
  case '/':
    return A | B;
  case '.':
    return A ^ B;
  default:
    abort();
  }
}

int main(void) {
  long Sum = 0;
  for (int I = 0; I < 1000; ++I)
    Sum += evaluate("#+-*&/."[I % 7], I, Sum);
  return Sum == 0;
}
