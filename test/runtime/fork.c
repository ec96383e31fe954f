// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// Children of fork count for themselves, and no count is lost or doubled.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.dynamic
// RUN: %t.dynamic && %t.dynamic && %profile %t.dynamic.profile | FileCheck %s
// RUN: %runtime-build %s -o %t.gs --threads
// RUN: %t.gs && %t.gs && %profile %t.gs.profile | FileCheck %s
// RUN: %runtime-build %s -o %t.static -- -static -DSTATIC
// RUN: %t.static && %t.static && %profile %t.static.profile | FileCheck %s
//
// 2 runs of 1 + 3 + 9 + 27 + 81 processes.
// CHECK:      counter 0 2420000
// CHECK-NEXT: counter 1 242
// CHECK-NEXT: counter 2 2
// CHECK-NEXT: counter 3 2000
// CHECK-NOT:  counter

#include "image.h"
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef STATIC
static pid_t forkCounted(void) {
  pid_t Result;
  // With known registers, as the stub must keep them.
  asm volatile("leaq -128(%%rsp), %%rsp\n\t"
               "movq $0x1234, %%r12; movq $0x5678, %%r10\n\t"
               "callq graupel_rt_forked\n\t"
               "leaq 128(%%rsp), %%rsp\n\t"
               "cmpq $0x1234, %%r12; jne 1f\n\t"
               "cmpq $0x5678, %%r10; je 2f\n\t"
               "1: ud2\n\t"
               "2:"
               : "=a"(Result)
               : "a"(fork())
               : "r12", "r10", "cc", "memory");
  return Result;
}
#else
#define forkCounted fork
#endif

extern char **environ;

static void check(pid_t Child) {
  int Status;
  if (Child < 0 || waitpid(Child, &Status, 0) != Child || Status)
    abort();
}

static void work(int Depth) {
  pid_t Children[3];
  for (int I = 0; Depth < 4 && I < 3; ++I)
    if ((Children[I] = forkCounted()) == 0) {
      work(Depth + 1);
      _exit(0);
    }
  for (int I = 0; I < 10000; ++I)
    COUNT(0);
  COUNT(1);
  for (int I = 0; Depth < 4 && I < 3; ++I)
    check(Children[I]);
}

int main(int Count, char **Arguments) {
  work(0);
  COUNT(2);

  // Children that share memory leave their parent's slot alone.
  for (int I = 0; I < 100; ++I) {
    pid_t Child = vfork();
#ifdef STATIC
    asm volatile("leaq -128(%%rsp), %%rsp\n\t"
                 "callq graupel_rt_forked\n\t"
                 "leaq 128(%%rsp), %%rsp\n\t" ::"a"((long)Child)
                 : "cc", "memory");
#endif
    if (Child == 0) {
      for (int J = 0; J < 5; ++J)
        COUNT(3);
      _exit(0);
    }
    check(Child);
    for (int J = 0; J < 5; ++J)
      COUNT(3);
  }
  pid_t Spawned;
  char *Command[] = {"true", NULL};
  if (posix_spawnp(&Spawned, "true", NULL, NULL, Command, environ))
    return 1;
  check(Spawned);
  return 0;
}
