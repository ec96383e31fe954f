// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum is tested behind its loop, and another load of the loop has a slow path that hands over a
// set: the pointer's own strip has to be valid, too. Writing down the set is no effect that
// keeps the loop from running again, so the verifier finds the test.
//
// RUN: clang -O2 -fpass-plugin=%passes -mllvm -fgdsm-verify -S -emit-llvm %s -o - | FileCheck %s
// CHECK: call preserve_allcc void @graupel_dsm_acquire_set
// CHECK: fcmp uno double [[S:%.*]], [[S]]

struct partial {
  double sum;
  long count;
};

double mean(struct partial *const *first, struct partial *const *last,
            long at) {
  double sum = 0;
  long count = 0;
  for (; first != last; ++first) {
    sum += first[0][at].sum;
    count += first[0][at].count;
  }
  return sum / count;
}
