; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Allocations say which line they are in; those without a line say nothing.
;
; RUN: opt -load-pass-plugin=%numa-pass -passes=graupel-numa,verify -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-DAG: [[LINE:@.*]] = {{.*}} c"grid.c:5\00"
; CHECK-DAG: [[OTHER:@.*]] = {{.*}} c"grid.c:6\00"
; CHECK-DAG: [[NAME:@.*]] = {{.*}} c"make\00"

; CHECK-LABEL: define ptr @make(
; CHECK: %a = call ptr @malloc(i64 %n)
; CHECK-NEXT: call void @graupel_numa_site(ptr %a, i64 %n, ptr [[LINE]], ptr [[NAME]])
; CHECK: [[ALL:%.*]] = mul i64 %n, 8
; CHECK-NEXT: %b = call ptr @calloc(i64 %n, i64 8)
; CHECK-NEXT: call void @graupel_numa_site(ptr %b, i64 [[ALL]], ptr [[OTHER]],
; CHECK: %c = call ptr @malloc(i64 %n)
; CHECK-NEXT: ret ptr
define ptr @make(i64 %n) !dbg !4 {
  %a = call ptr @malloc(i64 %n), !dbg !6
  %b = call ptr @calloc(i64 %n, i64 8), !dbg !7
  %c = call ptr @malloc(i64 %n)
  ret ptr %a
}
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "src/grid.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "make", file: !1, line: 4, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 5, scope: !4)
!7 = !DILocation(line: 6, scope: !4)
