// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a static program the address of an indirect function is that of a stub; the
// relocation names the resolver. The pointers still lead to the function, in
// code and in data, and in glibc's own setenv().
//
// REQUIRES: x86_64, gcc
// DEFINE: %{flags} =
// DEFINE: %{run} = gcc -O2 -static %{flags} %s -Wl,--emit-relocs -o %t && \
// DEFINE:   graupel-bolt %t -o %t.o -verify -lite=0 && %t.o | FileCheck %s
// RUN: %{run}
// REDEFINE: %{flags} = -fno-pie -no-pie
// RUN: %{run}
// CHECK: equal 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int (*const Compare[])(const char *, const char *) = {strcmp};

int main(int argc, char **argv) {
  int (*volatile Same)(const char *, const char *) = strcmp;
  setenv("GRAUPEL", "1", 1);
  setenv("GRAUPEL", "2", 1);
  if (Same("a", "a") || Compare[argc - 1]("b", "b"))
    puts("different");
  else
    printf("equal %s\n", getenv("GRAUPEL"));
  return 0;
}
