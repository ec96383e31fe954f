// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that has a GS base of its own, as emulators and loaders of other
// systems' programs have: counters are not found by GS then.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -pthread -Wl,--emit-relocs %s -o %t.exe && %t.exe
// RUN: rm -f %t.gprofile && graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -verify | FileCheck %s
// RUN: %t.i
// RUN: %counts %t.gprofile get=400
//
// CHECK: the program uses GS, in get; counting with locked instructions, as with -atomic
#include <asm/prctl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

struct Block {
  struct Block *Self;
  long Value;
};

__attribute__((noinline)) static long get(void) {
  long Value;
  asm volatile("mov %%gs:8, %0" : "=r"(Value));
  return Value;
}

static void *work(void *Unused) {
  volatile struct Block Own = {(struct Block *)&Own, 0};
  syscall(SYS_arch_prctl, ARCH_SET_GS, &Own);
  long Sum = 0;
  for (long I = 0; I < 100; ++I) {
    Own.Value = I;
    Sum += get();
  }
  return (void *)Sum;
}

int main(void) {
  pthread_t Threads[3];
  for (int T = 0; T < 3; ++T)
    pthread_create(&Threads[T], 0, work, 0);
  int Wrong = work(0) != (void *)4950;
  for (int T = 0; T < 3; ++T) {
    void *Sum;
    pthread_join(Threads[T], &Sum);
    Wrong += Sum != (void *)4950;
  }
  return Wrong;
}
