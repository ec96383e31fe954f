// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handler of signals throws from a small function, which its caller catches. In
// the place of the call the load would be in no call site of the caller's table,
// and the program would end. What cannot trap is inlined.
//
// REQUIRES: x86_64, gcc
// RUN: rm -rf %t && mkdir %t
// RUN: g++ -O2 -fnon-call-exceptions %s -Wl,--emit-relocs -o %t/object
// RUN: graupel-bolt %t/object -o %t/instrumented -instrument -instrumentation-file=%t/profile
// RUN: %t/instrumented
// RUN: graupel-bolt %t/object -o %t/faster -data=%t/profile -hco -hco-growth=1000 -hco-verify -verify
// RUN: %t/faster
// RUN: llvm-objdump -d --no-show-raw-insn %t/faster | FileCheck %s
// CHECK-LABEL: <guarded>:
// CHECK: callq {{.*}} <load>
// CHECK-LABEL: <plain>:
// CHECK-NOT: callq {{.*}} <add>
// CHECK: callq {{.*}} <check>
#include <csignal>

#define NOIPA extern "C" __attribute__((noipa))

static void handler(int) {
  sigset_t Signals;
  sigfillset(&Signals);
  sigprocmask(SIG_UNBLOCK, &Signals, nullptr);
  throw 1;
}

NOIPA int load(int *P) { return *P; }
NOIPA int add(int A, int B) { return A + 3 * B; }
NOIPA void check(int X) {
  if (X < 0)
    throw 2;
}

NOIPA int guarded(int *P) {
  try {
    return load(P) + 1;
  } catch (int) {
    return -1;
  }
}

NOIPA int plain(int X) {
  try {
    const int Y = add(X, 5);
    check(Y);
    return Y;
  } catch (int) {
    return -2;
  }
}

int main() {
  std::signal(SIGSEGV, handler);
  int X = 5, Sum = 0;
  for (int I = 0; I < 1000; ++I)
    Sum += guarded(&X) + plain(I);
  if (guarded(nullptr) != -1 || plain(-100) != -2)
    return 1;
  return Sum != 1000 * (6 + 15) + 999 * 500;
}
