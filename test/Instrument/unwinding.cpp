// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program looks for its callers at each instruction, as sampling profilers do
// now and then. Code that counts moves the stack pointer: with the rules of the
// code around it, an unwinder finds no caller, or reads where nothing is.
// Counters among flags that are in use and indirect calls move it.
//
// REQUIRES: x86_64, gcc
// RUN: rm -rf %t && mkdir %t
// RUN: g++ -O2 %s -Wl,--emit-relocs -o %t/object
// RUN: %t/object | FileCheck %s
// RUN: graupel-bolt %t/object -o %t/counted -verify -instrument \
// RUN:   -instrumentation-file=%t/profile
// RUN: %t/counted | FileCheck %s
// RUN: graupel-bolt %t/object -o %t/counted -verify -instrument -atomic \
// RUN:   -instrumentation-file=%t/profile
// RUN: %t/counted | FileCheck %s
// RUN: g++ -O2 -fno-omit-frame-pointer %s -Wl,--emit-relocs -o %t/framed
// RUN: graupel-bolt %t/framed -o %t/counted -verify -instrument \
// RUN:   -instrumentation-file=%t/framed.profile
// RUN: %t/counted | FileCheck %s
// CHECK: work: all callers found
#include <csignal>
#include <cstdio>
#include <ucontext.h>
#include <unwind.h>

extern "C" int main();

static void *Main;
static long Steps, Lost;

static _Unwind_Reason_Code lookAt(_Unwind_Context *C, void *Found) {
  void *Place = reinterpret_cast<void *>(_Unwind_GetIP(C));
  *static_cast<bool *>(Found) |= _Unwind_FindEnclosingFunction(Place) == Main;
  return _URC_NO_REASON;
}

static void step(int, siginfo_t *, void *Context) {
  auto *State = static_cast<ucontext_t *>(Context);
  const auto Place = State->uc_mcontext.gregs[REG_RIP];
  // The runtime's own functions have no unwind records.
  if (!_Unwind_FindEnclosingFunction(reinterpret_cast<void *>(Place + 1)))
    return;
  bool Found = false;
  _Unwind_Backtrace(lookAt, &Found);
  ++Steps;
  Lost += !Found;
}

__attribute__((noipa)) static unsigned odd(unsigned X) { return X * 3 + 1; }
__attribute__((noipa)) static unsigned even(unsigned X) { return X / 2; }
static unsigned (*volatile Next[])(unsigned) = {even, odd};

__attribute__((noipa)) static unsigned work(unsigned X) {
  unsigned Sum = 0;
  while (X > 1) {
    X = Next[X & 1](X);
    // The carry is in use where the loop is counted.
    __asm__ volatile("addl %1, %0\n"
                     "jnc 1f\n"
                     "adcl $7, %0\n"
                     "1: adcl $0, %0"
                     : "+r"(Sum)
                     : "r"(X * 0x9e3779b9u)
                     : "cc");
  }
  return Sum;
}

static void setTrapFlag(bool On) {
  // What is pushed is known but for the flag.
  __asm__ volatile("testq %0, %0\n"
                   "lea -128(%%rsp), %%rsp\n"
                   "pushfq\n"
                   "andq $~0x100, (%%rsp)\n"
                   "orq %0, (%%rsp)\n"
                   "popfq\n"
                   "lea 128(%%rsp), %%rsp"
                   :
                   : "r"(On ? 0x100L : 0L)
                   : "cc", "memory");
}

int main() {
  Main = _Unwind_FindEnclosingFunction(
      reinterpret_cast<char *>(reinterpret_cast<long>(main)) + 1);
  struct sigaction Action = {};
  Action.sa_sigaction = step;
  Action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &Action, nullptr);
  // The addresses of what it needs are known, and nothing else is traced.
  step(0, nullptr, [] {
    static ucontext_t Here;
    getcontext(&Here);
    return &Here;
  }());
  unsigned Sum = work(27);
  Steps = Lost = 0;
  setTrapFlag(true);
  const unsigned Again = work(27);
  setTrapFlag(false);
  std::printf("work: %s\n", Again != Sum   ? "wrong"
                            : Steps < 1000 ? "not traced"
                            : Lost         ? "callers lost"
                                           : "all callers found");
}
