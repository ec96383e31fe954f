// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Room for the headers of a static program's new segments comes from the note that
// PT_GNU_PROPERTY names a second time.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -static -Wl,--emit-relocs %s -o %t
// RUN: graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile -verify | FileCheck %s
// CHECK: verified
// RUN: %t.i | FileCheck %s --check-prefix=RAN
// RAN: it runs
#include <stdio.h>

int main(void) { return puts("it runs") < 0; }
