// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that was not told of: an error, and the end, though the thread holds the
// lock that its own end would need.
// RUN: %stride-cc -I%S/../../runtime/include %s -o %t
// RUN: env GRAUPEL_STRIDE_OUT=%t.gstride %python -c "import subprocess, sys; sys.exit(subprocess.run([sys.argv[1]], timeout=20).returncode != 1)" %t > %t.txt 2>&1
// RUN: FileCheck %s --input-file=%t.txt
// CHECK: graupel stride: error: the program writes records of code that it has not told of; compile all of it with the same version
#include "graupel/stride_sites.h"

int known[2];

__attribute__((preserve_all)) char *drain(char *cursor) __asm__("graupel_stride_drain");

int main(void) {
  *(volatile int *)known = 1;
  char *cursor = drain(graupel_stride_cursor);
  ((void **)cursor)[0] = known;
  ((void **)cursor)[1] = known;
  drain(cursor + 16);
  return 0;
}
