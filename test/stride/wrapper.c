// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation sites behind functions that allocate for their callers.
// RUN: rm -rf %t && mkdir %t
// RUN: %stride-cc -O1 %s -o %t/wrapper
// RUN: env GRAUPEL_STRIDE_OUT=%t/all.gstride %t/wrapper
// RUN: graupel stride report %t/all.gstride --maxel=1 | FileCheck %s --check-prefix=ONE
// ONE: {{^}}heap wrapper.c:[[# @LINE + 14]] block: 300 stores
// RUN: env GRAUPEL_STRIDE=wrapper=need,wrapper=need_array GRAUPEL_STRIDE_OUT=%t/own.gstride %t/wrapper
// RUN: graupel stride report %t/own.gstride --maxel=1 | FileCheck %s
// CHECK-DAG: {{^}}heap wrapper.c:[[# @LINE + 29]] first: 100 stores
// CHECK-DAG: {{^}}heap wrapper.c:[[# @LINE + 29]] second: 200 stores
// A wrong word names this one.
// RUN: env GRAUPEL_STRIDE=wrappers=need GRAUPEL_STRIDE_OUT=%t/no.gstride not %t/wrapper 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: graupel stride: error: GRAUPEL_STRIDE has `wrappers=need`; there are {{.*}}wrapper=FUNCTION

#include <stdlib.h>

#define KEEP __attribute__((noinline))

KEEP void *need(size_t bytes) {
  void *block = malloc(bytes);
  if (!block)
    exit(1);
  return block;
}

KEEP double *need_array(size_t count) {
  double *array = need(count * sizeof(double));
  __asm__ volatile("" : "+r"(array));
  return array;
}

KEEP void fill(double *to, long n) {
  for (long i = 0; i < n; ++i)
    to[i] = i;
}

int main(void) {
  double *first = need_array(100);
  double *second = need(200 * sizeof(double));
  fill(first, 100);
  fill(second, 200);
  return first[1] != second[1];
}
