// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// glibc's clone has an unwind record for its caller, none for the system call and
// one for the new thread, which says that no frame is above. BOLT reads the first;
// the others are joined to it. Counting threads needs the function rewritten.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -static -pthread %s -Wl,--emit-relocs -o %t
// RUN: graupel-bolt %t -o %t.o -verify -print-protected | FileCheck %s
// CHECK-NOT: __clone{{.*}} left as it is
// CHECK: graupel-bolt: verified
// RUN: llvm-dwarfdump --eh-frame %t.o | FileCheck %s --check-prefix=ROWS
// ROWS: RIP=undefined
// RUN: %t > %t.expected
// RUN: %t.o > %t.said
// RUN: cmp %t.said %t.expected
// RUN: graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile -verify
// RUN: %t.i > %t.said
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
