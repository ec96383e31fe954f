// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -fnon-call-exceptions loads and stores throw, too. BOLT's exception tables
// cover calls only.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --compilers gcc --must-split 0 --flags="-O0 -fnon-call-exceptions -fPIE -pie" --flags="-O2 -fnon-call-exceptions -fPIE -pie" --flags="-O2 -fnon-call-exceptions -fno-pie -no-pie"
// RUN: g++ -O2 -fnon-call-exceptions -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s
// CHECK-DAG: load{{.*}} left as it is: instructions other than calls throw
// CHECK-DAG: mixed{{.*}} left as it is: instructions other than calls throw
// CHECK: GRAUPEL-INFO: {{.*}}have instructions other than calls that throw
//
// Ordinary exceptions are no reason.
// RUN: g++ -O2 -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt -v=1 %t.exe -o %t.o | FileCheck %s --check-prefix=CALLS --implicit-check-not="left as"
// RUN: clang++ -O2 -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt -v=1 %t.exe -o %t.o | FileCheck %s --check-prefix=CALLS --implicit-check-not="left as"
// CALLS: BOLT-INFO
#include <csignal>
#include <cstdio>
#include <cstdlib>

#define NOINLINE __attribute__((noinline))

struct Noise {
  const char *Name;
  ~Noise() { printf("leaving %s\n", Name); }
};

NOINLINE int load(volatile int *From) {
  try {
    return *From;
  } catch (int Thrown) {
    return Thrown;
  }
}

NOINLINE int mixed(volatile int *From, int N) {
  Noise Here{"mixed"};
  try {
    printf("before %d\n", N);
    int X = *From;
    printf("after %d\n", N);
    return X;
  } catch (int Thrown) {
    printf("caught\n");
    return Thrown + 1;
  }
}

int main() {
  struct sigaction Action = {};
  Action.sa_flags = SA_NODEFER;
  Action.sa_handler = [](int) { throw 5; };
  sigaction(SIGSEGV, &Action, nullptr);
  volatile int Fine = 3;
  printf("%d %d\n", load(&Fine), load(nullptr));
  printf("%d\n", mixed(&Fine, 1));
  printf("%d\n", mixed(nullptr, 2));
  return 0;
}
