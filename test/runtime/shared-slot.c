// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// A child that may not open the profile counts into its parent's slot, silently.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.prog --threads
// RUN: %t.prog 2>&1 | count 0
// RUN: %profile %t.prog.profile --slots | FileCheck %s
// CHECK:      counter 0 20
// CHECK-NEXT: counter 1 20
// CHECK-NEXT: slots 1

#include "image.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void *count(void *Argument) {
  COUNT(1);
  return Argument;
}

int main(void) {
  struct rlimit None = {0, 0};
  setrlimit(RLIMIT_NOFILE, &None);
  for (int I = 0; I < 20; ++I) {
    pid_t Child = fork();
    if (Child == 0) {
      COUNT(0);
      pthread_t Thread;
      if (pthread_create(&Thread, NULL, count, NULL))
        _exit(1);
      _exit(pthread_join(Thread, NULL));
    }
    int Status;
    if (waitpid(Child, &Status, 0) != Child || Status)
      abort();
  }
  return 0;
}
