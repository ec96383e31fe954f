// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of code without checks: wrapped if there is a wrapper and the memory may
// be shared, diagnosed if there is none.
//
// RUN: clang -O1 -fpass-plugin=%passes -S -emit-llvm %s -o %t.ll 2> %t.err
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck %s --check-prefix=SAID --implicit-check-not=warning: < %t.err
// RUN: not clang -O1 -fpass-plugin=%passes -mllvm -fgdsm-strict -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT
// STRICT: error: fgdsm: call of 'sscanf'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void other(char *);

// CHECK-LABEL: define {{.*}} @wrapped(
// CHECK: call {{.*}} @graupel_dsm_strlen(
// CHECK: call {{.*}} @graupel_dsm_memcpy(
// CHECK: call {{.*}} @graupel_dsm_read(
// CHECK: call {{.*}} @graupel_dsm_fwrite(
size_t wrapped(char *p, char *q, FILE *f) {
  size_t n = strlen(p);
  memcpy(q, p, n);
  n += read(0, p, 10);
  return n + fwrite(q, 1, n, f);
}

// CHECK-LABEL: define {{.*}} @private(
// CHECK-NOT: graupel_dsm
// CHECK: ret
int private(void) {
  char buffer[100];
  if (!fgets(buffer, sizeof buffer, stdin))
    return 0;
  printf("%s\n", buffer);
  return (int)strlen(buffer);
}

// SAID: library-calls.c:[[@LINE+1]]:{{[0-9]+}}: warning: fgdsm: call of 'sscanf' with a pointer that may be shared; 'sscanf' is not compiled with checks
int scanned(char *p, int *x) { return sscanf(p, "%d", x); }

// SAID: library-calls.c:[[@LINE+1]]:{{[0-9]+}}: warning: fgdsm: call of 'printf'
void printed(char *p) { printf("%d %s\n", 1, p); }

// SAID: library-calls.c:[[@LINE+1]]:{{[0-9]+}}: warning: fgdsm: call of 'qsort'
void sorted(int *p, int (*f)(const void *, const void *)) { qsort(p, 10, 4, f); }

// SAID: library-calls.c:[[@LINE+1]]:{{[0-9]+}}: warning: fgdsm: inline assembly
void assembled(int *p) { asm volatile("incl (%0)" : : "r"(p) : "memory"); }

// Nothing to say of these: addresses that are only printed, memory that is given
// back, functions compiled elsewhere, operands that are checked.
// CHECK-LABEL: define {{.*}} @fine(
// CHECK: call preserve_allcc void @graupel_dsm_store(ptr
// CHECK: call void asm
double fine(char *p, int *q, double x) {
  printf("%p\n", p);
  free(p);
  other(p);
  asm volatile("incl %0" : "=m"(*q));
  return sqrt(x);
}
