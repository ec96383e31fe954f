// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: clang -O2 -fno-vectorize -fno-unroll-loops -fpass-plugin=%passes -Rpass=fgdsm -Rpass-missed=fgdsm -c %s -o /dev/null 2>&1 | FileCheck %s

struct node {
  double x, y;
  struct node *next;
};
void unknown(void);

// CHECK-DAG: remarks.c:[[@LINE+1]]:{{.*}} one check of 16 bytes for 2 accesses
double shared(struct node *p) { return p->x + p->y; }

// CHECK-DAG: remarks.c:[[@LINE+3]]:{{.*}} one check of 8 bytes for 1 access, before the loop
void moved(double *p, struct node *list) {
  do {
    list->x = *p + 1;
    list = list->next;
  } while (list);
}

// CHECK-DAG: remarks.c:[[@LINE+4]]:{{.*}} checks tags: a call in the loop ends the validity of checks before the loop
void kept(double *p, int n) {
  for (int i = 0; i < n; ++i) {
    unknown();
    *p = i;
  }
}

// CHECK-DAG: remarks.c:[[@LINE+1]]:{{.*}} checks tags: volatile accesses are checked one by one
int again(volatile int *p) { return *p; }

// CHECK-DAG: remarks.c:[[@LINE+3]]:{{.*}} loop strip-mined
// CHECK-DAG: remarks.c:[[@LINE+3]]:{{.*}} without a check of its own: the strip's covers it
void strip(double *p, long n) {
  for (long i = 0; i < n; ++i)
    p[i] = 1.5 * p[i] + 1;
}
