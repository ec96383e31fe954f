// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -fnon-call-exceptions each range of the program's tables holds a call,
// but one begins with a load that throws.
//
// REQUIRES: x86_64, gcc
// RUN: g++ -O2 -fnon-call-exceptions -Wl,--emit-relocs %s -o %t.exe
// RUN: %t.exe > %t.before && rm -f %t.gprofile
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -print-protected | FileCheck %s
// CHECK: loadAndCall{{.*}} left as it is: instructions other than calls throw
// RUN: %t.i | diff %t.before -
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile -verify && %t.o | diff %t.before -
//
// Clang's ranges begin with what prepares a call, which is no sign of that.
// RUN: clang++ -O2 -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt -v=1 %t.exe -o %t.o | FileCheck %s --check-prefix=CALLS --implicit-check-not="left as"
// RUN: g++ -O2 -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt -v=1 %t.exe -o %t.o | FileCheck %s --check-prefix=CALLS --implicit-check-not="left as"
// CALLS: BOLT-INFO
#include <csignal>
#include <cstdio>
#include <stdexcept>

#define NOINLINE __attribute__((noinline))

NOINLINE void touch(int X) {
  if (X < 0)
    throw 5;
  asm volatile("" ::"r"(X));
}

NOINLINE int loadAndCall(volatile int *From) {
  try {
    int X = *From;
    touch(X);
    return X;
  } catch (std::exception &E) {
    printf("caught %s\n", E.what());
    return -1;
  } catch (int) {
    return -2;
  }
}

int main(int Count, char **) {
  struct sigaction Action = {};
  Action.sa_flags = SA_NODEFER;
  Action.sa_handler = [](int) { throw std::runtime_error("a fault"); };
  sigaction(SIGSEGV, &Action, nullptr);
  long Sum = 0;
  for (int I = 0; I < 1000; ++I) {
    int X = I % 7 - 1;
    Sum += loadAndCall(&X);
  }
  printf("%ld\n", Sum);
#ifndef __clang__
  printf("%d\n", loadAndCall(reinterpret_cast<volatile int *>(8)));
#endif
  return 0;
}
