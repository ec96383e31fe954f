// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the C library: wrapped if there is a wrapper and the memory may be
// shared, guarded if there is none.
//
// RUN: clang -O1 -fpass-plugin=%passes -S -emit-llvm %s -o - 2>&1 | FileCheck %s --implicit-check-not=warning:
#include <math.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// CHECK: @function = {{.*}} @graupel_dsm_strlen

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
// CHECK-NOT: graupel_dsm_{{f|str|print}}
// CHECK: ret
int private(void) {
  char buffer[100];
  if (!fgets(buffer, sizeof buffer, stdin))
    return 0;
  printf("%s\n", buffer);
  return (int)strlen(buffer);
}

// CHECK-LABEL: define {{.*}} @buffered(
// CHECK: call void {{.*}} @graupel_dsm_guard(ptr {{.*}}, ptr {{.*}}@setvbuf, i32 1, ptr %0)
// CHECK: call {{.*}} @setvbuf(
void buffered(char *p) { setvbuf(stdout, p, _IOFBF, 100); }

// CHECK-LABEL: define {{.*}} @waited(
// CHECK: call void {{.*}} @graupel_dsm_guard(ptr {{.*}}, ptr {{.*}}@sem_wait, i32 1, ptr %0)
int waited(sem_t *s) { return sem_wait(s); }

// CHECK-LABEL: define {{.*}} @formatted(
// CHECK: call {{.*}} @graupel_dsm_{{(__isoc[0-9]+_)?}}sscanf(
// CHECK: call {{.*}} @graupel_dsm_printf(
// CHECK: call {{.*}} @printf(
// CHECK: call {{.*}} @graupel_dsm_vfprintf(
// CHECK: call {{.*}} @graupel_dsm_{{(__isoc[0-9]+_)?}}strtol(
int formatted(char *p, int *x, va_list l) {
  int n = sscanf(p, "%d", x);
  printf("%d %s\n", 1, p);
  printf("%d %p\n", 1, p);
  vfprintf(stderr, "%s", l);
  return n + (int)strtol(p, NULL, 10);
}

// Also through pointers; comparisons are called back with private copies.
size_t (*function)(const char *) = strlen;
// CHECK-LABEL: define {{.*}} @sorted(
// CHECK: call void @graupel_dsm_qsort({{.*}}, ptr {{.*}}@graupel_dsm_strcmp)
void sorted(char *p) {
  qsort(p, 10, 4, (int (*)(const void *, const void *))strcmp);
}

// In some functions a thread is offline, in others it is not.
// CHECK-LABEL: define {{.*}} @around(
// CHECK: call preserve_allcc void @graupel_dsm_store.stub(
// CHECK: call {{.*}} @read(
// CHECK: call preserve_allcc void @graupel_dsm_store.stub(
// CHECK: ret
int around(int *p) {
  char b[8];
  *p = 1;
  int n = (int)read(0, b, 8);
  *p = n;
  return n;
}
// CHECK-LABEL: define {{.*}} @through(
// CHECK: call preserve_allcc void @graupel_dsm_store.stub(
// CHECK: call {{.*}} @strtol(
// CHECK-NOT: call preserve_allcc void @graupel_dsm_store.stub(
// CHECK: ret
int through(int *p, int argc) {
  char b[8] = "12345";
  b[argc] = 0;
  *p = 1;
  int n = (int)strtol(b, NULL, 10);
  *p = n;
  return n;
}

// CHECK-LABEL: define {{.*}} @assembled(
// CHECK: call void {{.*}} @graupel_dsm_guard(ptr {{.*}}, ptr null, i32 1, ptr %0)
// CHECK: call void asm
void assembled(int *p) { asm volatile("incl (%0)" : : "r"(p) : "memory"); }

// No guard for these: addresses that are only printed, memory that is given
// back, operands that are checked, values.
// CHECK-LABEL: define {{.*}} @fine(
// CHECK-NOT: graupel_dsm_guard
// CHECK: call preserve_allcc void @graupel_dsm_store.stub(ptr
// CHECK: call void asm
double fine(char *p, int *q, double x) {
  printf("%p\n", p);
  free(p);
  asm volatile("incl %0" : "=m"(*q));
  return sqrt(x);
}

// Whatever word it is: what is waited for may be shared.
// CHECK-LABEL: define {{.*}} @waits(
// CHECK-NOT: graupel_dsm_guard
// CHECK: call {{.*}} @graupel_dsm_futex(i64 {{.*}}202,
// CHECK: call {{.*}} @syscall(i64 {{.*}}39)
static int word;
void waits(int *shared) {
  syscall(SYS_futex, shared, 0, 1, NULL);
  syscall(SYS_futex, &word, 0, 1, NULL);
  syscall(SYS_getpid);
}
