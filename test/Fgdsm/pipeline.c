// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks are inserted once, last, at each level, by each way to compile.
//
// RUN: clang -O0 -fpass-plugin=%passes -S -emit-llvm %s -o - | FileCheck %s
// RUN: clang -O2 -fpass-plugin=%passes -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// Again: nothing happens.
// RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm' -S %t.ll -o %t2.ll
// RUN: grep -c graupel_dsm_store %t.ll > %t.count && grep -c graupel_dsm_store %t2.ll | diff %t.count -
// When optimization goes on while linking, so do the checks wait.
// RUN: clang -O2 -flto -fpass-plugin=%passes -S -emit-llvm %s -o - | FileCheck %s --check-prefix=EARLY
// RUN: clang -O2 -flto=thin -fpass-plugin=%passes -S -emit-llvm %s -o - | FileCheck %s --check-prefix=EARLY
// RUN: clang -O2 -flto -fpass-plugin=%passes -fPIC -mllvm -fgdsm-verify -c %s -o %t.full.o
// RUN: ld.lld -shared --load-pass-plugin=%passes %t.full.o -o %t.full.so && llvm-nm -u %t.full.so | FileCheck %s --check-prefix=LATE
// RUN: clang -O2 -flto=thin -fpass-plugin=%passes -fPIC -mllvm -fgdsm-verify -c %s -o %t.thin.o
// RUN: ld.lld -shared --load-pass-plugin=%passes %t.thin.o -o %t.thin.so && llvm-nm -u %t.thin.so | FileCheck %s --check-prefix=LATE
// And together with sanitizers.
// RUN: clang -O1 -fsanitize=address,undefined -fpass-plugin=%passes -mllvm -fgdsm-verify -c %s -o %t.o

// CHECK-LABEL: define {{.*}} @put(
// CHECK: call preserve_allcc void @graupel_dsm_store
// CHECK-NOT: call preserve_allcc void @graupel_dsm_store
// CHECK: ret void
// EARLY-NOT: graupel_dsm_store
// LATE: graupel_dsm_store
void put(int *p) { *p = 1; }
