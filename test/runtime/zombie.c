// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// A process whose first thread has ended is alive as long as others are, and its
// slot stays its own; a zombie's does not.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.prog -- -pthread
// RUN: %t.prog 0 && %profile %t.prog.profile --slots | FileCheck %s
// CHECK:      counter 0 2
// CHECK-NEXT: counter 1 1
// CHECK-NEXT: counter 2 1
// CHECK-NEXT: slots 2

#include "image.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *Program;

static void run(const char *What) {
  pid_t Child = vfork();
  if (Child == 0) {
    execl(Program, Program, What, NULL);
    _exit(1);
  }
  // Its zombie stays around.
  siginfo_t Info;
  if (waitid(P_PID, Child, &Info, WEXITED | WNOWAIT) || Info.si_status)
    _exit(2);
}

static void *goOn(void *First) {
  usleep(50000);
  COUNT(0);
  run("1");
  run("2");
  COUNT(0);
  exit(0);
}

int main(int Count, char **Arguments) {
  Program = Arguments[0];
  if (Arguments[1][0] == '1')
    COUNT(1);
  if (Arguments[1][0] == '2')
    COUNT(2);
  if (Arguments[1][0] != '0')
    return 0;
  pthread_t Thread;
  if (pthread_create(&Thread, NULL, goOn, NULL))
    return 1;
  pthread_exit(NULL);
}
