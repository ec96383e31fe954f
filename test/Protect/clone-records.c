// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// glibc's clone has an unwind record for its caller, none for the system call and
// one for the new thread, which says that no frame is above. BOLT would read the
// first, and describe all of it by that: backtraces in new threads would run on.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -static -pthread %s -Wl,--emit-relocs -o %t
// RUN: graupel-bolt %t -o %t.o -verify -print-protected | FileCheck %s
// CHECK: GRAUPEL-INFO: __clone{{.*}} left as it is: it has several unwind records
// CHECK: GRAUPEL-INFO: verified
// RUN: %t > %t.expected
// RUN: %t.o > %t.said
// RUN: cmp %t.said %t.expected
#include <pthread.h>
#include <stdio.h>
#include <unwind.h>

static _Unwind_Reason_Code count(struct _Unwind_Context *Context, void *Depth) {
  (void)Context;
  return ++*(int *)Depth < 100 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void *work(void *Depth) {
  _Unwind_Backtrace(count, Depth);
  return Depth;
}

int main(void) {
  pthread_t Thread;
  int Depth = 0;
  pthread_create(&Thread, 0, work, &Depth);
  pthread_join(Thread, 0);
  printf("%d frames\n", Depth);
  return 0;
}
