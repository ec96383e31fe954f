// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared globals: which accesses are checked, how variables lie, and what tables say.
//
// RUN: clang -O1 -I%graupel-source/runtime/include -fpass-plugin=%passes -mllvm -fgdsm-verify -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s --check-prefixes=DATA,MARKED < %t.ll && FileCheck %s < %t.ll
// Again: nothing happens.
// RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm' -S %t.ll | FileCheck %s --check-prefixes=DATA,MARKED
// All variables of the file.
// RUN: clang -O1 -DFILE_SHARES -I%graupel-source/runtime/include -fpass-plugin=%passes -mllvm -fgdsm-share-globals -mllvm -fgdsm-verify -S -emit-llvm %s -o - | FileCheck %s --check-prefix=FILE
// Nothing shared, nothing laid out.
// RUN: clang -O1 -DNOTHING -I%graupel-source/runtime/include -fpass-plugin=%passes -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NOTHING --implicit-check-not=gdsm_globals --implicit-check-not='section "gdsm_global_table'
// One section begins with a page and ends with one; large zeros are in no file.
// RUN: clang -O1 -I%graupel-source/runtime/include -fpass-plugin=%passes -c %s -o %t.o
// RUN: llvm-readelf -SW %t.o | FileCheck %s --check-prefix=SECTIONS
// SECTIONS-DAG: gdsm_globals PROGBITS {{[0-9a-f]+}} {{[0-9a-f]+}} {{0*}}1184 {{.*}} 4096
// SECTIONS-DAG: .bss.gdsm_globals NOBITS {{[0-9a-f]+}} {{[0-9a-f]+}} {{0*}}3000 {{.*}} 4096
// SECTIONS-DAG: .data.gdsm_globals PROGBITS {{[0-9a-f]+}} {{[0-9a-f]+}} {{0*}}2000 {{.*}} 4096
// SECTIONS-NOT: gdsm_globals

#include <graupel/dsm.h>

#if defined FILE_SHARES
#undef GDSM_GLOBAL
#define GDSM_GLOBAL
#elif defined NOTHING
#undef GDSM_GLOBAL
#define GDSM_GLOBAL
#endif

GDSM_GLOBAL int first;
int own;
GDSM_GLOBAL int second = 2;
GDSM_GLOBAL double zeros[1500];
GDSM_GLOBAL int values[1025] = {1};
static GDSM_GLOBAL int third[] = {3};
extern GDSM_GLOBAL int elsewhere;
extern int private_elsewhere;
static int *const table[] = {&second, &elsewhere};
static int *const own_table[] = {&own, &private_elsewhere};

// DATA-DAG: @first = dso_local externally_initialized global i32 0, section "gdsm_globals", align {{128|4096}}
// DATA-DAG: @second = dso_local externally_initialized global i32 2, section "gdsm_globals", align {{128|4096}}
// DATA-DAG: @own = {{.*}}global i32 0, align 4
// DATA-DAG: @zeros = dso_local externally_initialized global <{ [1500 x double], [288 x i8] }> zeroinitializer, section ".bss.gdsm_globals", align 4096
// DATA-DAG: @values = dso_local externally_initialized global <{ {{.*}}, [4092 x i8] }> {{.*}}, section ".data.gdsm_globals", align 4096
// DATA-DAG: @third = internal externally_initialized global [1 x i32] [i32 3], section "gdsm_globals", align {{128|4096}}
// DATA-DAG: @elsewhere = external {{.*}}global i32
// DATA-DAG: @[[END:gdsm.globals.end]] = private global [4096 x i8] zeroinitializer, section "gdsm_globals", align 1
// DATA-DAG: = private global { ptr, i64, ptr, i32, i32 } { ptr @first, i64 4, ptr @{{.*}}, i32 [[#@LINE-19]], i32 0 }, section "gdsm_global_table", align 8, !associated
// DATA-DAG: = private global { ptr, i64, ptr, i32, i32 } { ptr @zeros, i64 12000, ptr @{{.*}}, i32 {{[0-9]+}}, i32 2 }, section "gdsm_global_table"
// DATA-DAG: = private global { ptr, i64, ptr, i32, i32 } { ptr @values, i64 4100, ptr @{{.*}}, i32 {{[0-9]+}}, i32 1 }, section "gdsm_global_table"
// DATA-DAG: = private global { ptr, i64, ptr, i32, i32 } { ptr @elsewhere, i64 0, ptr @{{.*}}, i32 0, i32 3 }, section "gdsm_global_uses"
// DATA-DAG: = private global { ptr, i64, ptr, i32, i32 } { ptr @private_elsewhere, i64 0, ptr @{{.*}}, i32 0, i32 4 }, section "gdsm_global_uses"
// MARKED: @llvm.global_ctors = appending global {{.*}} { i32 0, ptr @graupel_dsm_check_own_globals, ptr @graupel_dsm_check_own_globals }
// MARKED-NOT: = private global {{.*}} @first, i64

// FILE-DAG: @own = {{.*}}section "gdsm_globals"
// FILE-DAG: @first = {{.*}}section "gdsm_globals"
// FILE-DAG: @zeros = {{.*}}section ".bss.gdsm_globals"
// FILE-NOT: section "gdsm_global_uses"
// FILE-LABEL: define {{.*}} @declared(
// FILE: graupel_dsm_load
// FILE: ret

// NOTHING: section "gdsm_global_uses"
// NOTHING-LABEL: define {{.*}} @loads(
// NOTHING-NOT: graupel_dsm_
// NOTHING: ret

// CHECK-LABEL: define {{.*}} @loads(
// CHECK: call {{.*}} @graupel_dsm_load
// CHECK: ret
int loads(void) { return second; }

// CHECK-LABEL: define {{.*}} @stores(
// CHECK: call {{.*}} @graupel_dsm_store
// CHECK: ret
void stores(void) { third[0] = first; }

// CHECK-LABEL: define {{.*}} @declared(
// CHECK: call {{.*}} @graupel_dsm_load
// CHECK: ret
int declared(void) { return elsewhere; }

// Others are private still.
// CHECK-LABEL: define {{.*}} @others(
// CHECK-NOT: graupel_dsm_
// CHECK: ret
int others(void) { return own + private_elsewhere; }

// CHECK-LABEL: define {{.*}} @loops(
// CHECK: graupel_dsm_
// CHECK: ret
double loops(void) {
  double sum = 0;
  for (int i = 0; i < 1500; i++)
    sum += zeros[i];
  return sum + values[3];
}

// What a constant table with a shared address points to may be shared.
// CHECK-LABEL: define {{.*}} @through_table(
// CHECK: call {{.*}} @graupel_dsm_load
// CHECK: ret
int through_table(int i) { return *table[i]; }
// CHECK-LABEL: define {{.*}} @through_own_table(
// CHECK-NOT: graupel_dsm_
// CHECK: ret
int through_own_table(int i) { return *own_table[i]; }

// Nobody of this file has stored another value, but others may.
// CHECK-LABEL: define {{.*}} @by_others(
// CHECK: load i32, ptr @by_others.counter
// CHECK: ret
int by_others(int store) {
  static GDSM_GLOBAL int counter = 5;
  if (store)
    counter = 6;
  gdsm_barrier();
  return counter;
}
