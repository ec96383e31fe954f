// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hints of a record: blocks of allocations, iterations of loops, by their lines.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %python %S/Inputs/hints.py %s %t/hints %t/stale
// RUN: clang -O2 -g -I%graupel-source/runtime/include -fpass-plugin=%passes -mllvm -fgdsm-hints=%t/hints -S -emit-llvm %s -o - 2>&1 | FileCheck %s
// RUN: clang -O2 -g -I%graupel-source/runtime/include -fpass-plugin=%passes -S -emit-llvm %s -o - | FileCheck %s --check-prefix=WITHOUT
//
// How often a loop in a loop runs tells how long a strip of the outer one is.
// RUN: clang -O2 -g -fno-vectorize -fno-unroll-loops -I%graupel-source/runtime/include -S -emit-llvm %s -o %t/code.ll
// RUN: opt -load=%passes -load-pass-plugin=%passes -passes='function(loop-simplify,lcssa),print<fgdsm-strips>' -disable-output %t/code.ll 2>&1 | FileCheck %s --check-prefix=GUESS
// RUN: opt -load=%passes -load-pass-plugin=%passes -fgdsm-hints=%t/hints -passes='function(loop-simplify,lcssa),print<fgdsm-strips>' -disable-output %t/code.ll 2>&1 | FileCheck %s --check-prefix=KNOWN
// GUESS: function 'nest':
// GUESS-NEXT: 84 iterations a strip
// KNOWN: function 'nest':
// KNOWN-NEXT: 7 iterations a strip
//
// What is wrong with a file is said, and nothing else happens.
// RUN: clang -O2 -g -I%graupel-source/runtime/include -fpass-plugin=%passes -mllvm -fgdsm-hints=%t/stale -S -emit-llvm %s -o %t/stale.ll 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: FileCheck %s --check-prefix=WITHOUT < %t/stale.ll
// STALE-DAG: warning: -fgdsm-hints: {{.*}}stale:2: `alloc hints.c:1 block=100` is no hint; it is left out
// STALE-DAG: warning: -fgdsm-hints: {{.*}}stale:3: `alloc hints.c block=128` is no hint; it is left out
// STALE-DAG: warning: -fgdsm-hints: {{.*}}stale:4: `loop hints.c:7 block=128` is no hint; it is left out
// STALE-DAG: warning: -fgdsm-hints: {{.*}}stale:5: hints.c:1 has no allocation; the source has changed since the record
// STALE-NOT: other.c
// RUN: clang -O2 -g -I%graupel-source/runtime/include -fpass-plugin=%passes -mllvm -fgdsm-hints=%t/nothing -S -emit-llvm %s -o %t/nothing.ll 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: FileCheck %s --check-prefix=WITHOUT < %t/nothing.ll
// NOTHING: warning: -fgdsm-hints: cannot read {{.*}}nothing: No such file or directory; compiling without hints
// RUN: clang -O2 -g -I%graupel-source/runtime/include -fpass-plugin=%passes -mllvm -fgdsm-hints=%s -S -emit-llvm %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: warning: -fgdsm-hints: {{.*}}hints.c does not begin with `graupel-fgdsm-hints 1`; compiling without hints
// RUN: clang -O2 -I%graupel-source/runtime/include -fpass-plugin=%passes -mllvm -fgdsm-hints=%t/hints -S -emit-llvm %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LINES
// LINES: warning: -fgdsm-hints: there are no line numbers, by which hints are found; compile with -g

#include <graupel/dsm.h>

// CHECK-LABEL: @allocate(
// CHECK: call ptr @gdsm_alloc(i64 noundef 1000000, i64 noundef 1024, i32 noundef -1)
// CHECK: call ptr @gdsm_alloc(i64 {{.*}}1000, i64 64, i32 -1)
// CHECK: call ptr @gdsm_alloc(i64 noundef 2000, i64 noundef 256, i32 noundef 0)
// CHECK: call ptr @gdsm_alloc(i64 noundef 3000, i64 noundef 0, i32 noundef 0)
// WITHOUT-LABEL: @allocate(
// WITHOUT: call ptr @gdsm_alloc(i64 noundef 1000000, i64 noundef 0, i32 noundef -1)
// WITHOUT: call ptr @gdsm_malloc(i64 noundef 1000)
// WITHOUT: call ptr @gdsm_alloc(i64 noundef 2000, i64 noundef 256, i32 noundef 0)
// WITHOUT: call ptr @gdsm_alloc(i64 noundef 3000, i64 noundef 0, i32 noundef 0)
void allocate(void **to) {
  to[0] = gdsm_alloc(1000000, 0, GDSM_HOME_ROUND_ROBIN); // HINT block=1024
  to[1] = gdsm_malloc(1000);                             // HINT block=64
  to[2] = gdsm_alloc(2000, 256, 0);                      // HINT block=4096
  to[3] = gdsm_alloc(3000, 0, 0);
}

void nest(double *to, long n) {
  for (long i = 0; i < 2000; ++i) {
    double s = 1;
    for (long k = 0; k < n; ++k) // HINT trips=200
      s = s * s + 1;
    to[i] = s;
  }
}
