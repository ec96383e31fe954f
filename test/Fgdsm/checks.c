// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The published systems' checks, each access for itself; and less than all.
//
// RUN: clang -O2 -fpass-plugin=%passes -mllvm -fgdsm-checks=table -mllvm -fgdsm-verify -S -emit-llvm %s -o - | FileCheck %s --check-prefix=TABLE
// RUN: clang -O2 -fpass-plugin=%passes -mllvm -fgdsm-checks=sentinel -mllvm -fgdsm-verify -S -emit-llvm %s -o - | FileCheck %s --check-prefix=SENTINEL
// RUN: clang -O2 -fpass-plugin=%passes -mllvm -fgdsm-checks=slow15 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=SLOW
// RUN: clang -O2 -fpass-plugin=%passes -mllvm -fgdsm-checks=none -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: clang -O2 -fpass-plugin=%passes -mllvm -fgdsm-checks=stores -S -emit-llvm %s -o - | FileCheck %s --check-prefix=STORES

// TABLE-LABEL: define {{.*}} @add(
// TABLE-COUNT-2: and i8 {{.*}}, -128
// TABLE: icmp ne i8 {{.*}}, 0
// TABLE: ret void
// SENTINEL-LABEL: define {{.*}} @add(
// SENTINEL-COUNT-2: fcmp uno double
// SENTINEL: icmp ne i8 {{.*}}, 0
// SLOW-LABEL: define {{.*}} @add(
// SLOW-COUNT-3: call preserve_allcc void %
// NONE-LABEL: define {{.*}} @add(
// NONE-NOT: graupel_dsm_{{load|store}}
// NONE: ret void
void add(double *p) { p[1] = p[0] + p[1]; }

// STORES-LABEL: define {{.*}} @move(
// STORES-NOT: 2147200448
// STORES-NOT: -128
// STORES: %[[BOTH:[0-9]+]] = or i8
// STORES-NEXT: %[[ANY:[0-9]+]] = icmp ne i8 %[[BOTH]], 0
// STORES-NEXT: br i1 %[[ANY]]
// STORES: call ptr asm sideeffect "leaq ${1:a}, $0", "=r,i"(ptr @graupel.fgdsm.set.2.9.0.0.3.0.0)
// STORES-NOT: 2147200448
// STORES-NOT: -128
// STORES: ret void
void move(int *p, int *q, signed char *to, signed char *from) {
  *p = *q;
  *to = *from;
}

// All poll.
// TABLE: call preserve_allcc void @graupel_dsm_poll.stub()
// SENTINEL: call preserve_allcc void @graupel_dsm_poll.stub()
// SLOW: call preserve_allcc void @graupel_dsm_poll.stub()
// NONE: call preserve_allcc void @graupel_dsm_poll.stub()
// STORES: call preserve_allcc void @graupel_dsm_poll
void clear(int *p, long n) {
  for (long i = 0; i < n; ++i)
    p[i * 7] = 0;
}
