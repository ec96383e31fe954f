// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program says of its pointers, at each level; and that saying it costs
// nothing.
//
// RUN: clang -O2 -I%graupel-source/runtime/include -fpass-plugin=%passes -mllvm -fgdsm-verify -S -emit-llvm %s -o - | FileCheck %s
// RUN: clang -O0 -I%graupel-source/runtime/include -fpass-plugin=%passes -mllvm -fgdsm-verify -S -emit-llvm %s -o - | FileCheck %s
// RUN: clang -O2 -I%graupel-source/runtime/include -fpass-plugin=%passes -S -emit-llvm %s -o - | FileCheck %s --check-prefix=FAST
// RUN: clang -O2 -I%graupel-source/runtime/include -fpass-plugin=%passes -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS --implicit-check-not=graupel.fgdsm
// SYMBOLS: graupel_dsm_
#include <graupel/dsm.h>

struct table {
  GDSM_PRIVATE double *own;
  double *other;
};
GDSM_PRIVATE double *mine;
double *ours;

// CHECK-LABEL: define {{.*}} @parameter(
// CHECK-NOT: graupel_dsm
// CHECK: ret double
double parameter(GDSM_PRIVATE double *p) { return *p + p[5]; }

// The same without the word.
// CHECK-LABEL: define {{.*}} @unknown_parameter(
// CHECK: graupel_dsm_load
// CHECK: ret double
double unknown_parameter(double *p) { return *p; }

// CHECK-LABEL: define {{.*}} @variable(
// CHECK-NOT: graupel_dsm
// CHECK: ret void
void variable(void) {
  GDSM_PRIVATE double *p = mine;
  *p = 1;
}

// CHECK-LABEL: define {{.*}} @global(
// CHECK-NOT: graupel_dsm
// CHECK: ret void
void global(void) { mine[3] = 1; }

// CHECK-LABEL: define {{.*}} @other_global(
// CHECK: graupel_dsm_store
// CHECK: ret void
void other_global(void) { ours[3] = 1; }

// Each field for itself, and the structure is not private because a field is.
// CHECK-LABEL: define {{.*}} @field(
// CHECK: graupel_dsm_load
// CHECK-NOT: graupel_dsm
// CHECK: ret void
void field(struct table *t) { t->own[2] = 1; }

// CHECK-LABEL: define {{.*}} @other_field(
// CHECK: graupel_dsm_store
// CHECK: ret void
void other_field(struct table *t) { t->other[2] = 1; }

// A private object made shared, as far as we are told.
// CHECK-LABEL: define {{.*}} @told(
// CHECK: graupel_dsm_store
// CHECK: ret void
void told(void) {
  GDSM_SHARED double *p = mine;
  *p = 1;
}

// CHECK-LABEL: define {{.*}} @unchecked(
// CHECK-NOT: graupel_dsm
// CHECK: ret double
GDSM_NOCHECK double unchecked(double *p) { return *p; }

// CHECK-LABEL: define {{.*}} @inlined(
// CHECK-NOT: graupel_dsm
// CHECK: ret double
static inline __attribute__((always_inline)) GDSM_NOCHECK double
inlined_unchecked(double *p) {
  return *p;
}
double inlined(double *p) { return inlined_unchecked(p); }

// CHECK-LABEL: define {{.*}} @silent(
// CHECK-NOT: graupel_dsm
// CHECK: ret void
GDSM_NOPOLL void silent(volatile int *count, int n) {
  volatile int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += i;
}

// Annotated pointers stay in registers, and the loop is vectorized.
// FAST-LABEL: define {{.*}} @sum(
// FAST-NOT: alloca
// FAST: load <{{[0-9]+}} x i32>
// FAST-NOT: graupel_dsm_load
// FAST: ret i32
int sum(GDSM_PRIVATE const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}
