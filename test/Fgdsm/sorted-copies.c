// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// qsort sorts a private copy: what only compares for it has no checks.
//
// RUN: clang -O2 -fpass-plugin=%passes -mllvm -fgdsm-verify -S -emit-llvm %s -o - | FileCheck %s
// Without builtins qsort may be anybody's.
// RUN: clang -O2 -fno-builtin -fpass-plugin=%passes -mllvm -fgdsm-verify -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OWN
// A function of that name is refused where it is defined.
// RUN: not clang -O2 -DDEFINED -fpass-plugin=%passes -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=DEFINED
// RUN: clang -O2 -DDEFINED -fno-builtin -fpass-plugin=%passes -c %s -o %t.o
// DEFINED: 'qsort' is a name of the C library's, and comparisons for it have no checks
#define _GNU_SOURCE
#include <stdlib.h>

struct record {
  long key;
  long *far;
};

#ifndef DEFINED
static int only(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}
// Pointers in the copy are as shared as those that were copied.
static int through(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  return (*x->far > *y->far) - (*x->far < *y->far);
}
// The third argument is not copied.
static int with(const void *a, const void *b, void *sign) {
  const struct record *x = a, *y = b;
  return *(int *)sign * ((x->key > y->key) - (x->key < y->key));
}
// Others call it, too.
__attribute__((noinline)) static int also(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}
// Anybody may call it.
int known(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}

void sort(struct record *p, size_t n, int *sign) {
  qsort(p, n, sizeof *p, only);
  qsort(p, n, sizeof *p, through);
  qsort_r(p, n, sizeof *p, with, sign);
  qsort(p, n, sizeof *p, also);
  qsort(p, n, sizeof *p, known);
}
int compare(struct record *p) { return also(p, p + 1); }
#else
void qsort(void *p, size_t n, size_t size, int (*f)(const void *, const void *)) {}
#endif

// CHECK-LABEL: define {{.*}} @known(
// CHECK: @graupel_dsm
// CHECK-LABEL: define {{.*}} @only(
// CHECK-NOT: @graupel_dsm
// CHECK-LABEL: define {{.*}} @through(
// CHECK-COUNT-2: icmp eq i32 {{.*}}, 2147200448
// CHECK-NOT: 2147200448
// CHECK-LABEL: define {{.*}} @with(
// CHECK: icmp eq i32 {{.*}}, 2147200448
// CHECK-NOT: 2147200448
// CHECK-LABEL: define {{.*}} @also(
// CHECK-COUNT-2: icmp eq i32 {{.*}}, 2147200448
// OWN-LABEL: define {{.*}} @only(
// OWN-COUNT-2: icmp eq i32 {{.*}}, 2147200448
// OWN: ret i32
