// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// A child that counts into its parent's slot goes on with its own addresses of
// indirect targets when the parent is dead and its slot has another owner.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.plain
// RUN: %t.plain && %profile %t.plain.profile --slots | FileCheck %s
// RUN: %runtime-build %s -o %t.gs --threads
// RUN: %t.gs && %profile %t.gs.profile --slots | FileCheck %s
// RUN: %runtime-build %s -o %t.atomic --atomic
// RUN: %t.atomic && %profile %t.atomic.profile --slots | FileCheck %s
//
// CHECK: site 0 2000 1000
// CHECK-NEXT: site 1 100
// CHECK: slots 2

#include "image.h"
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void first(void) {}
static void second(void) {}
static void newOwners(void) {}

static void check(int Good) {
  if (!Good)
    abort();
}

static void waitFor(pid_t Child) {
  int Status;
  check(waitpid(Child, &Status, 0) == Child && Status == 0);
}

static void count(void) {
  for (int I = 0; I < 1000; ++I) {
    COUNT_TARGET(0, first);
    if (I % 2)
      COUNT_TARGET(0, second);
  }
}

int main(int NumArguments, char **Arguments) {
  if (NumArguments > 1) {
    for (int I = 0; I < 100; ++I)
      COUNT_TARGET(1, newOwners);
    return 0;
  }

  int Go[2], Done[2];
  char Byte = 0;
  check(pipe(Go) == 0 && pipe(Done) == 0);
  pid_t Parent = fork();
  if (Parent == 0) {
    // The child may not open the profile.
    struct rlimit None = {0, 0};
    setrlimit(RLIMIT_NOFILE, &None);
    if (fork() == 0) {
      count();
      check(read(Go[0], &Byte, 1) == 1);
      count();
      check(write(Done[1], &Byte, 1) == 1);
    }
    _exit(0);
  }
  waitFor(Parent);
  close(Done[1]);

  pid_t NewOwner = fork();
  if (NewOwner == 0) {
    execl("/proc/self/exe", Arguments[0], "again", (char *)NULL);
    _exit(1);
  }
  waitFor(NewOwner);
  check(write(Go[1], &Byte, 1) == 1);
  check(read(Done[0], &Byte, 1) == 1);
  return 0;
}
