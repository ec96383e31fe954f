// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc, clang
// What runs before the runtime is ready is counted, too: resolvers of indirect
// functions, .preinit_array, constructors.
//
// RUN: %exact %s -o %t --builds gcc:pie,clang:no-pie,clang:static,gcc:static-pie \
// RUN:   --expect resolved=1 implementation=1000 preinit=3 constructed=5 destructed=7 main=1
//
// The same by another linker.
// RUN: %exact %s -o %t.lld --flags=-fuse-ld=lld --builds clang:pie,clang:static,clang:static-pie --runs 1 \
// RUN:   --expect resolved=1 implementation=1000 preinit=3 constructed=5 destructed=7 main=1

#include "units.h"

UNIT(resolved, 1)
UNIT(preinit, 2)
UNIT(constructed, 3)
UNIT(destructed, 4)
UNIT(implementation, 5)

static void (*resolve(void))(void) {
  resolved();
  return implementation;
}
static void indirect(void) __attribute__((ifunc("resolve")));

static void initialize(int Count, char **Arguments, char **Environment) {
  for (int I = 0; I < 3; ++I)
    preinit();
}
__attribute__((section(".preinit_array"), used)) static void (*Preinit)(
    int, char **, char **) = initialize;

__attribute__((constructor)) static void construct(void) {
  for (int I = 0; I < 5; ++I)
    constructed();
}
__attribute__((destructor)) static void destruct(void) {
  for (int I = 0; I < 7; ++I)
    destructed();
}

int main(void) {
  for (int I = 0; I < 1000; ++I)
    indirect();
  return 0;
}
